// What a person or a channel answered, looked at before anything acts on it.
// It must not guess: whatever is not exactly an answer of the asked kind is refused with what to write instead.

import type { ApprovalDecision, ApprovalQuestion, OpenQuestion, QuestionReply } from "../core/approval.ts";
import { type Json, toJson } from "../std/json.ts";

export type QuestionKind = (ApprovalQuestion | OpenQuestion)["kind"];

/** What was asked, as far as an answer must fit it. */
export interface Asked {
  readonly kind: QuestionKind;
  readonly choices?: readonly string[];
}

export type CheckedAnswer =
  | { readonly ok: true; readonly answer: ApprovalDecision | QuestionReply }
  | { readonly ok: false; readonly problem: string };

/**
 * The answer as a copy that the giver cannot change any more, or why it is none. Never throws.
 *
 * - to an approval: `decision` is `approve` or `decline`; `arguments`, where given, any JSON value; `comment` a text
 * - to a question: `reply` is one of its `choices`; without any it is any JSON value
 *
 * A field that is `undefined` counts as absent; `arguments` that are `{}` or `null` are an edit. Other fields are refused.
 */
export function checkAnswer(answer: unknown, { kind, choices = [] }: Asked): CheckedAnswer {
  try {
    if (typeof answer !== "object" || answer === null || Array.isArray(answer))
      return refused(`expected ${shapes[kind]}`);
    const fields: Fields = { ...answer };
    const stranger = Object.keys(fields).find((key) => !allowed[kind].includes(key));
    if (stranger !== undefined) return refused(`\`${stranger}\` is not part of the answer: expected ${shapes[kind]}`);
    return kind === "approval" ? checkDecision(fields) : checkReply(fields, choices);
  } catch {
    return refused(`it cannot be read: expected ${shapes[kind]}`);
  }
}

type Fields = Readonly<Record<string, unknown>>;

const allowed: Readonly<Record<QuestionKind, readonly string[]>> = {
  approval: ["decision", "arguments", "comment"],
  question: ["reply"],
};

const shapes: Readonly<Record<QuestionKind, string>> = {
  approval: '`{ decision: "approve" | "decline", arguments?, comment? }`',
  question: "`{ reply }`",
};

function checkDecision({ decision, arguments: edit, comment }: Fields): CheckedAnswer {
  if (decision !== "approve" && decision !== "decline") return refused(`expected ${shapes.approval}`);
  if (comment !== undefined && typeof comment !== "string") return refused("`comment` must be a text");
  if (edit !== undefined && !isJson(edit)) return refused(notJson("arguments"));
  const answer: ApprovalDecision = {
    decision,
    ...(edit === undefined ? {} : { arguments: structuredClone(edit) }),
    ...(comment === undefined ? {} : { comment }),
  };
  return { ok: true, answer };
}

function checkReply({ reply }: Fields, choices: readonly string[]): CheckedAnswer {
  if (reply === undefined) return refused(`expected ${shapes.question}`);
  if (choices.length > 0 && !choices.includes(reply as string))
    return refused(`\`reply\` must be one of the choices: ${choices.map((choice) => `\`${choice}\``).join(", ")}`);
  return isJson(reply) ? { ok: true, answer: { reply: structuredClone(reply) } } : refused(notJson("reply"));
}

/** Only JSON data comes back as itself; anything else would be approved in one form and run in another. */
function isJson(value: unknown): value is Json {
  return toJson(value) === value;
}

function notJson(field: string): string {
  return `\`${field}\` must be JSON data: plain objects, lists, texts, finite numbers, true, false, null`;
}

function refused(problem: string): CheckedAnswer {
  return { ok: false, problem };
}
