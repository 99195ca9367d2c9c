// `toolpost run`: one run of one agent. The model's text goes to standard output as it comes, all else to standard error.
// How the run is shown and its questions answered is in follow-run.

import type { App } from "../app/create-app.ts";
import { type Command, type CommandCall, UsageError } from "./command.ts";
import { exitCodeOfRun } from "./exit-code.ts";
import { followRun } from "./follow-run.ts";
import { everyAgent, knownAgent, onlyAgent, openApp } from "./open-config.ts";
import { readStandardInput } from "./read-standard-input.ts";

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
      const result = await followRun(handle, app, { ...command, signal });
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
  const names = everyAgent(app).map(({ name }) => name);
  const [first, second, ...more] = command.positionals;
  if (more.length > 0) throw new UsageError(`\`${more[0]}\` is one word too many; put the message in quotes`, run);
  if (first !== undefined && second !== undefined)
    return { agent: knownAgent(first, app, command), message: await messageOf(second, command) };
  // One word is the message, unless it names an agent and the message comes by standard input.
  if (first !== undefined && !names.includes(first))
    return { agent: onlyAgent(app, command), message: await messageOf(first, command) };
  return { agent: first ?? onlyAgent(app, command), message: await messageOf(undefined, command) };
}

async function messageOf(given: string | undefined, command: CommandCall): Promise<string> {
  const isPiped = given === "-" || (given === undefined && !command.io.isTerminal.stdin);
  const message = isPiped ? await readStandardInput(command, "the message") : (given ?? "");
  if (message.trim() === "")
    throw new UsageError("`toolpost run` needs a message, as an argument or on standard input", run);
  return message;
}
