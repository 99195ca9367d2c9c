// From a loaded configuration to what a command works on: a toolkit for single calls, an app for runs.
// Whatever was exported, the rules are its own; the command adds nothing but a way to ask the person at the terminal.

import type { App } from "../app/create-app.ts";
import { createApp } from "../app/create-app.ts";
import { createToolkit, type Toolkit } from "../app/create-toolkit.ts";
import { TerminalUserChannel } from "../approvals/terminal-user-channel.ts";
import type { Channel } from "../core/approval.ts";
import { ToolpostError } from "../core/errors.ts";
import type { SourceStatus } from "../core/source.ts";
import type { CommandCall, CommandIo } from "./command.ts";
import { untilInterrupted } from "./interrupt.ts";
import { loadConfig } from "./load-config.ts";

export interface OpenTools {
  readonly toolkit: Toolkit;
  /** Sources that gave no tools. */
  readonly failed: readonly SourceStatus[];
  close(): Promise<void>;
}

/** The tools of the configuration, of one agent of it with `--agent`. Connects its sources. */
export async function openTools(call: CommandCall): Promise<OpenTools> {
  const opening = open(call);
  try {
    const opened = await untilInterrupted(opening, call.io.interrupt);
    const failed = opened.toolkit.status().filter(({ state }) => state === "failed");
    return { ...opened, failed };
  } catch (error) {
    // Where it was interrupted and opens all the same.
    void opening.then(({ close }) => close()).catch(() => undefined);
    throw error;
  }
}

/** The application of the configuration. Nothing is connected yet. */
export async function openApp(call: CommandCall): Promise<{ readonly app: App; readonly file: string }> {
  const config = await loadConfig(call);
  const { file } = config;
  if (config.kind === "app") return { app: config.app, file };
  if (config.kind === "options" && config.options.agents !== undefined) return { app: createApp(config.options), file };
  const hint = "Export `createApp({ agents: [ … ] })`, or options with `agents`.";
  throw new ToolpostError("config.invalid", `\`${file}\` gives tools but no agent to run`, { hint });
}

/** The person at the terminal, where there is one. */
export function terminalChannel({ stdin, stderr, isTerminal }: CommandIo): Channel | undefined {
  if (!isTerminal.stdin || !isTerminal.stderr) return undefined;
  return new TerminalUserChannel({ input: stdin, output: stderr, isTerminal: true });
}

async function open(call: CommandCall): Promise<Omit<OpenTools, "failed">> {
  const config = await loadConfig(call);
  const channel = terminalChannel(call.io);
  const { agent } = call.options;
  if (config.kind === "app") return ofApp(config.app, config.file, agent, channel);
  if (config.kind === "options" && config.options.agents !== undefined) {
    return ofApp(createApp(config.options), config.file, agent, channel);
  }
  if (agent !== undefined)
    throw new ToolpostError("config.invalid", `\`--agent ${agent}\`: \`${config.file}\` has no agents`);
  const toolkit =
    config.kind === "toolkit" ? config.toolkit : await createToolkit(withChannel(config.options, channel));
  return { toolkit, close: () => toolkit.close() };
}

async function ofApp(
  app: App,
  file: string,
  agent: string | undefined,
  channel: Channel | undefined,
): Promise<Omit<OpenTools, "failed">> {
  if (typeof app.toolkit !== "function") {
    throw new ToolpostError("config.invalid", `the app of \`${file}\` is of an older toolpost than this command`, {
      hint: "Update the project's own: `npm install toolpost@latest`.",
    });
  }
  const toolkit = await app.toolkit({
    ...(agent === undefined ? {} : { agent }),
    ...(channel === undefined ? {} : { channel }),
  });
  return { toolkit, close: () => app.close() };
}

function withChannel<Options extends { readonly approvals?: { readonly channel?: Channel } }>(
  options: Options,
  channel: Channel | undefined,
): Options {
  if (channel === undefined || options.approvals?.channel !== undefined) return options;
  return { ...options, approvals: { ...options.approvals, channel } };
}
