// Waiting for a person: for approval of a call, or for the answer to a question its tool asked.
// The channel is asked in one step, then the branch pauses; nothing is held meanwhile. What people may answer is
// checked before it gets here.

import type {
  ApprovalDecision,
  ApprovalQuestion,
  OpenQuestion,
  PendingPause,
  QuestionReply,
} from "../core/approval.ts";
import type { ToolAsk } from "../core/result.ts";
import type { Run } from "../core/run.ts";
import { aborted, LazyAbort, unlessAborted } from "../std/abort.ts";
import { randomId } from "../std/id.ts";
import type { Json } from "../std/json.ts";
import { toJson } from "../std/json.ts";
import type { CallScope, SendAsk } from "./call-scope.ts";
import { freezeJson } from "./freeze-json.ts";
import type { AdmittedLiveCall } from "./live-call.ts";
import * as phrases from "./phrases.ts";

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

/** Asks for approval of a sealed call. `wire` are its arguments as the model wrote them. */
export async function askApproval(wire: Json, live: AdmittedLiveCall): Promise<PersonAnswer<ApprovalDecision>> {
  const { call, tool, scope } = live;
  const value: ApprovalQuestion = {
    kind: "approval",
    tool: tool.name,
    description: tool.description,
    arguments: wire,
    callId: call.callId,
    runId: scope.runId,
    user: scope.user === undefined ? undefined : { id: scope.user.id },
  };
  return askPerson<ApprovalDecision>("approval", value, live);
}

/** Asks what a tool wants to know. `round` counts the tool's questions in this call. */
export async function askQuestion(
  question: ToolAsk,
  round: number,
  live: AdmittedLiveCall,
): Promise<PersonAnswer<QuestionReply>> {
  const { call, tool, scope } = live;
  const value: OpenQuestion = {
    kind: "question",
    tool: tool.name,
    question: scope.slots.redact(question.question, true),
    ...(question.choices === undefined ? {} : { choices: question.choices }),
    callId: call.callId,
    runId: scope.runId,
  };
  return askPerson<QuestionReply>(`question${round}`, value, live);
}

async function askPerson<T extends ApprovalDecision | QuestionReply>(
  key: string,
  value: ApprovalQuestion | OpenQuestion,
  { run, call, tool, scope }: AdmittedLiveCall,
): Promise<PersonAnswer<T>> {
  if (scope.waits.aborted) return { type: "closed" };
  freezeJson(value);
  const send = scope.slots.senderFor(tool);
  const about = { runId: scope.runId, callId: call.callId, tool: tool.name, source: tool.source };
  const paused = await run.step(
    `${key}:id`,
    (): PausedAsk => ({ pauseId: randomId("pause_"), value, isChannelAsked: send !== undefined }),
  );
  const { approvalExpiry } = scope.slots;
  const expiresAt = approvalExpiry === undefined ? undefined : (await run.now(`${key}:asked-at`)) + approvalExpiry;
  // Where the run's owner answers, the pause stands before anybody hears of it: the answer may come at once.
  const waiting = send === undefined ? pause<T>(run, key, paused, expiresAt, scope) : undefined;
  scope.timePassed();
  scope.emit({ type: "approval-request", at: scope.now, ...about, pause: pendingPause(paused) });
  scope.noteWaiting(call.callId);
  const answer = await (waiting ?? askThrough<T>(run, key, paused, send, expiresAt, scope));
  scope.timePassed();
  scope.emit({ type: "approval-decide", at: scope.now, ...about, ...decisionOf(answer) });
  return answer;
}

/** What those who look at a run may know of a pause: where a channel asks, the id is the right to answer. */
export function pendingPause({ pauseId, value, isChannelAsked }: PausedAsk): PendingPause {
  return isChannelAsked ? { value } : { pauseId, value };
}

async function askThrough<T>(
  run: Run,
  key: string,
  paused: PausedAsk,
  send: SendAsk | undefined,
  expiresAt: number | undefined,
  scope: CallScope,
): Promise<PersonAnswer<T>> {
  return (await sendOut<T>(run, key, paused, send, expiresAt, scope)) ?? pause<T>(run, key, paused, expiresAt, scope);
}

/**
 * Asks through the channel; `undefined` where the answer is still to come. A channel is not waited for after the
 * approval expired or nobody may wait any more; an answer that comes later counts for nothing.
 */
async function sendOut<T>(
  run: Run,
  key: string,
  { pauseId, value }: PausedAsk,
  send: SendAsk | undefined,
  expiresAt: number | undefined,
  scope: CallScope,
): Promise<PersonAnswer<T> | undefined> {
  if (send === undefined) return undefined;
  const { clock } = scope.slots;
  const given = new LazyAbort();
  const letGo = scope.waits.onAbort((reason) => given.abort(reason));
  let isExpired = false;
  const expiry =
    expiresAt === undefined
      ? undefined
      : clock.schedule(Math.max(0, expiresAt - clock.now()), () => {
          isExpired = true;
          given.abort(phrases.APPROVAL_EXPIRED);
        });
  try {
    const sent = await unlessAborted(
      run.step(`${key}:send`, () => send(Object.freeze({ pauseId, value }), given.signal)),
      given,
    );
    if (sent === aborted) return { type: isExpired ? "expired" : "closed" };
    return sent.type === "decided" ? { type: "answered", answer: sent.answer as T } : undefined;
  } finally {
    expiry?.cancel();
    letGo();
  }
}

function decisionOf(answer: PersonAnswer<ApprovalDecision | QuestionReply>): {
  decision: "approve" | "decline" | "expire" | "reply";
  isEdited: boolean;
} {
  if (answer.type !== "answered")
    return { decision: answer.type === "expired" ? "expire" : "decline", isEdited: false };
  if (!("decision" in answer.answer)) return { decision: "reply", isEdited: false };
  return { decision: answer.answer.decision, isEdited: answer.answer.arguments !== undefined };
}

async function pause<T>(
  run: Run,
  key: string,
  paused: PausedAsk,
  expiresAt: number | undefined,
  scope: CallScope,
): Promise<PersonAnswer<T>> {
  if (scope.waits.aborted) return { type: "closed" };
  const outcome = await run.pause(key, {
    kind: paused.value.kind,
    data: toJson(paused),
    ...(expiresAt === undefined ? {} : { expiresAt }),
  });
  return outcome.type === "answer" ? { type: "answered", answer: outcome.value as T } : outcome;
}
