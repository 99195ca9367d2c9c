// Lines typed at a terminal, read only while a question is open, so that between questions the input is free for
// others and does not keep the process alive.
// On a real terminal it must not give out what was typed before it was asked: that was no answer to this question.

import type { Interface } from "node:readline";

/** Reads lines of one input for one question after another. */
export class TerminalLines {
  readonly #input: NodeJS.ReadableStream & { readonly isTTY?: boolean };
  /** Lines that have come and nobody asked for yet. */
  readonly #ahead: string[] = [];
  #reader: Interface | undefined = undefined;
  #wake: (() => void) | undefined = undefined;

  constructor(input: NodeJS.ReadableStream) {
    this.#input = input;
  }

  /** Starts reading. Resolves when the question may be shown. */
  async open(): Promise<void> {
    // A stream that has ended would not say so again.
    if (this.#input.readable) this.#reader = this.#listen();
    if (this.#input.isTTY !== true) return;
    // What the terminal holds already arrives within a full turn of the event loop.
    for (let turn = 0; turn < 3; turn++) await new Promise<void>((resolve) => setImmediate(resolve));
    this.#ahead.length = 0;
  }

  /** The next line; `undefined` when the input ended or `close` was called. */
  async next(): Promise<string | undefined> {
    while (this.#ahead.length === 0 && this.#reader !== undefined) {
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
    return this.#ahead.shift();
  }

  /** Stops reading; `next` under way gives `undefined`. */
  close(): void {
    const reader = this.#reader;
    this.#reader = undefined;
    reader?.close();
    this.#wake?.();
  }

  #listen(): Interface {
    const reader = process.getBuiltinModule("node:readline").createInterface({ input: this.#input, terminal: false });
    reader.on("line", (line) => {
      this.#ahead.push(line);
      this.#wake?.();
    });
    // The input ended, or `close` was called.
    reader.on("close", () => {
      if (this.#reader === reader) this.close();
    });
    return reader;
  }
}
