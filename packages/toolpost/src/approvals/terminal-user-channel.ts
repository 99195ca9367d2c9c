// Asks the person at the terminal, one question after another, on standard error.
// It must not decide anything when nobody is there.

import { type Ask, awaitReply, type Channel, type ChannelAnswer } from "../core/approval.ts";
import { follow } from "../std/abort.ts";
import type { Terminal } from "./terminal-question.ts";

export interface TerminalUserOptions {
  /** Default: standard input. */
  readonly input?: NodeJS.ReadableStream;
  /** Default: standard error, so that standard output stays the program's own. */
  readonly output?: NodeJS.WritableStream;
  /** Whether a person sits there. Default: both streams are terminals. */
  readonly isTerminal?: boolean;
}

/**
 * Shows each call with its arguments and asks for yes, no (with a comment) or an edit; shows open questions with their
 * choices. Questions at once are asked in the order they came. Where nobody sits at a terminal, or its input ends, the
 * question waits for another way to be answered. An abort of the signal rejects with its reason.
 */
export class TerminalUserChannel implements Channel {
  readonly name = "terminal-user";
  readonly #options: TerminalUserOptions;
  #terminal: Terminal | undefined = undefined;
  /** Settles when the last question so far is done with. Never rejects. */
  #last: Promise<unknown> = Promise.resolve();

  constructor(options: TerminalUserOptions = {}) {
    this.#options = options;
  }

  async send(ask: Ask, { signal }: { readonly signal: AbortSignal }): Promise<ChannelAnswer> {
    // Looked at only now: a channel that is merely configured leaves the process's streams alone.
    const { input = process.stdin, output = process.stderr } = this.#options;
    if (!(this.#options.isTerminal ?? (isTty(input) && isTty(output)))) return awaitReply();
    const answer = this.#last.then(async () => {
      const { askOne, openTerminal } = await import("./terminal-question.ts");
      this.#terminal ??= openTerminal(input, output);
      return askOne(ask, this.#terminal, signal);
    });
    this.#last = answer.catch(() => undefined);
    return orAbort(answer, signal);
  }
}

/** The promise's outcome, or the abort's reason as soon as it comes: also for a question that is not shown yet. */
function orAbort<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const letGo = follow(signal, reject);
    promise.then(resolve, reject).finally(letGo);
  });
}

function isTty(stream: object): boolean {
  return (stream as { readonly isTTY?: unknown }).isTTY === true;
}
