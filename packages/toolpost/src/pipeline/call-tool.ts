// The governed call: approval, bound of concurrency, deadline, execution, result. Straight code in its own branch.
// Nobody else executes tools. It never rejects: whatever happens is the result, and what must end the run is
// told to the scope.

import type { ToolCall } from "../core/call.ts";
import type { Catalog } from "../core/catalog.ts";
import { runInContext } from "../core/current-context.ts";
import type { AgentEvent } from "../core/event.ts";
import type { ToolAsk, ToolResult } from "../core/result.ts";
import { isToolAsk } from "../core/result.ts";
import type { Run } from "../core/run.ts";
import { BudgetExceededError, LimitExceededError } from "../core/run-errors.ts";
import type { AnyTool } from "../core/tool.ts";
import { unlessAborted } from "../std/abort.ts";
import type { Json } from "../std/json.ts";
import { encodeJson, parseJson } from "../std/json.ts";
import { lazyField } from "../std/lazy-field.ts";
import type { Soon } from "../std/soon.ts";
import { isPromiseLike } from "../std/soon.ts";
import type { Admission, AdmittedCall, Refusal } from "./admit-call.ts";
import { admitCall, admitEdit, notStarted } from "./admit-call.ts";
import { askApproval, askQuestion } from "./ask-person.ts";
import { CallContext } from "./call-context.ts";
import { notifyHooks } from "./call-hooks.ts";
import type { CallScope } from "./call-scope.ts";
import type { Ending } from "./ending.ts";
import type { Outcome } from "./execute-tool.ts";
import { executeTool } from "./execute-tool.ts";
import { freezeJson } from "./freeze-json.ts";
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
  return nextInCall(live.run.perform("decide", admit, live), goOn, live);
}

function admit({ call, view, scope }: LiveCall): Soon<Admission> {
  return admitCall(call, view, scope);
}

function goOn(admission: Admission, live: LiveCall): Soon<ToolResult> {
  live.take(admission);
  announceStart(live);
  const ending = admission.kind === "refused" ? refusalEnding(admission) : reachEnding(admission, live);
  return nextInCall(ending, settle, live);
}

function settle(ending: Ending, live: LiveCall): Soon<ToolResult> {
  live.output = ending.output;
  return nextInCall(settleCall(ending, live), announceEnd, live);
}

function reachEnding(admitted: AdmittedCall, live: LiveCall): Soon<Ending> {
  try {
    const ending =
      admitted.verdict.verdict === "needs-approval" ? actIfApproved(admitted, live) : act(0, live as AdmittedLiveCall);
    return isPromiseLike(ending) ? ending.then(undefined, (error: unknown) => failedOutside(error, live)) : ending;
  } catch (error) {
    return failedOutside(error, live);
  }
}

async function actIfApproved(admitted: AdmittedCall, live: LiveCall): Promise<Ending> {
  const approved = await passApproval(admitted, live as AdmittedLiveCall);
  if (!("kind" in approved)) return approved;
  live.take(approved);
  live.scope.timePassed();
  return approved.kind === "refused" ? refusalEnding(approved) : act(0, live as AdmittedLiveCall);
}

/** Only a channel or the run itself gets here; the tool's own throws are endings already. */
function failedOutside(error: unknown, live: LiveCall): Ending {
  void notifyHooks("onToolError", live, { error });
  live.scope.slots.log({ level: "error", message: `the call of \`${live.tool?.name}\` failed`, error });
  return { status: "failed", errorCode: "tool.failed", text: phrases.GENERIC_FAILURE };
}

/** Waits for a person's decision. An edit is validated and decided again; a deny refuses it, anything else runs it. */
async function passApproval(admitted: AdmittedCall, live: AdmittedLiveCall): Promise<Admission | Ending> {
  const { call, scope } = live;
  if (scope.abort.aborted) return notStarted(admitted.tool, admitted.input, scope);
  // What is approved is what runs.
  freezeJson(admitted.input);
  const outcome = await askApproval(admitted.wire, live);
  if (outcome.type === "expired")
    return { status: "declined", errorCode: "approval.expired", text: phrases.APPROVAL_EXPIRED };
  if (outcome.type === "closed") {
    return scope.abort.aborted ? notStarted(admitted.tool, admitted.input, scope) : declined(admitted, undefined);
  }
  const { decision, arguments: edit, comment } = outcome.answer;
  if (decision !== "approve") return declined(admitted, comment);
  return edit === undefined ? admitted : admitEdit(call, admitted.tool, edit, scope);
}

function declined({ verdict }: AdmittedCall, comment: string | undefined): Ending {
  const rejectionText = verdict.verdict === "needs-approval" ? verdict.rejectionText : undefined;
  return { status: "declined", errorCode: "approval.declined", text: phrases.declined(rejectionText, comment) };
}

/** Executes until the tool returns something other than a question. `round` counts its questions. */
function act(round: number, live: AdmittedLiveCall): Soon<Ending> {
  if (round > MOST_QUESTIONS) {
    const text = phrases.toolError(`the tool asked more than ${MOST_QUESTIONS} questions`);
    return { status: "failed", errorCode: "tool.failed", text };
  }
  const outcome = live.run.perform(round === 0 ? "act" : `act${round}`, actOnce, live);
  return isPromiseLike(outcome)
    ? outcome.then((settled) => afterAct(settled, round, live))
    : afterAct(outcome, round, live);
}

function afterAct(outcome: Outcome | Ending, round: number, live: AdmittedLiveCall): Soon<Ending> {
  if ("status" in outcome) return outcome;
  if (outcome.type === "returned" && isToolAsk(outcome.value)) return actOnAnswer(outcome.value, round, live);
  if (outcome.type === "threw") reportThrown(outcome.error, live);
  return readOutcome(outcome, live);
}

async function actOnAnswer(question: ToolAsk, round: number, live: AdmittedLiveCall): Promise<Ending> {
  const reply = await askQuestion(question, round, live);
  if (reply.type === "expired")
    return { status: "declined", errorCode: "approval.expired", text: phrases.APPROVAL_EXPIRED };
  if (reply.type === "closed") {
    const { abort } = live.scope;
    return abort.aborted
      ? { status: "cancelled", errorCode: "call.cancelled", text: phrases.cancelled(abort.reason) }
      : { status: "declined", errorCode: "approval.declined", text: phrases.declined(undefined, undefined) };
  }
  live.scope.timePassed();
  live.reentry = { answer: reply.answer.reply, state: question.state };
  return act(round + 1, live);
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
    const refusal = scope.counts(tool) ? takeCall(scope) : undefined;
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
function takeCall(scope: CallScope): Ending | undefined {
  const { maxToolCalls } = scope.slots.defaults;
  if (scope.started >= maxToolCalls) {
    scope.fail(new LimitExceededError(maxToolCalls), false);
    return { status: "not-started", errorCode: "limit.tool-calls", text: phrases.NOT_STARTED };
  }
  const breach = scope.budget.breach(oneCall);
  if (breach !== undefined) {
    scope.fail(new BudgetExceededError(breach.kind, breach.limit, breach.used), false);
    return { status: "not-started", errorCode: "budget.exceeded", text: phrases.NOT_STARTED };
  }
  scope.started++;
  scope.budget.startCall();
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
  scope.emit(event as unknown as AgentEvent);
  void notifyHooks("onToolStart", live);
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
  if (live.scope.slots.hooks.length === 0) return announced(result, live);
  const waits = notifyHooks("afterTool", live, { result, output: live.output });
  if (waits === undefined) return announced(result, live);
  return nextInCall(unlessAborted(waits, live.scope.abort), () => announced(result, live), live);
}

function announced(result: ToolResult, live: LiveCall): ToolResult {
  live.context.end();
  const { callId, tool, source } = result;
  const { scope } = live;
  scope.emit({ type: "tool-call-end", runId: scope.runId, at: scope.now, callId, tool, source, result });
  if (scope.slots.hooks.length > 0)
    void notifyHooks("onToolEnd", live, { result, isResultTruncated: result.size.isTruncated });
  return result;
}
