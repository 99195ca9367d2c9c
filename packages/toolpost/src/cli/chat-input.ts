// Messages of a conversation as a person types them, or as lines that another program sends.
// At a terminal it reads only while a message is wanted, so that questions in between have the input to themselves.
// A paste of several lines must not become several messages.

import { createInterface, type Interface, type Key } from "node:readline";
import { follow } from "../std/abort.ts";
import type { CommandIo } from "./command-io.ts";

/** `interrupt`: Ctrl-C at an empty prompt, or a signal to end. */
export type ChatTurn =
  | { readonly kind: "message"; readonly text: string }
  | { readonly kind: "end" }
  | { readonly kind: "interrupt" };

export class ChatInput {
  readonly #io: CommandIo;
  readonly #prompt: string;
  /** With cursor keys and a history: a real terminal, not a stream that stands for one. */
  readonly #isEdited: boolean;
  /** Lines that have come and are part of no message yet. */
  readonly #ahead: Line[] = [];
  #history: string[] = [];
  #reader: Interface | undefined = undefined;
  #isEnded = false;
  #isPasting = false;
  #isInterrupted = false;
  #wake: (() => void) | undefined = undefined;

  constructor(io: CommandIo, prompt: string) {
    this.#io = io;
    this.#prompt = prompt;
    this.#isEdited = (io.stdin as { isTTY?: boolean }).isTTY === true && io.env.TERM !== "dumb";
  }

  /** The next message. A line that ends with a backslash goes on in the next one. */
  async next(): Promise<ChatTurn> {
    const { interrupt, isTerminal } = this.#io;
    const letGo = interrupt === undefined ? undefined : follow(interrupt, () => this.#interrupt());
    try {
      this.#open();
      this.#ask(this.#prompt);
      const turn = await this.#message();
      if (turn.kind !== "message" && isTerminal.stdin) this.#io.stderr.write("\n");
      return turn;
    } finally {
      letGo?.();
      // What another program sends comes in pieces of its own: a reader let go would lose what it holds.
      if (isTerminal.stdin) this.close();
    }
  }

  /** Lets go of standard input. */
  close(): void {
    const reader = this.#reader;
    this.#reader = undefined;
    if (reader === undefined) return;
    if (this.#isEdited) this.#io.stderr.write(pasteMode.off);
    reader.close();
  }

  async #message(): Promise<ChatTurn> {
    let parts: string[] = [];
    for (;;) {
      while (this.#ahead.length === 0 && !this.#isEnded && !this.#isInterrupted)
        await new Promise<void>((resolve) => {
          this.#wake = resolve;
        });
      if (this.#isInterrupted) {
        this.#isInterrupted = false;
        if (parts.length === 0 || this.#io.interrupt?.aborted === true) return { kind: "interrupt" };
        parts = [];
        this.#ask(this.#prompt);
        continue;
      }
      const line = this.#ahead.shift();
      if (line === undefined) return parts.length === 0 ? { kind: "end" } : { kind: "message", text: parts.join("\n") };
      const goesOn = !line.isPasted && /(?<!\\)\\$/.test(line.text);
      parts.push(goesOn ? line.text.slice(0, -1) : line.text);
      if (!goesOn && !line.isPasted) return { kind: "message", text: parts.join("\n") };
      this.#ask("… ");
    }
  }

  #ask(prompt: string): void {
    if (!this.#io.isTerminal.stdin) return;
    if (!this.#isEdited) return void this.#io.stderr.write(prompt);
    this.#reader?.setPrompt(prompt);
    this.#reader?.prompt();
  }

  #interrupt(): void {
    this.#isInterrupted = true;
    this.#wake?.();
  }

  #open(): void {
    const { stdin, stderr } = this.#io;
    // A stream that has ended would not say so again.
    if (!stdin.readable) this.#isEnded = true;
    if (this.#reader !== undefined || this.#isEnded) return;
    const reader = createInterface(
      this.#isEdited
        ? {
            input: stdin,
            output: stderr,
            terminal: true,
            history: [...this.#history],
            crlfDelay: Number.POSITIVE_INFINITY,
          }
        : { input: stdin, terminal: false, crlfDelay: Number.POSITIVE_INFINITY },
    );
    this.#reader = reader;
    reader.on("line", (text) => {
      this.#ahead.push({ text, isPasted: this.#isPasting });
      this.#wake?.();
    });
    reader.on("history", (history) => {
      this.#history = history;
    });
    // The input ended; a reader that `close` let go of is no longer ours.
    reader.on("close", () => {
      if (this.#reader !== reader) return;
      this.#isEnded = true;
      this.close();
      this.#wake?.();
    });
    if (this.#isEdited) this.#watchKeys(reader);
  }

  /** What only a terminal sends: Ctrl-C as a key, and marks around what is pasted. */
  #watchKeys(reader: Interface): void {
    const { stdin, stderr } = this.#io;
    const onKey = (_text: string | undefined, { name }: Key): void => {
      if (name === "paste-start") this.#isPasting = true;
      if (name === "paste-end") this.#isPasting = false;
    };
    // Before the reader's own listener, which makes lines of the same keys.
    stdin.prependListener("keypress", onKey);
    reader.on("close", () => stdin.off("keypress", onKey));
    reader.on("SIGINT", () => {
      if (reader.line === "") return this.#interrupt();
      // As a shell does: what was typed is dropped, and typing begins anew.
      stderr.write("^C\n");
      reader.write(null, { ctrl: true, name: "e" });
      reader.write(null, { ctrl: true, name: "u" });
    });
    stderr.write(pasteMode.on);
  }
}

interface Line {
  readonly text: string;
  /** More of the same paste follows. */
  readonly isPasted: boolean;
}

/** Asks the terminal to mark what is pasted: "bracketed paste" of xterm and all that came after it. */
const pasteMode = { on: "\x1b[?2004h", off: "\x1b[?2004l" } as const;
