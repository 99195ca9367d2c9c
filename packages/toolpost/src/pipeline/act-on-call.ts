// What becomes of a call that may happen: executed until its tool asks nothing more, run as a run of its own, or found
// interrupted by a crash. Execution and result are one step: a journal that holds the one holds the other.

import type { ToolAsk, ToolResult } from "../core/result.ts";
import { isToolAsk } from "../core/result.ts";
import type { Work } from "../core/run.ts";
import { RunError } from "../core/run-errors.ts";
import type { Soon } from "../std/soon.ts";
import { isPromiseLike } from "../std/soon.ts";
import { askInterrupted, askQuestion } from "./ask-person.ts";
import { outcomeOfChild } from "./call-child.ts";
import { notifyHooks } from "./call-hooks.ts";
import type { ActEnd, Ending, Outcome } from "./ending.ts";
import { cutOff, executeInSlot, outcomeUnknown, takeCall } from "./execute-in-slot.ts";
import { canBeRepeated, readAct, writeAct } from "./journal-call.ts";
import type { AdmittedLiveCall } from "./live-call.ts";
import { nextInCall } from "./live-call.ts";
import * as phrases from "./phrases.ts";
import { readOutcome } from "./read-outcome.ts";
import { settleCall } from "./settle-call.ts";

/** A tool that keeps asking is a loop. */
const MOST_QUESTIONS = 20;

/** Executes until the tool returns something other than a question. `round` counts its questions. */
export function act(round: number, live: AdmittedLiveCall): Soon<ToolResult> {
  if (round > MOST_QUESTIONS) {
    const text = phrases.toolError(`the tool asked more than ${MOST_QUESTIONS} questions`);
    return settleCall({ status: "failed", errorCode: "tool.failed", text }, live);
  }
  if (live.tool.flow !== undefined) return actAsChild(live);
  const end = live.run.perform(round === 0 ? "act" : `act${round}`, actStep, live);
  return isPromiseLike(end) ? end.then((settled) => afterAct(settled, round, live)) : afterAct(end, round, live);
}

/** Execution and result are one: a journal that holds the one holds the other. */
const actStep: Work<ActEnd, AdmittedLiveCall> = {
  perform: (live) => nextInCall(nextInCall(executeInSlot(live), endOfAct, live), ended, live),
  write: writeAct,
  read: readAct,
  interrupted: ({ tool }) => (canBeRepeated(tool) ? undefined : () => ({ interrupted: true })),
};

function ended(end: ActEnd, live: AdmittedLiveCall): ActEnd {
  live.end = end;
  live.isSettled = true;
  return end;
}

function endOfAct(outcome: Outcome | Ending, live: AdmittedLiveCall): Soon<ActEnd> {
  if ("status" in outcome) return settleCall(outcome, live);
  if (outcome.type === "returned" && isToolAsk(outcome.value)) return { question: outcome.value };
  if (outcome.type === "threw") reportThrown(outcome.error, live);
  return nextInCall(readOutcome(outcome, live), settleCall, live);
}

function afterAct(end: ActEnd, round: number, live: AdmittedLiveCall): Soon<ToolResult> {
  if ("status" in end) return end;
  return "question" in end ? actOnAnswer(end.question, round, live) : settleInterrupted(round, live);
}

/** A call that is a run of its own: counted, started, waited for, and then read like the outcome of any other tool. */
async function actAsChild(live: AdmittedLiveCall): Promise<ToolResult> {
  const started = await live.run.perform("start", startStep, live);
  if ("status" in started) return started;
  live.scope.timePassed();
  live.outcome = await outcomeOfChild("order" in started ? started.order : null, live);
  const end = await live.run.perform("act", childStep, live);
  return "status" in end ? end : settleInterrupted(0, live);
}

const startStep: Work<ActEnd, AdmittedLiveCall> = {
  perform: (live) => nextInCall(startChild(live), ended, live),
  write: writeAct,
  read: readAct,
};

function startChild(live: AdmittedLiveCall): Soon<ActEnd> {
  const { tool, input, scope } = live;
  const isOver = scope.abort.aborted || scope.failure !== undefined;
  const refusal = isOver ? cutOff(live) : takeCall(live);
  if (refusal !== undefined) return settleCall(refusal, live);
  const order = scope.childOrder(tool, input);
  if (order !== undefined) return { order };
  return settleCall({ status: "failed", errorCode: "agent.needs-run", text: phrases.needsRun(tool.flow ?? "") }, live);
}

const childStep: Work<ActEnd, AdmittedLiveCall> = {
  perform: (live) => nextInCall(endOfAct(live.outcome as Outcome, live), ended, live),
  write: writeAct,
  read: readAct,
};

async function actOnAnswer(question: ToolAsk, round: number, live: AdmittedLiveCall): Promise<ToolResult> {
  const reply = await askQuestion(question, round, live);
  if (reply.type !== "answered") return settleCall(unanswered(reply.type, live), live);
  live.scope.timePassed();
  live.reentry = { answer: reply.answer.reply, state: question.state };
  return act(round + 1, live);
}

function unanswered(why: "expired" | "closed" | "gone", { isCancelled, scope: { abort } }: AdmittedLiveCall): Ending {
  if (why === "expired") return { status: "declined", errorCode: "approval.expired", text: phrases.APPROVAL_EXPIRED };
  return isCancelled
    ? { status: "cancelled", errorCode: "call.cancelled", text: phrases.cancelled(abort.reason) }
    : { status: "declined", errorCode: "approval.declined", text: phrases.declined(undefined, undefined) };
}

/** The process ended while the tool was at it, and it may not be run twice: a person, the model, or nobody goes on. */
async function settleInterrupted(round: number, live: AdmittedLiveCall): Promise<ToolResult> {
  const { tool } = live;
  if (!live.hasStarted) live.start();
  if (tool.onUnknown === "fail") live.fail(new RunError("tool.outcome-unknown", phrases.interrupted(tool.name)), true);
  if (tool.onUnknown !== "ask") return settleCall(outcomeUnknown, live);
  const reply = await askInterrupted(round, live);
  if (reply.type !== "answered") return settleCall(outcomeUnknown, live);
  live.scope.timePassed();
  if (reply.answer.reply === phrases.RUN_AGAIN) return act(round + 1, live);
  if (reply.answer.reply !== phrases.IT_HAPPENED) return settleCall(outcomeUnknown, live);
  return settleCall({ status: "ok", text: phrases.CONFIRMED, value: phrases.CONFIRMED }, live);
}

function reportThrown(error: unknown, live: AdmittedLiveCall): void {
  void notifyHooks("onToolError", live, { error });
  const { call, tool, scope } = live;
  scope.slots.log({
    level: "error",
    message: `\`${tool.name}\` threw`,
    error,
    data: { runId: scope.runId, callId: call.callId },
  });
}
