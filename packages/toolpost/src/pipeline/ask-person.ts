// Waiting for a person: for approval of a call, or for the answer to a question its tool asked.
// The channel is asked in one step, then the branch pauses; nothing is held meanwhile. What people may answer is
// checked before it gets here.

import type {
  ApprovalDecision,
  ApprovalQuestion,
  Ask,
  ChannelAnswer,
  OpenQuestion,
  PendingPause,
  QuestionReply,
} from "../core/approval.ts";
import type { ToolCall } from "../core/call.ts";
import type { ToolAsk } from "../core/result.ts";
import type { Run } from "../core/run.ts";
import { randomId } from "../std/id.ts";
import { toJson } from "../std/json.ts";
import type { AdmittedCall } from "./admit-call.ts";
import type { CallScope } from "./call-scope.ts";

export type PersonAnswer<T> =
  | { readonly type: "answered"; readonly answer: T }
  | { readonly type: "expired" }
  | { readonly type: "closed" };

/** What a pause of a run holds: enough to show it, and to know which kind of answer it takes. */
export interface PausedAsk {
  readonly pauseId: string;
  readonly value: ApprovalQuestion | OpenQuestion;
  readonly isChannelAsked: boolean;
}

/** Asks for approval of a sealed call. */
export async function askApproval(
  run: Run,
  call: ToolCall,
  admitted: AdmittedCall,
  scope: CallScope,
): Promise<PersonAnswer<ApprovalDecision>> {
  const value: ApprovalQuestion = {
    kind: "approval",
    tool: admitted.tool.name,
    description: admitted.tool.description,
    arguments: admitted.wire,
    callId: call.callId,
    runId: scope.runId,
    user: scope.user === undefined ? undefined : { id: scope.user.id },
  };
  return askPerson<ApprovalDecision>(run, "approval", value, call, admitted, scope);
}

/** Asks what a tool wants to know. `round` counts the tool's questions in this call. */
export async function askQuestion(
  run: Run,
  round: number,
  question: ToolAsk,
  call: ToolCall,
  admitted: AdmittedCall,
  scope: CallScope,
): Promise<PersonAnswer<QuestionReply>> {
  const value: OpenQuestion = {
    kind: "question",
    tool: admitted.tool.name,
    question: question.question,
    ...(question.choices === undefined ? {} : { choices: question.choices }),
    callId: call.callId,
    runId: scope.runId,
  };
  return askPerson<QuestionReply>(run, `question${round}`, value, call, admitted, scope);
}

async function askPerson<T extends ApprovalDecision | QuestionReply>(
  run: Run,
  key: string,
  value: ApprovalQuestion | OpenQuestion,
  call: ToolCall,
  { tool }: AdmittedCall,
  scope: CallScope,
): Promise<PersonAnswer<T>> {
  if (scope.isEnding) return { type: "closed" };
  const { slots } = scope;
  scope.noteWaiting(call.callId);
  const ask: Ask = await run.step(`${key}:id`, () => ({ pauseId: randomId("pause_"), value }));
  const sent = await run.step(`${key}:send`, () => {
    scope.emit({
      type: "approval-request",
      callId: call.callId,
      tool: tool.name,
      source: tool.source,
      pause: pending(ask),
    });
    return slots.ask(ask, tool, scope.abort.signal);
  });
  const answer = sent.type === "decided" ? answered<T>(sent) : await pause<T>(run, key, ask, scope);
  const decision =
    answer.type === "answered"
      ? "decision" in answer.answer
        ? answer.answer.decision
        : "reply"
      : answer.type === "expired"
        ? "expire"
        : "decline";
  const isEdited = answer.type === "answered" && "arguments" in answer.answer && answer.answer.arguments !== undefined;
  scope.emit({
    type: "approval-decide",
    callId: call.callId,
    tool: tool.name,
    source: tool.source,
    decision,
    isEdited,
  });
  return answer;
}

function pending(ask: Ask): PendingPause {
  return { pauseId: ask.pauseId, value: ask.value };
}

function answered<T>(sent: ChannelAnswer & { type: "decided" }): PersonAnswer<T> {
  return { type: "answered", answer: sent.answer as T };
}

async function pause<T>(run: Run, key: string, ask: Ask, scope: CallScope): Promise<PersonAnswer<T>> {
  const { approvalExpiry } = scope.slots;
  const expiresAt = approvalExpiry === undefined ? undefined : (await run.now(`${key}:asked-at`)) + approvalExpiry;
  const data = toJson(ask);
  const outcome = await run.pause(key, {
    kind: ask.value.kind,
    data,
    ...(expiresAt === undefined ? {} : { expiresAt }),
  });
  return outcome.type === "answer" ? { type: "answered", answer: outcome.value as T } : outcome;
}

/**
 * The call with its arguments frozen: what is approved is what runs. A program's own object is not frozen under its
 * hands: the call goes on with a copy.
 */
export function sealCall(call: ToolCall, admitted: AdmittedCall): AdmittedCall {
  const wire = typeof call.input === "string" ? admitted.wire : structuredClone(admitted.wire);
  const input = admitted.input === admitted.wire ? wire : admitted.input;
  freeze(wire);
  freeze(input);
  return { ...admitted, wire, input };
}

/** Plain data only: instances (dates, class objects) are the schema library's own. */
function freeze(value: unknown): void {
  if (typeof value !== "object" || value === null || Object.isFrozen(value)) return;
  const prototype: unknown = Object.getPrototypeOf(value);
  if (prototype !== Object.prototype && prototype !== Array.prototype && prototype !== null) return;
  Object.freeze(value);
  for (const key of Object.keys(value)) freeze((value as Record<string, unknown>)[key]);
}
