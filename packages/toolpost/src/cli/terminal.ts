// Standard output and standard error as the commands use them: the result on the one, everything else on the other.
// What is told on standard error is made visible first, so that no foreign text moves the cursor or hides itself.
// A reader of standard output that went away is no error: writing goes on into nothing.

import { styleText } from "node:util";
import { visible } from "../std/text.ts";
import type { CommandIo } from "./command-io.ts";

export type Style = "bold" | "dim" | "red" | "yellow" | "green";

export interface Terminal {
  /** Writes to standard output, as it is. Resolves when it is written; rejects where it cannot be, a full disk for one. */
  print(text: string): Promise<void>;
  /** Writes a line, or several, to standard error. */
  tell(text: string, style?: Style): void;
  /** A part of what is printed in a style, where standard output shows colours. */
  paint(text: string, style: Style): string;
  /** Aborted when nobody reads standard output any more. */
  readonly closed: AbortSignal;
  /** Resolves when everything told is written. */
  flush(): Promise<void>;
}

/** `isPlain`: no colours, whatever the streams are. */
export function createTerminal(io: CommandIo, isPlain: boolean): Terminal {
  const closed = new AbortController();
  const mayColour = !isPlain && !io.env.NO_COLOR && io.env.TERM !== "dumb";
  const paintFor = (isTerminal: boolean) => (text: string, style: Style | undefined) =>
    mayColour && isTerminal && style !== undefined ? styleText(style, text, { validateStream: false }) : text;
  const paintError = paintFor(io.isTerminal.stderr);
  let lastTold: Promise<void> = Promise.resolve();
  // Errors come to the callbacks of the writes; without a listener they would end the process as well.
  io.stdout.on("error", (error) => isReaderGone(error) && closed.abort("nobody reads standard output any more"));
  io.stderr.on("error", () => undefined);
  return {
    print: (text) =>
      new Promise((resolve, reject) => {
        if (closed.signal.aborted || text === "") return resolve();
        io.stdout.write(text, (error) => (error == null || isReaderGone(error) ? resolve() : reject(error)));
      }),
    tell(text, style) {
      const line = `${paintError(visible(text, { keepLineBreaks: true }), style)}\n`;
      lastTold = new Promise((resolve) => io.stderr.write(line, () => resolve()));
    },
    paint: paintFor(io.isTerminal.stdout),
    closed: closed.signal,
    flush: () => lastTold,
  };
}

function isReaderGone(error: NodeJS.ErrnoException): boolean {
  return error.code === "EPIPE" || error.code === "ERR_STREAM_DESTROYED";
}
