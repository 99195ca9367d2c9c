// From a loaded configuration to what a command works on: a toolkit for single calls, an app for runs.
// Whatever was exported, the rules are its own; the command adds nothing but a way to ask the person at the terminal.

import type { App } from "../app/create-app.ts";
import { createApp } from "../app/create-app.ts";
import type { Toolkit } from "../app/toolkit.ts";
import { TerminalUserChannel } from "../approvals/terminal-user-channel.ts";
import type { Channel } from "../core/approval.ts";
import { ToolpostError } from "../core/errors.ts";
import type { SourceStatus } from "../core/source.ts";
import { closestName } from "../std/closest-name.ts";
import { type CommandCall, UsageError } from "./command.ts";
import type { CommandIo } from "./command-io.ts";
import { didYouMean, listed } from "./command-line.ts";
import { untilInterrupted } from "./interrupt.ts";
import { type LoadedConfig, loadConfig } from "./load-config.ts";

export interface OpenTools {
  readonly toolkit: Toolkit;
  /** Sources that gave no tools. */
  readonly failed: readonly SourceStatus[];
  close(): Promise<void>;
}

/** The tools of the configuration, of one agent of it with `--agent`. Connects its sources. */
export async function openTools(call: CommandCall): Promise<OpenTools> {
  const started: Started = {};
  const opening = open(call, started);
  try {
    const opened = await untilInterrupted(opening, call.io.interrupt);
    const failed = opened.toolkit.status().filter(({ state }) => state === "failed");
    return { ...opened, failed };
  } catch (error) {
    // Where it was interrupted and opens all the same.
    void opening.then(({ close }) => close()).catch(() => undefined);
    // What is connecting still is ended before the command is.
    await started.app?.close().catch(() => undefined);
    throw error;
  }
}

/** What is known of an opening before it is done. */
interface Started {
  app?: App;
}

/** The application of the configuration. Nothing is connected yet. */
export async function openApp(call: CommandCall): Promise<App> {
  const config = await loadConfig(call);
  const app = config.kind !== "toolkit" && mayHaveAgents(config) ? appOf(config) : undefined;
  if (app !== undefined && app.agents.length > 0) return app;
  const hint = "Export `createApp({ agents: [ … ] })`, or options with `agents`.";
  throw new ToolpostError("config.invalid", `\`${config.file}\` gives no agent to run`, { hint });
}

/** The application, with agents or without: for commands that look after stored runs. A toolkit keeps none. */
export async function openAnyApp(call: CommandCall): Promise<App | undefined> {
  const config = await loadConfig(call);
  if (config.kind !== "toolkit") return appOf(config);
  await config.toolkit.close();
  return undefined;
}

/** An app or toolkit, for commands that look at either. An app is not connected. */
export async function openLoaded(config: LoadedConfig): Promise<App | Toolkit> {
  const opened = config.kind === "toolkit" ? config.toolkit : appOf(config);
  if (typeof opened.describe === "function") return opened;
  await (opened as App | Toolkit).close();
  throw olderCopy(config);
}

/** Those too that are only tools of others. An app of an older copy does not tell of them. */
export function everyAgent({ agents, agentsBelow = [] }: Pick<App, "agents"> & Partial<App>): App["agents"] {
  return [...agents, ...agentsBelow];
}

/** The name, if the application has such an agent; else a `UsageError`. */
export function knownAgent(name: string, app: App, { command }: CommandCall): string {
  const names = everyAgent(app).map((agent) => agent.name);
  if (names.includes(name)) return name;
  const mend = didYouMean(closestName(name, names)) || `; there are ${listed(names)}`;
  throw new UsageError(`there is no agent \`${name}\`${mend}`, command);
}

/** The agent that is meant where none is named; a `UsageError` where there are several. */
export function onlyAgent({ agents }: App, { command }: CommandCall): string {
  const [first, second] = agents;
  if (first !== undefined && second === undefined) return first.name;
  throw new UsageError(`name the agent to run: ${listed(agents.map(({ name }) => name))}`, command);
}

/** The person at the terminal, where there is one. */
export function terminalChannel({ stdin, stderr, isTerminal }: CommandIo): Channel | undefined {
  if (!isTerminal.stdin || !isTerminal.stderr) return undefined;
  return new TerminalUserChannel({ input: stdin, output: stderr, isTerminal: true });
}

async function open(call: CommandCall, started: Started): Promise<Omit<OpenTools, "failed">> {
  const config = await loadConfig(call);
  const { agent } = call.options;
  if (agent !== undefined && !mayHaveAgents(config)) {
    if (config.kind === "toolkit") await config.toolkit.close();
    throw new UsageError(`\`--agent ${agent}\`: \`${config.file}\` has no agents`, call.command);
  }
  // A toolkit that is made already asks whom it was made to ask.
  if (config.kind === "toolkit") return { toolkit: config.toolkit, close: () => config.toolkit.close() };
  const app = appOf(config);
  // Known to an interrupt that comes while its sources connect.
  started.app = app;
  return toolsOfApp(app, config.file, call);
}

function olderCopy({ kind, file }: Pick<LoadedConfig, "kind" | "file">): ToolpostError {
  const hint = "Update the project's own: `npm install toolpost@latest`.";
  const message = `the ${kind} of \`${file}\` is of an older toolpost than this command`;
  return new ToolpostError("config.invalid", message, { hint });
}

function mayHaveAgents(config: LoadedConfig): boolean {
  return config.kind === "app" || (config.kind === "options" && config.options.agents !== undefined);
}

function appOf(config: Exclude<LoadedConfig, { readonly kind: "toolkit" }>): App {
  return config.kind === "app" ? config.app : createApp(config.options);
}

async function toolsOfApp(app: App, file: string, call: CommandCall): Promise<Omit<OpenTools, "failed">> {
  const { agent } = call.options;
  const channel = terminalChannel(call.io);
  try {
    if (typeof app.toolkit !== "function") {
      throw olderCopy({ kind: "app", file });
    }
    const toolkit = await app.toolkit({
      ...(agent === undefined ? {} : { agent: knownAgent(agent, app, call) }),
      ...(channel === undefined ? {} : { channel }),
    });
    return { toolkit, close: () => app.close() };
  } catch (error) {
    await app.close();
    throw error;
  }
}
