// The governed call: approval, bound of concurrency, deadline, execution, result. Straight code in its own branch.
// Nobody else executes tools. It never rejects: whatever happens is the result, and what must end the run is
// told to the scope.

import type { ToolCall } from "../core/call.ts";
import type { Catalog } from "../core/catalog.ts";
import { runInContext } from "../core/current-context.ts";
import type { AgentEvent } from "../core/event.ts";
import type { ToolAsk, ToolResult } from "../core/result.ts";
import { isToolAsk } from "../core/result.ts";
import type { Run, Work } from "../core/run.ts";
import { BudgetExceededError, LimitExceededError, RunError } from "../core/run-errors.ts";
import type { AnyTool } from "../core/tool.ts";
import { unlessAborted } from "../std/abort.ts";
import type { Json } from "../std/json.ts";
import { encodeJson, parseJson } from "../std/json.ts";
import { lazyField } from "../std/lazy-field.ts";
import type { Soon } from "../std/soon.ts";
import { isPromiseLike } from "../std/soon.ts";
import type { Admission, AdmittedCall, Refusal } from "./admit-call.ts";
import { admitApproved, admitCall, admitEdit, notStarted } from "./admit-call.ts";
import { askApproval, askInterrupted, askQuestion } from "./ask-person.ts";
import { outcomeOfChild } from "./call-child.ts";
import { CallContext } from "./call-context.ts";
import { notifyHooks } from "./call-hooks.ts";
import type { CallScope } from "./call-scope.ts";
import type { ActEnd, Ending, Outcome } from "./ending.ts";
import { executeTool } from "./execute-tool.ts";
import { freezeJson } from "./freeze-json.ts";
import { readAct, readAdmission, writeAct, writeAdmission } from "./journal-call.ts";
import type { AdmittedLiveCall } from "./live-call.ts";
import { LiveCall, nextInCall } from "./live-call.ts";
import { maskOrWithhold } from "./mask-or-withhold.ts";
import * as phrases from "./phrases.ts";
import { readOutcome } from "./read-outcome.ts";
import { settleCall } from "./settle-call.ts";

/** A tool that keeps asking is a loop. */
const MOST_QUESTIONS = 20;

/**
 * Decides and makes one call of the tools visible in this step, in the branch `run`: from what the model wrote to the
 * one result it reads. At once where everything it calls is synchronous.
 */
export function callTool(run: Run, call: ToolCall, view: Catalog, scope: CallScope): Soon<ToolResult> {
  const live = new LiveCall(run, call, view, scope);
  return runInContext(live.context, decide, live);
}

function decide(live: LiveCall): Soon<ToolResult> {
  return nextInCall(live.run.perform("decide", decideStep, live), goOn, live);
}

const decideStep: Work<Admission, LiveCall> = {
  perform: (live) => nextInCall(admitCall(live.call, live.view, live.scope), decided, live),
  write: writeAdmission,
  read: readAdmission,
};

function decided(admission: Admission, live: LiveCall): Admission {
  live.admission = admission;
  if (admission.kind === "refused" && "failure" in admission) live.failure = { error: admission.failure, abort: true };
  return admission;
}

function goOn(admission: Admission, live: LiveCall): Soon<ToolResult> {
  live.take(admission);
  announceStart(live);
  const result = admission.kind === "refused" ? settle(refusalEnding(admission), live) : reachResult(admission, live);
  return nextInCall(result, endWaits, live);
}

function settle(ending: Ending, live: LiveCall): Soon<ToolResult> {
  live.output = ending.output;
  return settleCall(ending, live);
}

function reachResult(admitted: AdmittedCall, live: LiveCall): Soon<ToolResult> {
  try {
    const result =
      admitted.verdict.verdict === "needs-approval" ? actIfApproved(admitted, live) : act(0, live as AdmittedLiveCall);
    return isPromiseLike(result) ? result.then(undefined, (error: unknown) => failedOutside(error, live)) : result;
  } catch (error) {
    return failedOutside(error, live);
  }
}

async function actIfApproved(admitted: AdmittedCall, live: LiveCall): Promise<ToolResult> {
  const approved = await passApproval(admitted, live as AdmittedLiveCall);
  if (!("kind" in approved)) return settle(approved, live);
  live.take(approved);
  live.scope.timePassed();
  return approved.kind === "refused" ? settle(refusalEnding(approved), live) : act(0, live as AdmittedLiveCall);
}

/** Only a channel or the run itself gets here; the tool's own throws are endings already. */
function failedOutside(error: unknown, live: LiveCall): Soon<ToolResult> {
  if (!live.run.isReplaying) {
    void notifyHooks("onToolError", live, { error });
    live.scope.slots.log({ level: "error", message: `the call of \`${live.tool?.name}\` failed`, error });
  }
  return settle({ status: "failed", errorCode: "tool.failed", text: phrases.GENERIC_FAILURE }, live);
}

/** Nobody is asked any more once a call has ended the run, or the run's end has reached a call. */
function endWaits(result: ToolResult, live: LiveCall): Soon<ToolResult> {
  const isLast = result.endsRun === true || live.failure !== undefined || result.status === "cancelled";
  if (!isLast) return announceEnd(result, live);
  return nextInCall(live.run.closePauses("close"), () => announceEnd(result, live), live);
}

/** How often a call is asked anew because the tool was changed meanwhile. */
const MOST_ASKS = 5;

/** Waits for a person's decision, as often as what was decided on is no longer what would run. */
async function passApproval(admitted: AdmittedCall, live: AdmittedLiveCall): Promise<Admission | Ending> {
  const { scope } = live;
  if (scope.abort.aborted) return notStarted(admitted.tool, admitted.input, scope);
  // What is approved is what runs.
  freezeJson(admitted.input);
  for (let round = 0; round < MOST_ASKS; round++) {
    const outcome = await askApproval(admitted, round, live);
    if (outcome.type === "expired")
      return { status: "declined", errorCode: "approval.expired", text: phrases.APPROVAL_EXPIRED };
    if (outcome.type === "closed") {
      return scope.abort.aborted ? notStarted(admitted.tool, admitted.input, scope) : declined(admitted, undefined);
    }
    const { decision, arguments: edit, comment } = outcome.answer;
    if (decision !== "approve") return declined(admitted, comment);
    live.approved = { admitted, edit, binding: outcome.binding };
    const again = await live.run.perform(`recheck${round === 0 ? "" : round}`, recheckStep, live);
    if (again !== "changed") return again;
  }
  return declined(admitted, "the tool changed each time somebody had approved the call");
}

/** An edit is validated and decided again; what was not edited must still be what was shown, and allowed by what is fixed. */
const recheckStep: Work<Admission | "changed", AdmittedLiveCall> = {
  perform: (live) => nextInCall(recheck(live), rechecked, live),
  write: (again) => (again === "changed" ? again : writeAdmission(again)),
  read: (written, live, isReplayed) => (written === "changed" ? written : readAdmission(written, live, isReplayed)),
};

function recheck({ approved, call, scope }: AdmittedLiveCall): Soon<Admission | "changed"> {
  if (approved === undefined) throw new Error("a call was rechecked that nobody approved");
  const { admitted, edit, binding } = approved;
  if (edit !== undefined) return admitEdit(call, admitted.tool, edit, scope);
  if (binding !== scope.slots.bindingOf(admitted.tool, admitted.wire, scope.user?.id)) return "changed";
  return admitApproved(call, admitted, scope);
}

function rechecked(again: Admission | "changed", live: AdmittedLiveCall): Admission | "changed" {
  return again === "changed" ? again : decided(again, live);
}

function declined({ verdict }: AdmittedCall, comment: string | undefined): Ending {
  const rejectionText = verdict.verdict === "needs-approval" ? verdict.rejectionText : undefined;
  return { status: "declined", errorCode: "approval.declined", text: phrases.declined(rejectionText, comment) };
}

/** Executes until the tool returns something other than a question. `round` counts its questions. */
function act(round: number, live: AdmittedLiveCall): Soon<ToolResult> {
  if (round > MOST_QUESTIONS) {
    const text = phrases.toolError(`the tool asked more than ${MOST_QUESTIONS} questions`);
    return settle({ status: "failed", errorCode: "tool.failed", text }, live);
  }
  if (live.tool.flow !== undefined) return actAsChild(live);
  const end = live.run.perform(round === 0 ? "act" : `act${round}`, actStep, live);
  return isPromiseLike(end) ? end.then((settled) => afterAct(settled, round, live)) : afterAct(end, round, live);
}

/** Execution and result are one: a journal that holds the one holds the other. */
const actStep: Work<ActEnd, AdmittedLiveCall> = {
  perform: (live) => nextInCall(nextInCall(actOnce(live), endOfAct, live), ended, live),
  write: writeAct,
  read: readAct,
  interrupted: ({ tool }) => (canBeRepeated(tool) ? undefined : () => ({ interrupted: true })),
};

function ended(end: ActEnd, live: AdmittedLiveCall): ActEnd {
  live.end = end;
  return end;
}

function canBeRepeated({ annotations }: AnyTool): boolean {
  return annotations?.idempotent === true || annotations?.readOnly === true;
}

function endOfAct(outcome: Outcome | Ending, live: AdmittedLiveCall): Soon<ActEnd> {
  if ("status" in outcome) return settle(outcome, live);
  if (outcome.type === "returned" && isToolAsk(outcome.value)) return { question: outcome.value };
  if (outcome.type === "threw") reportThrown(outcome.error, live);
  return nextInCall(readOutcome(outcome, live), settle, live);
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
  const refusal = scope.abort.aborted ? cutOff(live) : takeCall(live);
  return refusal === undefined ? { order: scope.childOrder(tool, input) } : settle(refusal, live);
}

const childStep: Work<ActEnd, AdmittedLiveCall> = {
  perform: (live) => nextInCall(endOfAct(live.outcome as Outcome, live), ended, live),
  write: writeAct,
  read: readAct,
};

async function actOnAnswer(question: ToolAsk, round: number, live: AdmittedLiveCall): Promise<ToolResult> {
  const reply = await askQuestion(question, round, live);
  if (reply.type !== "answered") return settle(unanswered(reply.type, live), live);
  live.scope.timePassed();
  live.reentry = { answer: reply.answer.reply, state: question.state };
  return act(round + 1, live);
}

function unanswered(why: "expired" | "closed", { scope: { abort } }: AdmittedLiveCall): Ending {
  if (why === "expired") return { status: "declined", errorCode: "approval.expired", text: phrases.APPROVAL_EXPIRED };
  return abort.aborted
    ? { status: "cancelled", errorCode: "call.cancelled", text: phrases.cancelled(abort.reason) }
    : { status: "declined", errorCode: "approval.declined", text: phrases.declined(undefined, undefined) };
}

/** The process ended while the tool was at it, and it may not be run twice: a person, the model, or nobody goes on. */
async function settleInterrupted(round: number, live: AdmittedLiveCall): Promise<ToolResult> {
  const unknown: Ending = { status: "unknown", errorCode: "tool.outcome-unknown", text: phrases.OUTCOME_UNKNOWN };
  const { tool } = live;
  if (!live.hasStarted) live.start();
  if (tool.onUnknown === "fail") live.fail(new RunError("tool.outcome-unknown", phrases.interrupted(tool.name)), true);
  if (tool.onUnknown !== "ask") return settle(unknown, live);
  const reply = await askInterrupted(round, live);
  if (reply.type !== "answered") return settle(unknown, live);
  live.scope.timePassed();
  if (reply.answer.reply === phrases.RUN_AGAIN) return act(round + 1, live);
  if (reply.answer.reply !== phrases.IT_HAPPENED) return settle(unknown, live);
  return settle({ status: "ok", text: phrases.CONFIRMED, value: phrases.CONFIRMED }, live);
}

/** One execution in its slot. A slot is not held while anybody waits for a person. */
function actOnce(live: AdmittedLiveCall): Soon<Outcome | Ending> {
  const { tool, scope } = live;
  const isExclusive = tool.exclusive === true;
  if (!scope.abort.aborted && scope.gate.tryEnter(isExclusive)) {
    const outcome = inSlot(live);
    if (!(outcome instanceof Promise)) return leftSlot(outcome, scope);
    return outcome.then((settled) => leftSlot(settled, scope));
  }
  return Promise.resolve(scope.gate.enter(isExclusive, scope.abort)).then(
    async (release) => {
      scope.timePassed();
      const outcome = await inSlot(live);
      release();
      return outcome;
    },
    () => cutOff(live),
  );
}

function leftSlot<T>(outcome: T, { gate }: CallScope): T {
  gate.leave();
  return outcome;
}

function inSlot(live: AdmittedLiveCall): Outcome | Ending | Promise<Outcome | Ending> {
  const { tool, scope, reentry } = live;
  if (scope.abort.aborted) return cutOff(live);
  if (reentry === undefined) {
    const refusal = scope.counts(tool) ? takeCall(live) : undefined;
    if (refusal !== undefined) return refusal;
  } else {
    live.context = new CallContext(live.call.callId, scope, live, reentry);
  }
  const startedAt = scope.now;
  const outcome = executeTool(live, timeoutOf(tool, scope));
  return outcome instanceof Promise
    ? outcome.then((settled) => executed(settled, startedAt, live))
    : executed(outcome, startedAt, live);
}

function executed(outcome: Outcome, startedAt: number, live: LiveCall): Outcome {
  const { scope } = live;
  scope.timePassed();
  live.executionMs += scope.now - startedAt;
  return outcome;
}

/** The run was cancelled while the call stood in line: one that was entered before has started. */
function cutOff({ tool, input, scope, reentry }: AdmittedLiveCall): Ending {
  if (reentry === undefined) return refusalEnding(notStarted(tool, input, scope));
  return { status: "cancelled", errorCode: "call.cancelled", text: phrases.cancelled(scope.abort.reason) };
}

const oneCall = Object.freeze({ calls: 1 });

/** Counts one more started call, or says why there may be none. */
function takeCall(live: AdmittedLiveCall): Ending | undefined {
  const { scope } = live;
  const { maxToolCalls } = scope.slots.defaults;
  if (scope.started >= maxToolCalls) {
    live.fail(new LimitExceededError(maxToolCalls), false);
    return { status: "not-started", errorCode: "limit.tool-calls", text: phrases.NOT_STARTED };
  }
  const breach = scope.budget.breach(oneCall);
  if (breach !== undefined) {
    live.fail(new BudgetExceededError(breach.kind, breach.limit, breach.used), false);
    return { status: "not-started", errorCode: "budget.exceeded", text: phrases.NOT_STARTED };
  }
  live.start();
  return undefined;
}

function timeoutOf(tool: AnyTool, scope: CallScope): number | undefined {
  if (tool.timeout === "none") return undefined;
  return tool.timeout?.ms ?? scope.slots.defaults.timeout;
}

function refusalEnding({ status, errorCode, text }: Refusal): Ending {
  return { status, errorCode, text };
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

function announceStart(live: LiveCall): void {
  const { call, tool, scope } = live;
  const event = {
    type: "tool-call-start",
    runId: scope.runId,
    at: scope.now,
    callId: call.callId,
    tool: tool?.name ?? call.tool,
    source: tool?.source ?? "unknown",
  };
  // A program's value may change before anybody reads the event.
  const input = typeof call.input === "string" ? call.input : encodeJson(call.input.json);
  withInput(event, { input, scope });
  live.emit(event as unknown as AgentEvent);
  if (!live.run.isReplaying) void notifyHooks("onToolStart", live);
}

const withInput = lazyField("input", shownInput);

/** Escapes are resolved before masking: `\\u002d` must not hide what it spells. */
function shownText(input: string): string {
  const parsed = parseJson(input);
  return parsed.ok ? encodeJson(parsed.value) : input;
}

function shownInput({ input, scope }: { readonly input: string; readonly scope: CallScope }): Json {
  const masked = maskOrWithhold(scope)(shownText(input));
  try {
    return JSON.parse(masked) as Json;
  } catch {
    return masked;
  }
}

function announceEnd(result: ToolResult, live: LiveCall): Soon<ToolResult> {
  if (live.scope.slots.hooks.length === 0 || live.run.isReplaying) return announced(result, live);
  const waits = notifyHooks("afterTool", live, { result, output: live.output });
  if (waits === undefined) return announced(result, live);
  return nextInCall(unlessAborted(waits, live.scope.abort), () => announced(result, live), live);
}

function announced(result: ToolResult, live: LiveCall): ToolResult {
  live.context.end();
  const { callId, tool, source } = result;
  const { scope } = live;
  live.emit({ type: "tool-call-end", runId: scope.runId, at: scope.now, callId, tool, source, result });
  if (scope.slots.hooks.length > 0 && !live.run.isReplaying)
    void notifyHooks("onToolEnd", live, { result, isResultTruncated: result.size.isTruncated });
  return result;
}
