// `toolpost run`: one run of one agent. The model's text goes to standard output as it comes, all else to standard error.
// It moves nothing of the run itself but the answers of the person at the terminal.

import type { App } from "../app/create-app.ts";
import type { Channel, PendingPause } from "../core/approval.ts";
import { isToolpostError } from "../core/errors.ts";
import type { RunHandle } from "../core/run-handle.ts";
import type { RunResult } from "../core/run-result.ts";
import { encodeJson } from "../std/json.ts";
import { type Command, type CommandCall, UsageError } from "./command.ts";
import { listed } from "./command-line.ts";
import { exitCodeOfRun } from "./exit-code.ts";
import { knownAgent, openApp, terminalChannel } from "./open-config.ts";
import { readStandardInput } from "./read-standard-input.ts";
import { RunOutput } from "./run-output.ts";
import { waitingText } from "./waiting-text.ts";

/**
 * Runs an agent on a message. AGENT may be left out where there is one; the message is read from standard input where
 * it is `-`, or absent and standard input is no terminal. A person at the terminal is asked for approvals, unless the
 * application has channels of its own.
 */
export const run: Command = {
  name: "run",
  summary: "runs an agent on a message",
  usage: `run [AGENT] ["message" | -]`,
  options: {
    model: { value: "STRING", summary: "in place of the agent's own, for example openai:gpt-5.2" },
    thread: { value: "ID", summary: "goes on with this conversation" },
    quiet: { short: "q", summary: "no lines about tool calls on standard error" },
  },
  async run(command) {
    const app = await openApp(command);
    try {
      const { agent, message } = await taskOf(app, command);
      const { io, options, terminal } = command;
      // Nobody reads on: what the model would still say is not worth its price.
      const signal = io.interrupt === undefined ? terminal.closed : AbortSignal.any([io.interrupt, terminal.closed]);
      const handle = app.run(agent, message, {
        signal,
        ...(options.model === undefined ? {} : { model: options.model }),
        ...(options.thread === undefined ? {} : { threadId: options.thread }),
      });
      const result = await follow(handle, app, { ...command, signal });
      return exitCodeOfRun(result);
    } finally {
      await app.close();
    }
  },
};

interface Task {
  readonly agent: string;
  readonly message: string;
}

async function taskOf(app: App, command: CommandCall): Promise<Task> {
  const names = app.agents.map(({ name }) => name);
  const [first, second, ...more] = command.positionals;
  if (more.length > 0) throw new UsageError(`\`${more[0]}\` is one word too many; put the message in quotes`, run);
  if (first !== undefined && second !== undefined)
    return { agent: knownAgent(first, app, command), message: await messageOf(second, command) };
  // One word is the message, unless it names an agent and the message comes by standard input.
  if (first !== undefined && !names.includes(first))
    return { agent: only(names), message: await messageOf(first, command) };
  return { agent: first ?? only(names), message: await messageOf(undefined, command) };
}

function only(names: readonly string[]): string {
  if (names.length === 1) return names[0]!;
  throw new UsageError(`name the agent to run: ${listed(names)}`, run);
}

async function messageOf(given: string | undefined, command: CommandCall): Promise<string> {
  const isPiped = given === "-" || (given === undefined && !command.io.isTerminal.stdin);
  const message = isPiped ? await readStandardInput(command, "the message") : (given ?? "");
  if (message.trim() === "")
    throw new UsageError("`toolpost run` needs a message, as an argument or on standard input", run);
  return message;
}

/** Shows the run until it ends, or waits for somebody who cannot be asked here. */
async function follow(
  handle: RunHandle,
  app: App,
  call: CommandCall & { readonly signal: AbortSignal },
): Promise<RunResult> {
  const output = new RunOutput(call);
  const channel = terminalChannel(call.io);
  const asked = new Set<string>();
  for await (const event of handle.events) {
    await output.show(event);
    if (event.type === "run-wait" && !(await answerNext(event.pending, { app, channel, asked, signal: call.signal })))
      break;
  }
  const result = await handle;
  await output.end(result);
  for (const { value } of result.pending) call.terminal.tell(waitingText(value.tool, channel !== undefined), "yellow");
  if (result.stoppedBy !== undefined) call.terminal.tell(`stopped: ${result.stoppedBy}`, "yellow");
  if (call.switches.has("json")) await call.terminal.print(`${encodeJson(result)}\n`);
  return result;
}

interface Asking {
  readonly app: App;
  readonly channel: Channel | undefined;
  /** Ids of pauses that were put to the person. */
  readonly asked: Set<string>;
  readonly signal: AbortSignal;
}

/** Puts one question to the person and gives the answer to the run; false when nothing moves the run any more. */
async function answerNext(pending: readonly PendingPause[], { app, channel, asked, signal }: Asking): Promise<boolean> {
  // Without an id the answer is somebody else's: a channel has asked.
  const next = pending.find(({ pauseId }) => pauseId !== undefined && !asked.has(pauseId));
  if (next?.pauseId === undefined) return pending.every(({ pauseId }) => pauseId !== undefined && asked.has(pauseId));
  if (channel === undefined) return false;
  const { pauseId, value } = next;
  asked.add(pauseId);
  try {
    const answer = await channel.send({ pauseId, value }, { signal });
    if (answer.type === "await-reply") return false;
    app.resume({ pauseId, ...answer.answer }, {});
  } catch (error) {
    // The run was cancelled, or the question expired while it was asked: the run goes on to its end by itself.
    if (!signal.aborted && !isGone(error)) throw error;
  }
  return true;
}

function isGone(error: unknown): boolean {
  return (
    isToolpostError(error) && (error.code === "approval.unknown-pause" || error.code === "approval.already-answered")
  );
}
