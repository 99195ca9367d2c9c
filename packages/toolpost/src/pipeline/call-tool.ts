// The governed call: approval, bound of concurrency, deadline, execution, result. Straight code in its own branch.
// Nobody else executes tools. It never rejects: whatever happens is the result, and what must end the run is
// told to the scope.

import type { ToolCall } from "../core/call.ts";
import type { ToolResult } from "../core/result.ts";
import { isToolAsk } from "../core/result.ts";
import type { Run } from "../core/run.ts";
import { BudgetExceededError, LimitExceededError } from "../core/run-errors.ts";
import type { AnyTool } from "../core/tool.ts";
import { unlessAborted } from "../std/abort.ts";
import type { Json } from "../std/json.ts";
import { encodeJson, parseJson, toJson } from "../std/json.ts";
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

/** Calls an admitted tool, or settles a refusal, in the branch `run`. */
export async function callTool(run: Run, call: ToolCall, admission: Admission, scope: CallScope): Promise<ToolResult> {
  const notes: CallNotes = { meta: undefined, spend: undefined, executionMs: 0 };
  const tool = admission.tool;
  announceStart(call, tool, admission.input, scope);
  const final = await reachEnding(run, call, admission, notes, scope);
  const result = await settleCall(final.ending, call, tool, notes, scope);
  await announceEnd(call, tool, final.input, final.ending.output, result, scope);
  return result;
}

interface Final {
  readonly ending: Ending;
  readonly input: unknown;
}

async function reachEnding(
  run: Run,
  call: ToolCall,
  admission: Admission,
  notes: CallNotes,
  scope: CallScope,
): Promise<Final> {
  if (admission.kind === "refused") return { ending: refusalEnding(admission), input: admission.input };
  try {
    const approved =
      admission.verdict.verdict === "needs-approval" ? await passApproval(run, call, admission, scope) : admission;
    if (!("kind" in approved)) return { ending: approved, input: admission.input };
    if (approved.kind === "refused") return { ending: refusalEnding(approved), input: approved.input };
    return { ending: await act(run, call, approved, notes, scope), input: approved.input };
  } catch (error) {
    // Only a channel or the run itself gets here; the tool's own throws are endings already.
    void notifyHooks("onToolError", scope, () => ({
      ...hookCall(call, admission.tool, admission.input, scope),
      error,
    }));
    scope.slots.log({ level: "error", message: `the call of \`${admission.tool.name}\` failed`, error });
    return {
      ending: { status: "failed", errorCode: "tool.failed", text: phrases.GENERIC_FAILURE },
      input: admission.input,
    };
  }
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

/** Executes until the tool returns something other than a question. */
async function act(
  run: Run,
  call: ToolCall,
  admitted: AdmittedCall,
  notes: CallNotes,
  scope: CallScope,
): Promise<Ending> {
  let reentry: Reentry | undefined;
  for (let round = 0; round <= MOST_QUESTIONS; round++) {
    const answered = reentry;
    const outcome = await run.step(round === 0 ? "act" : `act${round}`, () =>
      actOnce(call, admitted, answered, notes, scope),
    );
    if ("status" in outcome) return outcome;
    if (outcome.type === "returned" && isToolAsk(outcome.value)) {
      const question = outcome.value;
      const reply = await askQuestion(run, round, question, call, admitted, scope);
      if (reply.type === "expired")
        return { status: "declined", errorCode: "approval.expired", text: phrases.APPROVAL_EXPIRED };
      if (reply.type === "closed") {
        return scope.abort.aborted
          ? { status: "cancelled", errorCode: "call.cancelled", text: phrases.cancelled(scope.abort.reason) }
          : { status: "declined", errorCode: "approval.declined", text: phrases.declined(undefined, undefined) };
      }
      reentry = { answer: reply.answer.reply, state: question.state };
      continue;
    }
    if (outcome.type === "threw") reportThrown(call, admitted, outcome.error, scope);
    return readOutcome(outcome, admitted.tool, admitted.input, scope);
  }
  return {
    status: "failed",
    errorCode: "tool.failed",
    text: phrases.toolError(`the tool asked more than ${MOST_QUESTIONS} questions`),
  };
}

/** One execution in its slot. A slot is not held while anybody waits for a person. */
async function actOnce(
  call: ToolCall,
  admitted: AdmittedCall,
  reentry: Reentry | undefined,
  notes: CallNotes,
  scope: CallScope,
): Promise<Outcome | Ending> {
  const { tool, input } = admitted;
  let release: () => void;
  let startedAt: number | undefined;
  try {
    const entered = scope.gate.enter(tool.exclusive === true, scope.abort);
    release = typeof entered === "function" ? entered : await entered;
  } catch {
    return cutOff(tool, input, reentry, scope);
  }
  try {
    if (scope.abort.aborted) return cutOff(tool, input, reentry, scope);
    if (reentry === undefined && scope.counts(tool)) {
      const refusal = takeCall(scope);
      if (refusal !== undefined) return refusal;
    }
    const context = new CallContext(call.callId, scope, notes, reentry, (data) =>
      showProgress(data, call, tool, scope),
    );
    startedAt = scope.slots.clock.now();
    return await executeTool({ call, tool, input, context, scope, timeout: timeoutOf(tool, scope) });
  } finally {
    if (startedAt !== undefined) notes.executionMs += scope.slots.clock.now() - startedAt;
    release();
  }
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

function announceStart(call: ToolCall, tool: AnyTool | undefined, input: unknown, scope: CallScope): void {
  const { redact } = scope.slots;
  scope.emit({
    type: "tool-call-start",
    callId: call.callId,
    tool: tool?.name ?? call.tool,
    source: tool?.source ?? "unknown",
    get input() {
      return shownInput(call, redact);
    },
  });
  void notifyHooks("onToolStart", scope, () => hookCall(call, tool, input, scope));
}

/** Escapes are resolved before masking: `\\u002d` must not hide what it spells. */
function shownText(input: ToolCall["input"]): string {
  if (typeof input !== "string") return encodeJson(input.json);
  const parsed = parseJson(input);
  return parsed.ok ? encodeJson(parsed.value) : input;
}

function shownInput(call: ToolCall, redact: (text: string, isComplete: boolean) => string): Json {
  const masked = redact(shownText(call.input), true);
  try {
    return JSON.parse(masked) as Json;
  } catch {
    return masked;
  }
}

async function announceEnd(
  call: ToolCall,
  tool: AnyTool | undefined,
  input: unknown,
  output: unknown,
  result: ToolResult,
  scope: CallScope,
): Promise<void> {
  const waits = notifyHooks("afterTool", scope, () => ({ ...hookCall(call, tool, input, scope), result, output }));
  if (waits !== undefined) await unlessAborted(waits, scope.abort);
  scope.emit({ type: "tool-call-end", callId: call.callId, tool: result.tool, source: result.source, result });
  void notifyHooks("onToolEnd", scope, () => ({
    ...hookCall(call, tool, input, scope),
    result,
    isResultTruncated: result.size.isTruncated,
  }));
}
