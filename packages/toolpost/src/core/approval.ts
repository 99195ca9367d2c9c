// Asking people: what is asked, by whom it is carried, and what may be answered.
// Types and the two constructors a channel returns; waiting itself is the run's.

import type { Json } from "../std/json.ts";

/** A call that waits for approval, in words a person can check. */
export interface ApprovalQuestion {
  readonly kind: "approval";
  readonly tool: string;
  readonly description: string;
  /** As the model wrote them, whole. Frozen. */
  readonly arguments: Json;
  readonly callId: string;
  readonly runId: string;
  readonly user: { readonly id: string } | undefined;
}

/** A question a tool or an agent asks in the middle of its work. */
export interface OpenQuestion {
  readonly kind: "question";
  readonly tool: string;
  readonly question: string;
  readonly choices?: readonly string[];
  readonly callId: string;
  readonly runId: string;
}

/** What a channel is handed. A retried `send` gets the same `pauseId`. */
export interface Ask {
  readonly pauseId: string;
  readonly value: ApprovalQuestion | OpenQuestion;
}

/** The answer to an approval. `arguments` absent: as asked; given: an edit, also when `{}`. */
export interface ApprovalDecision {
  readonly decision: "approve" | "decline";
  readonly arguments?: Json;
  readonly comment?: string;
}

/** The answer to an open question. */
export interface QuestionReply {
  readonly reply: Json;
}

export type ChannelAnswer =
  | { readonly type: "await-reply" }
  | { readonly type: "decided"; readonly answer: ApprovalDecision | QuestionReply };

/** The channel has passed the question on; somebody answers later. */
export function awaitReply(): ChannelAnswer {
  return { type: "await-reply" };
}

/** The channel has the answer already. It is validated like one that came later. */
export function decided(answer: ApprovalDecision | QuestionReply): ChannelAnswer {
  return { type: "decided", answer };
}

/**
 * Carries a question to a person. `send` is called once per question and again, with the same id, after a crash;
 * it must be safe to call twice. Anything but `awaitReply()` and `decided(…)`, or a throw, fails the call.
 */
export interface Channel {
  readonly name: string;
  send(ask: Ask, about: { readonly signal: AbortSignal }): ChannelAnswer | Promise<ChannelAnswer>;
}

/** Something of a run that waits for a person. */
export interface PendingPause {
  /** Absent where a channel asks: there the id is the right to answer. */
  readonly pauseId?: string;
  readonly value: ApprovalQuestion | OpenQuestion;
}
