// The governed call: approval, bound of concurrency, deadline, execution, result. Straight code in its own branch.
// Nobody else executes tools. It never rejects: whatever happens is the result, and what must end the run is
// told to the scope.

import type { ToolCall } from "../core/call.ts";
import type { EventBody } from "../core/event.ts";
import type { Redact } from "../core/govern.ts";
import type { ToolAsk, ToolResult } from "../core/result.ts";
import { isToolAsk } from "../core/result.ts";
import type { Run } from "../core/run.ts";
import { BudgetExceededError, LimitExceededError } from "../core/run-errors.ts";
import { outcomeOf } from "../core/task.ts";
import type { AnyTool } from "../core/tool.ts";
import { unlessAborted } from "../std/abort.ts";
import type { Json } from "../std/json.ts";
import { encodeJson, parseJson, toJson } from "../std/json.ts";
import { lazyField } from "../std/lazy-field.ts";
import type { Soon } from "../std/soon.ts";
import { andThen, isPromiseLike } from "../std/soon.ts";
import type { Admission, AdmittedCall, Refusal } from "./admit-call.ts";
import { admitEdit, notStarted } from "./admit-call.ts";
import { askApproval, askQuestion } from "./ask-person.ts";
import { boundText } from "./bound-text.ts";
import type { CallNotes, Reentry } from "./call-context.ts";
import { CallContext } from "./call-context.ts";
import { hookCall, notifyHooks } from "./call-hooks.ts";
import type { CallScope } from "./call-scope.ts";
import type { Outcome } from "./execute-tool.ts";
import { executeTool } from "./execute-tool.ts";
import * as phrases from "./phrases.ts";
import type { Ending } from "./settle-call.ts";
import { readOutcome, settleCall } from "./settle-call.ts";

/** A tool that keeps asking is a loop. */
const MOST_QUESTIONS = 20;

/** Calls an admitted tool, or settles a refusal, in the branch `run`. At once where everything it calls is synchronous. */
export function callTool(run: Run, call: ToolCall, admission: Admission, scope: CallScope): Soon<ToolResult> {
  const notes: CallNotes = { meta: undefined, spend: undefined, executionMs: 0 };
  announceStart(call, admission, scope);
  return andThen(reachEnding(run, call, admission, notes, scope), (final) =>
    andThen(settleCall(final.ending, call, admission.tool, notes, scope), (result) =>
      announceEnd(call, admission.tool, final, result, scope),
    ),
  );
}

interface Final {
  readonly ending: Ending;
  readonly input: unknown;
}

/** An admitted call under way. */
interface Work {
  readonly run: Run;
  readonly call: ToolCall;
  readonly admitted: AdmittedCall;
  readonly notes: CallNotes;
  readonly scope: CallScope;
}

function reachEnding(run: Run, call: ToolCall, admission: Admission, notes: CallNotes, scope: CallScope): Soon<Final> {
  if (admission.kind === "refused") return { ending: refusalEnding(admission), input: admission.input };
  const work: Work = { run, call, admitted: admission, notes, scope };
  try {
    const final =
      admission.verdict.verdict === "needs-approval"
        ? actIfApproved(work)
        : andThen(act(work, 0), (ending) => ({ ending, input: admission.input }));
    return isPromiseLike(final) ? final.then(undefined, (error: unknown) => failedOutside(error, work)) : final;
  } catch (error) {
    return failedOutside(error, work);
  }
}

async function actIfApproved(work: Work): Promise<Final> {
  const { run, call, admitted, scope } = work;
  const approved = await passApproval(run, call, admitted, scope);
  if (!("kind" in approved)) return { ending: approved, input: admitted.input };
  if (approved.kind === "refused") return { ending: refusalEnding(approved), input: approved.input };
  return { ending: await act({ ...work, admitted: approved }, 0), input: approved.input };
}

/** Only a channel or the run itself gets here; the tool's own throws are endings already. */
function failedOutside(error: unknown, { call, admitted: { tool, input }, scope }: Work): Final {
  void notifyHooks("onToolError", scope, () => ({ ...hookCall(call, tool, input, scope), error }));
  scope.slots.log({ level: "error", message: `the call of \`${tool.name}\` failed`, error });
  return { ending: { status: "failed", errorCode: "tool.failed", text: phrases.GENERIC_FAILURE }, input };
}

/** Waits for a person's decision. An edit is validated and decided again; a deny refuses it, anything else runs it. */
async function passApproval(
  run: Run,
  call: ToolCall,
  admitted: AdmittedCall,
  scope: CallScope,
): Promise<Admission | Ending> {
  if (scope.abort.aborted) return notStarted(admitted.tool, admitted.input, scope);
  const outcome = await askApproval(run, call, admitted, scope);
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
function act(work: Work, round: number, reentry?: Reentry): Soon<Ending> {
  const { run, call, admitted, scope } = work;
  if (round > MOST_QUESTIONS) {
    const text = phrases.toolError(`the tool asked more than ${MOST_QUESTIONS} questions`);
    return { status: "failed", errorCode: "tool.failed", text };
  }
  const task = run.step(round === 0 ? "act" : `act${round}`, () => actOnce(work, reentry));
  return andThen(outcomeOf(task), (outcome) => {
    if ("status" in outcome) return outcome;
    if (outcome.type === "returned" && isToolAsk(outcome.value)) return actOnAnswer(work, round, outcome.value);
    if (outcome.type === "threw") reportThrown(call, admitted, outcome.error, scope);
    return readOutcome(outcome, admitted.tool, admitted.input, scope);
  });
}

async function actOnAnswer(work: Work, round: number, question: ToolAsk): Promise<Ending> {
  const { run, call, admitted, scope } = work;
  const reply = await askQuestion(run, round, question, call, admitted, scope);
  if (reply.type === "expired")
    return { status: "declined", errorCode: "approval.expired", text: phrases.APPROVAL_EXPIRED };
  if (reply.type === "closed") {
    return scope.abort.aborted
      ? { status: "cancelled", errorCode: "call.cancelled", text: phrases.cancelled(scope.abort.reason) }
      : { status: "declined", errorCode: "approval.declined", text: phrases.declined(undefined, undefined) };
  }
  return act(work, round + 1, { answer: reply.answer.reply, state: question.state });
}

/** One execution in its slot. A slot is not held while anybody waits for a person. */
function actOnce(work: Work, reentry: Reentry | undefined): Soon<Outcome | Ending> {
  const { admitted, scope } = work;
  const isExclusive = admitted.tool.exclusive === true;
  if (!scope.abort.aborted && scope.gate.tryEnter(isExclusive)) {
    return inSlot(work, reentry, () => scope.gate.leave());
  }
  return Promise.resolve(scope.gate.enter(isExclusive, scope.abort)).then(
    (release) => inSlot(work, reentry, release),
    () => cutOff(admitted.tool, admitted.input, reentry, scope),
  );
}

function inSlot(work: Work, reentry: Reentry | undefined, release: () => void): Soon<Outcome | Ending> {
  const { call, admitted, notes, scope } = work;
  const { tool, input } = admitted;
  const refusal = refusalInSlot(tool, input, reentry, scope);
  if (refusal !== undefined) {
    release();
    return refusal;
  }
  const { clock } = scope.slots;
  const context = new CallContext(call.callId, scope, notes, reentry, (data) => showProgress(data, call, tool, scope));
  const startedAt = clock.now();
  return andThen(executeTool({ call, tool, input, context, scope, timeout: timeoutOf(tool, scope) }), (outcome) => {
    notes.executionMs += clock.now() - startedAt;
    release();
    return outcome;
  });
}

function refusalInSlot(
  tool: AnyTool,
  input: unknown,
  reentry: Reentry | undefined,
  scope: CallScope,
): Ending | undefined {
  if (scope.abort.aborted) return cutOff(tool, input, reentry, scope);
  if (reentry === undefined && scope.counts(tool)) return takeCall(scope);
  return undefined;
}

/** The run was cancelled while the call stood in line: one that was entered before has started. */
function cutOff(tool: AnyTool, input: unknown, reentry: Reentry | undefined, scope: CallScope): Ending {
  if (reentry === undefined) return refusalEnding(notStarted(tool, input, scope));
  return { status: "cancelled", errorCode: "call.cancelled", text: phrases.cancelled(scope.abort.reason) };
}

/** Counts one more started call, or says why there may be none. */
function takeCall(scope: CallScope): Ending | undefined {
  const { maxToolCalls } = scope.slots.defaults;
  if (scope.started >= maxToolCalls) {
    scope.fail(new LimitExceededError(maxToolCalls), false);
    return { status: "not-started", errorCode: "limit.tool-calls", text: phrases.NOT_STARTED };
  }
  const breach = scope.budget.breach({ calls: 1 });
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

/** A snapshot, masked and bounded; structured where masking left it so. */
function showProgress(data: unknown, call: ToolCall, tool: AnyTool, scope: CallScope): void {
  try {
    scope.emit({
      type: "tool-call-progress",
      callId: call.callId,
      tool: tool.name,
      source: tool.source,
      data: maskedJson(data, tool, scope),
    });
  } catch (error) {
    scope.slots.log({ level: "warn", message: `progress of \`${tool.name}\` could not be shown`, error });
  }
}

function maskedJson(data: unknown, tool: AnyTool, scope: CallScope): Json {
  const json = toJson(data);
  const maxBytes = tool.maxResultSize?.bytes ?? scope.slots.defaults.maxResultSize;
  if (typeof json === "string") return boundText(json, maxBytes, scope.slots.redact).text;
  const bound = boundText(JSON.stringify(json), maxBytes, scope.slots.redact);
  if (bound.isTruncated) return bound.text;
  try {
    return JSON.parse(bound.text) as Json;
  } catch {
    return bound.text;
  }
}

function reportThrown(call: ToolCall, admitted: AdmittedCall, error: unknown, scope: CallScope): void {
  void notifyHooks("onToolError", scope, () => ({ ...hookCall(call, admitted.tool, admitted.input, scope), error }));
  scope.slots.log({
    level: "error",
    message: `\`${admitted.tool.name}\` threw`,
    error,
    data: { runId: scope.runId, callId: call.callId },
  });
}

function announceStart(call: ToolCall, { tool, input }: Admission, scope: CallScope): void {
  const event = {
    type: "tool-call-start",
    callId: call.callId,
    tool: tool?.name ?? call.tool,
    source: tool?.source ?? "unknown",
  };
  withInput(event, { call, redact: scope.slots.redact });
  scope.emit(event as EventBody);
  void notifyHooks("onToolStart", scope, () => hookCall(call, tool, input, scope));
}

const withInput = lazyField("input", shownInput);

/** Escapes are resolved before masking: `\\u002d` must not hide what it spells. */
function shownText(input: ToolCall["input"]): string {
  if (typeof input !== "string") return encodeJson(input.json);
  const parsed = parseJson(input);
  return parsed.ok ? encodeJson(parsed.value) : input;
}

function shownInput({ call, redact }: { readonly call: ToolCall; readonly redact: Redact }): Json {
  const masked = redact(shownText(call.input), true);
  try {
    return JSON.parse(masked) as Json;
  } catch {
    return masked;
  }
}

function announceEnd(
  call: ToolCall,
  tool: AnyTool | undefined,
  { input, ending: { output } }: Final,
  result: ToolResult,
  scope: CallScope,
): Soon<ToolResult> {
  const waits = notifyHooks("afterTool", scope, () => ({ ...hookCall(call, tool, input, scope), result, output }));
  return andThen(waits === undefined ? undefined : unlessAborted(waits, scope.abort), () => {
    scope.emit({ type: "tool-call-end", callId: call.callId, tool: result.tool, source: result.source, result });
    void notifyHooks("onToolEnd", scope, () => ({
      ...hookCall(call, tool, input, scope),
      result,
      isResultTruncated: result.size.isTruncated,
    }));
    return result;
  });
}
