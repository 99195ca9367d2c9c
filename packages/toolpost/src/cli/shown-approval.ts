// An approval in words: what is asked, with all of the arguments, and what became of it.
// It must not show a text of a model, a tool or a person raw, and must not cut arguments: somebody is about to approve them.

import type { ApprovalRecord } from "../app/app-runs.ts";
import type { ApprovalDecision, QuestionReply } from "../core/approval.ts";
import type { Json } from "../std/json.ts";
import { encodeJson } from "../std/json.ts";
import { visible } from "../std/text.ts";
import { shownJson, shownJsonLines } from "./shown-json.ts";
import { shownLine } from "./shown-line.ts";
import { shownMoment } from "./shown-time.ts";

/** All of it, a line each. */
export function approvalLines(record: ApprovalRecord, now: number): string[] {
  const { value, pauseId, runId, askedAt, expiresAt, isChannelAsked } = record;
  const tool = visible(value.tool);
  const waits = value.kind === "approval" ? `waits for approval of ${tool}` : `waits for an answer to ${tool}`;
  return [
    `${visible(pauseId)} ${record.state === "waiting" ? waits : `of ${tool}: ${outcomeText(record)}`}`,
    ...(value.kind === "approval" ? [`  ${visible(value.description)}`] : []),
    ...fields([
      ["run", runId],
      ["for user", value.kind === "approval" ? value.user?.id : record.ownerId],
      ["asked", shownMoment(askedAt, now)],
      ["asked by", isChannelAsked ? "a channel" : undefined],
      ["expires", expiresAt === undefined || record.state !== "waiting" ? undefined : shownMoment(expiresAt, now)],
      ["answered", record.answeredAt === undefined ? undefined : shownMoment(record.answeredAt, now)],
    ]),
    ...questionLines(record),
    ...editLines(record),
  ];
}

/** `approved by operator anna: "comment"`, `expired`; of one that waits `waits`. */
export function outcomeText(record: ApprovalRecord): string {
  const { state, answer, answeredBy } = record;
  if (state === "waiting") return "waits";
  if (state === "expired") return "expired, nobody answered in time";
  if (state === "closed") return "closed, the run no longer waits for it";
  const by = answererText(answeredBy);
  return answer?.type === "answer" ? answerText(answer.value, by) : `answered${by}`;
}

/** `approved with other arguments by operator anna: "comment"`. */
export function answerText(answer: Json | undefined, by: string): string {
  const given = (answer ?? {}) as unknown as ApprovalDecision | QuestionReply;
  if (!("decision" in given)) return `answered${by}: ${shownLine(replyText(given))}`;
  const word = given.decision === "approve" ? "approved" : "declined";
  const edit = given.arguments === undefined ? "" : " with other arguments";
  const comment = given.comment === undefined ? "" : `: ${shownJson(given.comment)}`;
  return `${word}${edit}${by}${comment}`;
}

/** Rows of a name and a value, those without a value left out. Values are made visible. */
export function fields(rows: readonly (readonly [string, string | undefined])[]): string[] {
  const known = rows.filter((row): row is readonly [string, string] => row[1] !== undefined);
  const width = Math.max(...known.map(([name]) => name.length));
  return known.map(([name, value]) => `  ${name.padEnd(width)}  ${shownLine(value)}`);
}

function questionLines({ value }: ApprovalRecord): string[] {
  if (value.kind === "approval")
    return ["  arguments", ...shownJsonLines(value.arguments).map((line) => `    ${line}`)];
  const choices = (value.choices ?? []).map((choice, index) => `    ${index + 1}. ${visible(choice)}`);
  return ["  question", `    ${visible(value.question)}`, ...(choices.length === 0 ? [] : ["  choices", ...choices])];
}

function editLines({ answer }: ApprovalRecord): string[] {
  const edit = answer?.type === "answer" ? (answer.value as unknown as ApprovalDecision).arguments : undefined;
  return edit === undefined ? [] : ["  approved with", ...shownJsonLines(edit).map((line) => `    ${line}`)];
}

function replyText({ reply }: QuestionReply): string {
  return typeof reply === "string" ? reply : encodeJson(reply ?? null);
}

/** ` by operator anna`; empty where nobody is on record. */
function answererText(answeredBy: ApprovalRecord["answeredBy"]): string {
  const by = (answeredBy ?? {}) as {
    readonly operator?: unknown;
    readonly answeredBy?: unknown;
    readonly ownerId?: unknown;
  };
  if (by.operator !== undefined) return ` by operator ${shownLine(String(by.operator))}`;
  if (by.answeredBy !== undefined) return ` by ${shownLine(String(by.answeredBy))}, whom a channel asked`;
  if (by.ownerId !== undefined) return ` by the run's owner ${shownLine(String(by.ownerId))}`;
  return "";
}
