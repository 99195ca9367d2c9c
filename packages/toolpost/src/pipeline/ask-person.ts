// Waiting for a person: for approval of a call, for the answer to a question its tool asked, for word of what a crash left.
// The id and the expiry are made first, in a step; a channel is asked in another; then the branch pauses, and nothing is
// held meanwhile. What people may answer is checked before it gets here.

import type {
  ApprovalDecision,
  ApprovalQuestion,
  OpenQuestion,
  PendingPause,
  QuestionReply,
} from "../core/approval.ts";
import type { ToolAsk } from "../core/result.ts";
import type { Answer, Task, Work } from "../core/run.ts";
import { aborted, LazyAbort, unlessAborted } from "../std/abort.ts";
import { randomId } from "../std/id.ts";
import type { Json } from "../std/json.ts";
import { toJson } from "../std/json.ts";
import type { Soon } from "../std/soon.ts";
import { isPromiseLike } from "../std/soon.ts";
import type { AdmittedCall } from "./admit-call.ts";
import type { Sender } from "./call-scope.ts";
import { freezeJson } from "./freeze-json.ts";
import type { AdmittedLiveCall } from "./live-call.ts";
import * as phrases from "./phrases.ts";

export type PersonAnswer<T> =
  | { readonly type: "answered"; readonly answer: T; readonly binding: string }
  | { readonly type: "expired" }
  | { readonly type: "closed" }
  /** The tool is not there any more: nobody is asked about it. */
  | { readonly type: "gone" };

/** What a pause of a run holds: enough to show it, and to know who may answer it and by which kind of answer. */
export interface PausedAsk {
  readonly pauseId: string;
  readonly value: ApprovalQuestion | OpenQuestion;
  readonly isChannelAsked: boolean;
  /** Of the run. */
  readonly ownerId: string | undefined;
  /** Epoch milliseconds. */
  readonly askedAt: number;
  /** What an approval stands for; empty for a question. */
  readonly binding: string;
}

/** Asks for approval of a sealed call. `round` counts how often it is asked anew. */
export async function askApproval(
  { wire }: AdmittedCall,
  round: number,
  live: AdmittedLiveCall,
): Promise<PersonAnswer<ApprovalDecision>> {
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
  const key = `approval${round === 0 ? "" : round}`;
  return askPerson<ApprovalDecision>(key, { value, binding: () => bindingOf(wire, live) }, live);
}

function bindingOf(wire: Json, { tool, scope }: AdmittedLiveCall): string {
  return scope.slots.bindingOf(tool, wire, scope.user?.id);
}

/** Asks what a tool wants to know. `round` counts the tool's questions in this call. */
export async function askQuestion(
  question: ToolAsk,
  round: number,
  live: AdmittedLiveCall,
): Promise<PersonAnswer<QuestionReply>> {
  const value = openQuestion(live.scope.slots.redact(question.question, true), question.choices, live);
  return askPerson<QuestionReply>(`question${round}`, { value, binding: () => "" }, live);
}

/** Asks what became of a call that a crash interrupted. */
export async function askInterrupted(round: number, live: AdmittedLiveCall): Promise<PersonAnswer<QuestionReply>> {
  const choices = [phrases.IT_HAPPENED, phrases.RUN_AGAIN, phrases.NOBODY_KNOWS];
  const value = openQuestion(phrases.whatHappened(live.tool.name), choices, live);
  return askPerson<QuestionReply>(`unknown${round}`, { value, binding: () => "" }, live);
}

function openQuestion(
  question: string,
  choices: readonly string[] | undefined,
  { call, tool, scope }: AdmittedLiveCall,
): OpenQuestion {
  return {
    kind: "question",
    tool: tool.name,
    question,
    ...(choices === undefined ? {} : { choices }),
    callId: call.callId,
    runId: scope.runId,
  };
}

interface Asking {
  readonly value: ApprovalQuestion | OpenQuestion;
  readonly binding: () => string;
}

/** What is made once for an ask, before anybody hears of it. */
interface Asked {
  readonly pauseId: string;
  readonly isChannelAsked: boolean;
  readonly binding: string;
  readonly askedAt: number;
  readonly expiresAt?: number;
  /** The tool is not there any more: nobody is asked. */
  readonly isGone?: boolean;
}

async function askPerson<T extends ApprovalDecision | QuestionReply>(
  key: string,
  { value, binding }: Asking,
  live: AdmittedLiveCall,
): Promise<PersonAnswer<T>> {
  const { run, call, view, tool, scope } = live;
  freezeJson(value);
  const sender = scope.slots.senderFor(tool);
  const { approvalExpiry, clock } = scope.slots;
  const asked = await run.step(`${key}:ask`, (): Soon<Asked> => {
    const askedAt = clock.now();
    const nobody = { pauseId: "", isChannelAsked: false, binding: "", askedAt };
    if (view.known(call.tool) === undefined) return scope.untilToolsAreBack() ?? { ...nobody, isGone: true };
    const made = { pauseId: randomId("pause_"), isChannelAsked: sender !== undefined, binding: binding(), askedAt };
    return approvalExpiry === undefined ? made : { ...made, expiresAt: askedAt + approvalExpiry };
  });
  const { expiresAt, isGone, ...made } = asked;
  if (isGone === true) return { type: "gone" };
  if (scope.waits.aborted) return { type: "closed" };
  const paused: PausedAsk = { ...made, value, ownerId: scope.ownerId };
  const request = { kind: value.kind, data: toJson(paused), id: paused.pauseId };
  // The pause stands before anybody hears of it: the answer may come at once, also from others than those who are asked.
  const waiting = run.pause(key, expiresAt === undefined ? request : { ...request, expiresAt });
  const shown = run.perform(`${key}:shown`, shownStep, undefined);
  if (isPromiseLike(shown)) await shown;
  run.noteWaiting();
  scope.timePassed();
  const about = { runId: scope.runId, callId: call.callId, tool: tool.name, source: tool.source };
  live.emit({ type: "approval-request", at: scope.now, ...about, pause: pendingPause(paused) });
  const came = made.isChannelAsked ? await askThrough(sender, waiting, { key, paused, live }) : await waiting;
  const answer: PersonAnswer<T> =
    came.type === "answer" ? { type: "answered", answer: came.value as unknown as T, binding: paused.binding } : came;
  scope.timePassed();
  live.emit({ type: "approval-decide", at: scope.now, ...about, ...decisionOf(answer) });
  return answer;
}

/** Behind the pause in the journal: once it is there, the pause is. */
const shownStep: Work<null, undefined> = { perform: () => null };

interface PersonAsk {
  readonly key: string;
  readonly paused: PausedAsk;
  readonly live: AdmittedLiveCall;
}

/** What those who look at a run may know of a pause: where a channel asks, the id is the right to answer. */
export function pendingPause({ pauseId, value, isChannelAsked }: PausedAsk): PendingPause {
  return isChannelAsked ? { value } : { pauseId, value };
}

/** What a channel's step came to. Who decided is part of it: on replay the channel may have another name, or none. */
type Sent =
  | { readonly type: "decided"; readonly answer: Json; readonly channel: string }
  | { readonly type: "await-reply" };

/** Whoever is first has the word: the channel, whoever else may answer, the expiry, or the end of the run. */
async function askThrough(sender: Sender | undefined, waiting: Task<Answer>, ask: PersonAsk): Promise<Answer> {
  const { key, live } = ask;
  const { run } = live;
  const settled = new LazyAbort();
  const sent = run.step(`${key}:send`, () => sendOut(sender, settled, ask));
  const first = await run.next<Answer | Sent>([waiting, sent]);
  if (first.index === 0) settled.abort("somebody else has answered, or nobody may any more");
  else if (!first.ok) await run.settlePause(`${key}:failed`, key, { type: "closed" });
  else if (first.value.type === "decided") {
    const { answer: value, channel } = first.value;
    await run.settlePause(`${key}:decided`, key, { type: "answer", value }, { channel });
  }
  const answer = await waiting;
  // Throws what the channel threw, where nobody else was first.
  if (first.index === 1 && !first.ok && answer.type === "closed") await sent;
  return answer;
}

/** Asks through the channel. It is not waited for once the pause is settled or the run has ended. */
async function sendOut(sender: Sender | undefined, settled: LazyAbort, { paused, live }: PersonAsk): Promise<Sent> {
  // The channel that was to ask is no longer there: whoever has the id may still answer.
  if (sender === undefined) return { type: "await-reply" };
  const { scope } = live;
  const given = new LazyAbort();
  const ends = [settled, scope.waits, scope.abort];
  if (ends.some((each) => each.aborted)) return { type: "await-reply" };
  const letGo = ends.map((each) => each.onAbort((reason) => given.abort(reason)));
  try {
    const { pauseId, value } = paused;
    const sent = await unlessAborted(sender.send(Object.freeze({ pauseId, value }), given.signal), given);
    if (sent === aborted || sent.type !== "decided") return { type: "await-reply" };
    return { type: "decided", answer: toJson(sent.answer), channel: sender.channel };
  } finally {
    for (const each of letGo) each();
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
