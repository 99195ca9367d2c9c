// What a channel's `send` gave back, looked at before anything acts on it.
// It must not wait for anything: a Promise is no answer, its caller awaits it first.

import { awaitReply, type ChannelAnswer, decided } from "../core/approval.ts";
import { type Asked, checkAnswer } from "./check-answer.ts";

export type CheckedChannelAnswer =
  | { readonly ok: true; readonly answer: ChannelAnswer }
  | { readonly ok: false; readonly problem: string };

/**
 * A copy of what `awaitReply()` or `decided(…)` made, or why the value is neither. Never throws.
 * @param asked what was asked; without it the answer may be one to either kind.
 */
export function checkChannelAnswer(value: unknown, asked?: Asked): CheckedChannelAnswer {
  try {
    if (typeof value !== "object" || value === null) return refused;
    const { type, answer } = value as { readonly type?: unknown; readonly answer?: unknown };
    if (type === "await-reply") return { ok: true, answer: awaitReply() };
    if (type !== "decided") return refused;
    const checked = checkAnswer(answer, asked ?? { kind: kindOf(answer) });
    return checked.ok ? { ok: true, answer: decided(checked.answer) } : checked;
  } catch {
    return refused;
  }
}

const refused: CheckedChannelAnswer = {
  ok: false,
  problem: "`send` must return `awaitReply()` or `decided(…)`, or a Promise of one",
};

function kindOf(answer: unknown): Asked["kind"] {
  return typeof answer === "object" && answer !== null && "reply" in answer ? "question" : "approval";
}
