// From what an execution came to, to the ending of its call: output validated, errors phrased, `endsRun` asked.
// Nothing here is masked but what an error says.

import { isFatalToolError, isInvalidOutputError, isToolError } from "../core/errors.ts";
import type { ContentPart, ToolOutput } from "../core/result.ts";
import { isContentPart, isToolOutput } from "../core/result.ts";
import type { SchemaIssue, Validation } from "../core/schema.ts";
import type { AnyTool } from "../core/tool.ts";
import { aborted, unlessAborted } from "../std/abort.ts";
import { encodeJson, toJson } from "../std/json.ts";
import type { Soon } from "../std/soon.ts";
import { andThen, isPromiseLike } from "../std/soon.ts";
import type { CallScope } from "./call-scope.ts";
import type { Ending, Outcome } from "./ending.ts";
import { outcomeUnknown } from "./execute-in-slot.ts";
import type { AdmittedLiveCall } from "./live-call.ts";
import { logUnvalidated } from "./log-unvalidated.ts";
import { maskOrWithhold } from "./mask-or-withhold.ts";
import * as phrases from "./phrases.ts";

/** Reads an outcome: validates output, phrases errors, asks `endsRun`. `thrown` is set where a tool threw. */
export function readOutcome(outcome: Outcome, live: AdmittedLiveCall): Soon<Ending> {
  const { tool, scope } = live;
  switch (outcome.type) {
    case "returned":
      return readInTime(readReturned(outcome.value, live), scope);
    case "threw":
      return readThrown(outcome.error, live);
    case "timed-out":
      return { status: "timed-out", errorCode: "tool.timed-out", text: phrases.timedOut(outcome.ms) };
    case "cancelled":
      return outcome.isSettled || tool.annotations?.readOnly === true
        ? { status: "cancelled", errorCode: "call.cancelled", text: phrases.cancelled(outcome.reason) }
        : outcomeUnknown;
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

function readReturned(returned: unknown, live: AdmittedLiveCall): Soon<Ending> {
  const { tool, scope } = live;
  const output = asToolOutput(returned, live);
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
function asToolOutput(returned: unknown, live: AdmittedLiveCall): ToolOutput | undefined {
  if (isToolOutput(returned)) return returned;
  if (live.tool.validateOutput !== undefined || typeof returned !== "object" || returned === null) return undefined;
  try {
    return hasOutputShape(returned as ToolOutput, live) ? (returned as ToolOutput) : undefined;
  } catch {
    // It cannot even be looked at; the encoder says so in its place.
    return undefined;
  }
}

function hasOutputShape(returned: ToolOutput, live: AdmittedLiveCall): boolean {
  const keys = Object.keys(returned);
  if (!keys.includes("content") || keys.some((key) => key !== "content" && key !== "isError" && key !== "data"))
    return false;
  const { content, isError } = returned;
  if (Array.isArray(content)) for (const part of content) if (isMeantAsFile(part)) tellOddPart(part, live);
  const isContent = typeof content === "string" || (Array.isArray(content) && content.every(isContentPart));
  return isContent && (isError === undefined || typeof isError === "boolean");
}

/** A part that is none is shown as what it is, not dropped. */
function toContentPart(part: unknown, live: AdmittedLiveCall): ContentPart {
  tellOddPart(part, live);
  return isContentPart(part) ? part : { type: "text", text: encodeJson(part) };
}

/** In data, parts of other kinds are nobody's mistake. */
function isMeantAsFile(part: unknown): boolean {
  const { type, mediaType, mimeType } = (part ?? {}) as Readonly<Record<string, unknown>>;
  return type === "file" || type === "image" || type === "audio" || (mediaType ?? mimeType) !== undefined;
}

/** Base64 or the picture of another library in the place of a part is a long text to the model. */
function tellOddPart(part: unknown, { tool, scope }: AdmittedLiveCall): void {
  if (isContentPart(part)) return;
  const message =
    `\`${tool.name}\` gave a part of another form, which the model reads as text; a file is ` +
    '`{ type: "file", mediaType: "image/png", data: { type: "data", data: BASE64 } }` or has `data: { type: "url", url }`';
  scope.slots.logOnce(tool, { level: "warn", message });
}

function readToolOutput(output: ToolOutput, returned: unknown, live: AdmittedLiveCall): Soon<Ending> {
  const { content, data } = output;
  const isFailure = output.isError === true;
  const parts: ContentPart[] | undefined = Array.isArray(content)
    ? content.map((part) => toContentPart(part, live))
    : undefined;
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

function readThrown(error: unknown, live: AdmittedLiveCall): Ending {
  const { tool, scope } = live;
  if (isFatalToolError(error)) {
    live.fail(error, true);
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
  if (mode === "throw") live.fail(error, true);
  const text = mode === "observe" ? phrases.toolError(mask(phrases.thrownText(error))) : phrases.GENERIC_FAILURE;
  return { status: "failed", errorCode: "tool.failed", text };
}
