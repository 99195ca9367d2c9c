// The answer to a pause, and who may give it: looked at before anything acts on it, wherever the run is kept.
// Whoever has no right to a pause learns nothing of it: to a stranger there is none.

import { checkAnswer } from "../approvals/check-answer.ts";
import { ToolpostError } from "../core/errors.ts";
import type { Answer } from "../core/run.ts";
import type { PausedAsk } from "../pipeline/ask-person.ts";
import type { Json } from "../std/json.ts";
import { toJson } from "../std/json.ts";

/** The answer to a pause: a decision on an approval, or a reply to a question. */
export type PauseAnswer =
  | {
      readonly pauseId: string;
      readonly decision: "approve" | "decline";
      readonly arguments?: Json;
      readonly comment?: string;
    }
  | { readonly pauseId: string; readonly reply: Json };

/**
 * Who answers: the owner of the run; whoever a channel asked, by any name to put on record; or an operator of the
 * application, who may answer everything. Which of them somebody is, is for the caller to know.
 */
export type PauseAnswerer =
  | { readonly ownerId?: string }
  | { readonly answeredBy: string }
  | { readonly operator: string };

/** What is stored of an answer, checked. */
export interface TakenAnswer {
  readonly value: Json;
  readonly answeredBy: Json;
}

/**
 * Checks an answer to a pause. Throws `approval.unknown-pause`, `approval.wrong-answerer` or
 * `approval.invalid-answer`; the pause stays as it is.
 */
export function takeAnswer(paused: PausedAsk, answer: PauseAnswer, by: PauseAnswerer): TakenAnswer {
  const { pauseId, ...given } = answer;
  checkAnswerer(paused, by);
  const checked = checkAnswer(given, paused.value);
  if (checked.ok) return { value: toJson(checked.answer), answeredBy: toJson({ ...by }) };
  const message = `the answer to \`${pauseId}\` cannot be used: ${checked.problem}`;
  throw new ToolpostError("approval.invalid-answer", message);
}

function checkAnswerer({ pauseId, isChannelAsked, ownerId }: PausedAsk, by: PauseAnswerer): void {
  if (typeof by !== "object" || by === null)
    throw new ToolpostError(
      "approval.wrong-answerer",
      "say who answers: `{ ownerId }`, `{ answeredBy }` or `{ operator }`",
    );
  if ("operator" in by) {
    if (typeof by.operator === "string" && by.operator !== "") return;
    throw new ToolpostError("approval.wrong-answerer", "say who the operator is: `operator` is the name put on record");
  }
  if (isChannelAsked) {
    if ("answeredBy" in by && typeof by.answeredBy === "string" && by.answeredBy !== "") return;
    throw new ToolpostError(
      "approval.wrong-answerer",
      `a channel asked for the pause \`${pauseId}\`: say who answers by \`answeredBy\``,
    );
  }
  // A run without a user is nobody's: whoever names an owner is not its own.
  if (!("answeredBy" in by) && ownerId === by.ownerId) return;
  throw unknownPause(pauseId);
}

/** The id of an answer. Throws `approval.unknown-pause` for one that is none: nothing else may be found by it. */
export function idOf(answer: PauseAnswer): string {
  const pauseId: unknown = (answer as PauseAnswer | null | undefined)?.pauseId;
  if (typeof pauseId === "string" && pauseId !== "") return pauseId;
  throw unknownPause(String(pauseId));
}

export function unknownPause(pauseId: string): ToolpostError {
  return new ToolpostError("approval.unknown-pause", `there is no waiting pause \`${pauseId}\``);
}

/** Why a pause takes no answer any more. */
export function tooLate(pauseId: string, why: Answer["type"]): ToolpostError {
  if (why === "closed") return unknownPause(pauseId);
  if (why === "answer")
    return new ToolpostError("approval.already-answered", `the pause \`${pauseId}\` is already answered`);
  return new ToolpostError("approval.expired", `the pause \`${pauseId}\` has expired: nothing was run`);
}
