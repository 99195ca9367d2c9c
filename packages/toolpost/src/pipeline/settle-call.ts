// From what an execution came to, to the one result the model, hooks and report get.
// Every ending passes here, refusals too: encoded, masked, bounded. A guard that cannot run makes the call fail.

import { isFatalToolError, isInvalidOutputError, isToolError } from "../core/errors.ts";
import type { ContentPart, ToolOutput, ToolResult, ToolResultStatus } from "../core/result.ts";
import { isContentPart, isToolOutput } from "../core/result.ts";
import type { SchemaIssue, Validation } from "../core/schema.ts";
import type { AnyTool } from "../core/tool.ts";
import { aborted, unlessAborted } from "../std/abort.ts";
import type { Json } from "../std/json.ts";
import { encodeJson, parseJson, toJson } from "../std/json.ts";
import type { Soon } from "../std/soon.ts";
import { andThen, isPromiseLike } from "../std/soon.ts";
import { utf8Length, wellFormed } from "../std/text.ts";
import type { BoundText } from "./bound-text.ts";
import { boundText, truncationMarker } from "./bound-text.ts";
import type { CallScope } from "./call-scope.ts";
import type { Outcome } from "./execute-tool.ts";
import type { AdmittedLiveCall, LiveCall } from "./live-call.ts";
import { nextInCall } from "./live-call.ts";
import { logUnvalidated } from "./log-unvalidated.ts";
import * as phrases from "./phrases.ts";

/** A call's ending before masking and bounding. */
export interface Ending {
  readonly status: ToolResultStatus;
  readonly errorCode?: string;
  readonly text: string;
  readonly content?: readonly ContentPart[];
  readonly value?: Json;
  readonly data?: unknown;
  /** What `execute` returned, for hooks. */
  readonly output?: unknown;
  readonly endsRun?: boolean;
  readonly pauseId?: string;
}

const MOST_FILE_BYTES = 20 * 1024 * 1024;

/** Reads an outcome: validates output, phrases errors, asks `endsRun`. `thrown` is set where a tool threw. */
export function readOutcome(outcome: Outcome, live: AdmittedLiveCall): Soon<Ending> {
  const { tool, scope } = live;
  switch (outcome.type) {
    case "returned":
      return readInTime(readReturned(outcome.value, live), scope);
    case "threw":
      return readThrown(outcome.error, tool, scope);
    case "timed-out":
      return { status: "timed-out", errorCode: "tool.timed-out", text: phrases.timedOut(outcome.ms) };
    case "cancelled":
      return outcome.isSettled || tool.annotations?.readOnly === true
        ? { status: "cancelled", errorCode: "call.cancelled", text: phrases.cancelled(outcome.reason) }
        : { status: "unknown", errorCode: "tool.outcome-unknown", text: phrases.OUTCOME_UNKNOWN };
  }
}

/** A validator or `endsRun` that hangs must not hold a run that was cancelled. */
function readInTime(ending: Soon<Ending>, scope: CallScope): Soon<Ending> {
  if (!isPromiseLike(ending)) return scope.abort.aborted ? cancelledEnding(scope) : ending;
  return unlessAborted(ending, scope.abort).then((settled) => (settled === aborted ? cancelledEnding(scope) : settled));
}

function cancelledEnding(scope: CallScope): Ending {
  return { status: "cancelled", errorCode: "call.cancelled", text: phrases.cancelled(scope.abort.reason) };
}

/** Masks and bounds an ending into the call's result. */
export function settleCall(ending: Ending, live: LiveCall): Soon<ToolResult> {
  const { tool, scope } = live;
  const maxBytes = tool?.maxResultSize?.bytes ?? scope.slots.defaults.maxResultSize;
  const bound = boundEnding(ending, maxBytes, scope);
  if (!bound.size.isTruncated) return resultOf(bound, live, undefined);
  return nextInCall(keepWhole(bound.ending, live), (artefact) => resultOf(bound, live, artefact), live);
}

/** Fields are set one by one, as a spread for each that may be missing costs more than the masking. */
function resultOf(
  { ending, text, content, size }: BoundEnding,
  { call, tool, scope, meta, spend, executionMs }: LiveCall,
  artefact: ToolResult["artefact"],
): ToolResult {
  const { status } = ending;
  const result: { -readonly [Key in keyof ToolResult]: ToolResult[Key] } = {
    callId: call.callId,
    tool: tool?.name ?? call.tool,
    source: tool?.source ?? "unknown",
    status,
    isError: status !== "ok" && status !== "waiting",
    text,
    durationMs: executionMs,
    size,
  };
  if (ending.errorCode !== undefined) result.errorCode = ending.errorCode;
  if (content !== undefined) result.content = content;
  if (ending.value !== undefined) result.value = ending.value;
  if (ending.data !== undefined) result.data = ending.data;
  if (meta !== undefined) result.meta = maskedMeta(meta, scope);
  if (artefact !== undefined) result.artefact = artefact;
  if (ending.endsRun === true) result.endsRun = true;
  if (spend !== undefined) result.spend = spend;
  if (ending.pauseId !== undefined) result.pauseId = ending.pauseId;
  return Object.freeze(result);
}

function maskedMeta(meta: { readonly [key: string]: Json }, scope: CallScope): { readonly [key: string]: Json } {
  const masked = maskOrWithhold(scope)(encodeJson(meta));
  const parsed = parseJson(masked);
  return parsed.ok ? (parsed.value as { [key: string]: Json }) : { masked };
}

function readReturned(returned: unknown, live: AdmittedLiveCall): Soon<Ending> {
  const { tool, scope } = live;
  const output = asToolOutput(returned, tool);
  if (output !== undefined) return readToolOutput(output, returned, live);
  if (tool.validateOutput === undefined) return readParsed(returned, live);
  const checked = validateOutput(tool, returned, scope);
  return isPromiseLike(checked)
    ? checked.then((settled) => readChecked(settled, returned, live))
    : readChecked(checked, returned, live);
}

function readChecked(checked: Validation, returned: unknown, live: AdmittedLiveCall): Soon<Ending> {
  return checked.ok ? readParsed(checked.value, live) : invalidOutput(checked.issues, returned);
}

function readParsed(parsed: unknown, live: AdmittedLiveCall): Soon<Ending> {
  const value = toJson(parsed);
  const text = typeof value === "string" ? value : JSON.stringify(value);
  const ending: Ending = { status: "ok", text, value, output: parsed };
  return withEndOfRun(ending, live);
}

/** The ending, with what `endsRun` says of it. */
function withEndOfRun(ending: Ending, live: AdmittedLiveCall): Soon<Ending> {
  if (live.tool.endsRun === undefined || live.tool.endsRun === false) return ending;
  return andThen(asksToEnd(live, ending.output), (endsRun) => ({ ...ending, endsRun }));
}

/** Marked ones always; an unmarked object only where no `output` schema says what objects mean. */
function asToolOutput(returned: unknown, tool: AnyTool): ToolOutput | undefined {
  if (isToolOutput(returned)) return returned;
  if (tool.validateOutput !== undefined || typeof returned !== "object" || returned === null) return undefined;
  try {
    return hasOutputShape(returned as ToolOutput) ? (returned as ToolOutput) : undefined;
  } catch {
    // It cannot even be looked at; the encoder says so in its place.
    return undefined;
  }
}

function hasOutputShape(returned: ToolOutput): boolean {
  const keys = Object.keys(returned);
  if (!keys.includes("content") || keys.some((key) => key !== "content" && key !== "isError" && key !== "data"))
    return false;
  const { content, isError } = returned;
  const isContent = typeof content === "string" || (Array.isArray(content) && content.every(isContentPart));
  return isContent && (isError === undefined || typeof isError === "boolean");
}

/** A part that is none is shown as what it is, not dropped. */
function toContentPart(part: unknown): ContentPart {
  return isContentPart(part) ? part : { type: "text", text: encodeJson(part) };
}

function readToolOutput(output: ToolOutput, returned: unknown, live: AdmittedLiveCall): Soon<Ending> {
  const { content, data } = output;
  const isFailure = output.isError === true;
  const parts: ContentPart[] | undefined = Array.isArray(content) ? content.map(toContentPart) : undefined;
  const text =
    parts === undefined
      ? typeof content === "string"
        ? content
        : encodeJson(content)
      : parts.flatMap((part) => (part.type === "text" ? [part.text] : [])).join("\n");
  const isPlain = parts === undefined || parts.length === 0 || (parts.length === 1 && parts[0]?.type === "text");
  const ending: Ending = {
    status: isFailure ? "failed" : "ok",
    ...(isFailure ? { errorCode: "tool.reported" } : {}),
    text,
    ...(isPlain ? {} : { content: parts }),
    value: isPlain ? text : toJson(parts),
    ...(data === undefined ? {} : { data }),
    output: returned,
  };
  return isFailure ? ending : withEndOfRun(ending, live);
}

function validateOutput(tool: AnyTool, returned: unknown, scope: CallScope): Soon<Validation> {
  const cannot = (error: unknown): Validation => {
    logUnvalidated("output", tool, error, scope);
    return { ok: false, issues: [{ path: "", message: "the output could not be validated" }] };
  };
  const told = (checked: Validation): Validation => {
    if (!checked.ok && checked.cause !== undefined) logUnvalidated("output", tool, checked.cause, scope);
    return checked;
  };
  try {
    const outcome = tool.validateOutput?.(returned) ?? { ok: true, value: returned };
    return isPromiseLike(outcome) ? Promise.resolve(outcome).then(told).catch(cannot) : told(outcome);
  } catch (error) {
    return cannot(error);
  }
}

function invalidOutput(issues: readonly SchemaIssue[], output: unknown): Ending {
  return { status: "failed", errorCode: "tool.invalid-output", text: phrases.invalidOutput(issues), output };
}

function asksToEnd({ tool, input, scope }: AdmittedLiveCall, output: unknown): Soon<boolean> {
  if (typeof tool.endsRun !== "function") return tool.endsRun === true;
  const goOn = (error: unknown): boolean => {
    scope.slots.log({ level: "error", message: `\`endsRun\` of \`${tool.name}\` threw; the run goes on`, error });
    return false;
  };
  try {
    const answer = (tool.endsRun as (call: unknown) => Soon<boolean>)({ input, output });
    if (!isPromiseLike(answer)) return answer === true;
    return Promise.resolve(answer).then((settled) => settled === true, goOn);
  } catch (error) {
    return goOn(error);
  }
}

function readThrown(error: unknown, tool: AnyTool, scope: CallScope): Ending {
  if (isFatalToolError(error)) {
    scope.fail(error, true);
    return { status: "failed", errorCode: "tool.fatal", text: phrases.ENDED_THE_RUN };
  }
  if (isInvalidOutputError(error)) {
    if (error.cause !== undefined) logUnvalidated("output", tool, error.cause, scope);
    return invalidOutput(error.issues, undefined);
  }
  const mask = maskOrWithhold(scope);
  if (isToolError(error) && error.ownCode === "tool.outcome-unknown") {
    return { status: "unknown", errorCode: "tool.outcome-unknown", text: phrases.OUTCOME_UNKNOWN };
  }
  if (isToolError(error) && typeof error.userMessage === "string") {
    return { status: "failed", errorCode: mask(error.ownCode ?? "tool.failed"), text: phrases.authored(error, mask) };
  }
  const mode = tool.toolErrors ?? scope.slots.defaults.toolErrors;
  if (mode === "throw") scope.fail(error, true);
  const text = mode === "observe" ? phrases.toolError(mask(phrases.thrownText(error))) : phrases.GENERIC_FAILURE;
  return { status: "failed", errorCode: "tool.failed", text };
}

/** Masks a text before its line breaks go: some secrets end where their line does. */
function maskOrWithhold(scope: CallScope): (text: string) => string {
  return (text) => {
    try {
      return scope.slots.redact(text, true);
    } catch {
      return "";
    }
  };
}

interface BoundEnding {
  readonly ending: Ending;
  readonly text: string;
  readonly content?: readonly ContentPart[];
  readonly size: { readonly total: number; readonly kept: number; readonly isTruncated: boolean };
}

function boundEnding(ending: Ending, maxBytes: number, scope: CallScope): BoundEnding {
  try {
    if (ending.content !== undefined) return { ending, ...boundContent(ending.content, maxBytes, scope) };
    const { text, total, kept, isTruncated } = boundText(ending.text, maxBytes, scope.slots.redact);
    return { ending, text, size: { total, kept, isTruncated } };
  } catch (error) {
    scope.slots.log({ level: "error", message: "masking failed; the result was withheld", error });
    const text = phrases.GENERIC_FAILURE;
    const bytes = utf8Length(text);
    const withheld: Ending = {
      status: ending.status === "ok" ? "failed" : ending.status,
      errorCode: ending.status === "ok" ? "tool.failed" : (ending.errorCode ?? "tool.failed"),
      text,
    };
    return { ending: withheld, text, size: { total: bytes, kept: bytes, isTruncated: false } };
  }
}

/** Texts share one bound, in order; files count by a limit of their own. */
function boundContent(
  content: readonly ContentPart[],
  maxBytes: number,
  scope: CallScope,
): Omit<BoundEnding, "ending"> {
  const parts: ContentPart[] = [];
  let total = 0;
  let kept = 0;
  let isTruncated = false;
  for (const part of content) {
    if (part.type !== "text") {
      parts.push(boundFile(part, scope));
      continue;
    }
    const bound: BoundText = boundText(part.text, Math.max(0, maxBytes - kept), scope.slots.redact);
    const text = bound.isTruncated ? bound.text.slice(0, bound.text.lastIndexOf("\n[result truncated: ")) : bound.text;
    total += bound.total;
    kept += bound.kept;
    isTruncated ||= bound.isTruncated;
    if (bound.kept > 0 || bound.total === 0) parts.push({ ...part, text });
  }
  if (isTruncated) markLastText(parts, truncationMarker(total, kept));
  const text = parts.flatMap((part) => (part.type === "text" ? [part.text] : [])).join("\n");
  return { text, content: parts, size: { total, kept, isTruncated } };
}

function boundFile(part: ContentPart & { type: "file" }, scope: CallScope): ContentPart {
  const size = fileBytes(part.data);
  if (size > MOST_FILE_BYTES) {
    return {
      type: "text",
      text: `[${part.mediaType} left out: ${size} bytes are more than the ${MOST_FILE_BYTES} a file may have]`,
    };
  }
  const { redact } = scope.slots;
  const data = part.data.type === "url" ? { ...part.data, url: redact(part.data.url, true) } : part.data;
  return { ...part, data, ...(part.filename === undefined ? {} : { filename: redact(part.filename, true) }) };
}

/** Of what base64 stands for, also in a `data:` URL; another URL carries nothing itself. */
function fileBytes(data: (ContentPart & { type: "file" })["data"]): number {
  if (data.type === "url" && !data.url.startsWith("data:")) return 0;
  const base64 = data.type === "data" ? data.data : data.url.slice(data.url.indexOf(",") + 1);
  const padding = base64.endsWith("==") ? 2 : base64.endsWith("=") ? 1 : 0;
  return Math.floor((base64.length * 3) / 4) - padding;
}

function markLastText(parts: ContentPart[], marker: string): void {
  const index = parts.findLastIndex((part) => part.type === "text");
  const last = parts[index];
  if (last?.type === "text") parts[index] = { ...last, text: last.text + marker };
  else parts.push({ type: "text", text: marker.slice(1) });
}

async function keepWhole(ending: Ending, { call, tool, scope }: LiveCall): Promise<ToolResult["artefact"]> {
  const { artefacts, redact, log } = scope.slots;
  if (artefacts === undefined) return undefined;
  try {
    const whole = redact(wellFormed(ending.text), true);
    const kept = artefacts.keep(whole, {
      callId: call.callId,
      tool: tool?.name ?? call.tool,
      runId: scope.runId,
    });
    const stored = await unlessAborted(Promise.resolve(kept), scope.abort);
    return stored === aborted ? undefined : { id: stored.id, bytes: utf8Length(whole) };
  } catch (error) {
    log({ level: "error", message: "the whole text of a cut result could not be kept", error });
    return undefined;
  }
}
