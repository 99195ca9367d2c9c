// A channel that says yes to every call at once: for tests, scripts and sandboxes nobody watches.
// It must not make up answers to questions: without a reply of its own it leaves them waiting.

import { type Ask, awaitReply, type Channel, type ChannelAnswer, decided } from "../core/approval.ts";
import type { Json } from "../std/json.ts";
import { checkAnswer } from "./check-answer.ts";

export interface AutoApproveOptions {
  /** Stands in each decision. */
  readonly comment?: string;
  /** The answer to every open question. Without one, and where it is none of the choices, questions wait for a person. */
  readonly reply?: Json;
}

/** Approves every call as asked. */
export class AutoApproveChannel implements Channel {
  readonly name = "auto-approve";
  readonly #options: AutoApproveOptions;

  constructor(options: AutoApproveOptions = {}) {
    this.#options = options;
  }

  send(ask: Ask): ChannelAnswer {
    const { comment, reply } = this.#options;
    if (ask.value.kind === "question") {
      const fits = reply !== undefined && checkAnswer({ reply }, ask.value).ok;
      return fits ? decided({ reply }) : awaitReply();
    }
    return decided(comment === undefined ? { decision: "approve" } : { decision: "approve", comment });
  }
}
