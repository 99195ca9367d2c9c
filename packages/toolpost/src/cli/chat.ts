// `toolpost chat`: a conversation with one agent, a run per message on one thread.
// A run that fails or is cancelled does not end it; the person does.

import type { App } from "../app/create-app.ts";
import { closestName } from "../std/closest-name.ts";
import { randomId } from "../std/id.ts";
import { ChatInput } from "./chat-input.ts";
import { type Command, type CommandCall, UsageError } from "./command.ts";
import { didYouMean, listed } from "./command-line.ts";
import { exitCodeOfError, exitCodeOfRun, exitCodes } from "./exit-code.ts";
import { followRun } from "./follow-run.ts";
import { commandUsage } from "./help.ts";
import { knownAgent, onlyAgent, openApp } from "./open-config.ts";
import { showError } from "./show-error.ts";

/**
 * At a terminal: messages are typed, approvals asked there, the first Ctrl-C cancels the run under way. Elsewhere each
 * line of standard input is a message, and the exit code is that of the last run that did not end well.
 */
export const chat: Command = {
  name: "chat",
  summary: "talks with an agent; elsewhere than at a terminal, each line is a message",
  usage: "chat [AGENT]",
  options: {
    model: { value: "STRING", summary: "in place of the agent's own, for example openai:gpt-5.2" },
    thread: { value: "ID", summary: "goes on with this conversation" },
    quiet: { short: "q", summary: "no lines about tool calls on standard error" },
  },
  async run(command) {
    const [name, stranger] = command.positionals;
    if (stranger !== undefined) throw new UsageError(`\`${stranger}\` is one word too many`, chat);
    const app = await openApp(command);
    try {
      const agent = name === undefined ? onlyAgent(app, command) : knownAgent(name, app, command);
      return await converse(app, agent, command);
    } finally {
      await app.close();
    }
  },
};

async function converse(app: App, agent: string, command: CommandCall): Promise<number> {
  const { io, options, terminal, switches } = command;
  const isAtTerminal = io.isTerminal.stdin;
  const input = new ChatInput(io, "> ");
  let threadId = options.thread ?? randomId("thread_");
  let code: number = exitCodes.ok;
  if (isAtTerminal && !switches.has("quiet"))
    terminal.tell(`Talking with ${agent}. /help tells the commands, Ctrl-D ends.`, "dim");
  try {
    for (;;) {
      await terminal.flush();
      const turn = await input.next();
      if (turn.kind === "end") return isAtTerminal ? exitCodes.ok : code;
      if (turn.kind === "interrupt") return exitCodes.cancelled;
      const text = turn.text.trim();
      const word = chatWord(text);
      if (text === "") continue;
      if (word === "/exit") return isAtTerminal ? exitCodes.ok : code;
      if (word === "/new") {
        threadId = randomId("thread_");
        terminal.tell("a new conversation", "dim");
      } else if (word === "/help") terminal.tell(chatHelp);
      else if (word !== undefined) terminal.tell(unknownWord(word), "yellow");
      else code = (await answer(app, { agent, message: turn.text.trimEnd(), threadId }, command)) || code;
      if (io.interrupt?.aborted === true || terminal.closed.aborted) return exitCodes.cancelled;
    }
  } finally {
    input.close();
  }
}

interface Message {
  readonly agent: string;
  readonly message: string;
  readonly threadId: string;
}

/** One run, shown; resolves with its exit code, whatever it came to. */
async function answer(app: App, { agent, message, threadId }: Message, command: CommandCall): Promise<number> {
  const { io, options, terminal } = command;
  const cancel = new AbortController();
  // Of the person at the terminal the first Ctrl-C is meant for this run only.
  const letGo = io.isTerminal.stdin ? io.catchInterrupt?.(() => cancel.abort("interrupted")) : undefined;
  const signal = AbortSignal.any([cancel.signal, terminal.closed, ...(io.interrupt ? [io.interrupt] : [])]);
  const model = options.model === undefined ? {} : { model: options.model };
  const handle = app.run(agent, message, { signal, threadId, ...model });
  try {
    const result = await followRun(handle, app, { ...command, signal, isGivenUp: true });
    // Nobody here can answer: it must not stand in the way of the next message.
    if (result.status === "waiting") {
      handle.abort("nobody answered in this conversation");
      await handle.catch(() => undefined);
    }
    return exitCodeOfRun(result);
  } catch (error) {
    if (!terminal.closed.aborted) showError(error, terminal, commandUsage(chat));
    return exitCodeOfError(error);
  } finally {
    letGo?.();
  }
}

const words: Readonly<Record<string, string>> = {
  "/new": "begins a new conversation, which knows nothing of this one",
  "/help": "this text",
  "/exit": "ends; so does Ctrl-D",
};

const chatHelp = [
  ...Object.entries(words).map(([word, meaning]) => `${word.padEnd(6)} ${meaning}`),
  "A line that ends with \\ goes on in the next one; what is pasted is one message.",
  "Ctrl-C cancels the run under way; at an empty prompt it ends.",
].join("\n");

/** A message that is a single word after a slash was meant as a command, known or not. */
function chatWord(text: string): string | undefined {
  return /^\/[a-z]+$/.test(text) ? text : undefined;
}

function unknownWord(word: string): string {
  const names = Object.keys(words);
  return `there is no \`${word}\`${didYouMean(closestName(word, names)) || `; there are ${listed(names)}`}`;
}
