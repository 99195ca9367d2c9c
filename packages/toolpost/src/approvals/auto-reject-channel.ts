// A channel that says no to every call at once: for runs in which nothing that needs a person may happen.
// It must not make up answers to questions: they wait for a person.

import { type Ask, awaitReply, type Channel, type ChannelAnswer, decided } from "../core/approval.ts";

export interface AutoRejectOptions {
  /** Stands in each decision, for the model to read. */
  readonly comment?: string;
}

/** Declines every call. */
export class AutoRejectChannel implements Channel {
  readonly name = "auto-reject";
  readonly #comment: string | undefined;

  constructor({ comment }: AutoRejectOptions = {}) {
    this.#comment = comment;
  }

  send(ask: Ask): ChannelAnswer {
    if (ask.value.kind === "question") return awaitReply();
    return decided(
      this.#comment === undefined ? { decision: "decline" } : { decision: "decline", comment: this.#comment },
    );
  }
}
