// One question at a terminal, and the lines that answer it.
// Loaded when a question comes up: most runs ask nobody.

import { type Ask, awaitReply, type ChannelAnswer } from "../core/approval.ts";
import { follow } from "../std/abort.ts";
import { askAtTerminal } from "./ask-at-terminal.ts";
import { TerminalLines } from "./terminal-lines.ts";

export interface Terminal {
  readonly lines: TerminalLines;
  readonly output: NodeJS.WritableStream;
}

export function openTerminal(input: NodeJS.ReadableStream, output: NodeJS.WritableStream): Terminal {
  return { lines: new TerminalLines(input), output };
}

/** One question from being shown to its answer. An abort ends it. */
export async function askOne(ask: Ask, { lines, output }: Terminal, signal: AbortSignal): Promise<ChannelAnswer> {
  const letGo = follow(signal, () => lines.close());
  try {
    await lines.open();
    signal.throwIfAborted();
    const answer = await askAtTerminal(ask.value, {
      write: (text) => void output.write(text),
      readLine: () => lines.next(),
    });
    return answer ?? awaitReply();
  } finally {
    letGo();
    lines.close();
  }
}
