// From the ending of a call to the one result the model, hooks and report get.
// Every ending passes here, refusals too: masked, bounded. A guard that cannot run makes the call fail.

import type { ContentPart, ToolResult } from "../core/result.ts";
import { aborted, unlessAborted } from "../std/abort.ts";
import type { Json } from "../std/json.ts";
import { encodeJson, parseJson } from "../std/json.ts";
import type { Soon } from "../std/soon.ts";
import { utf8Length, wellFormed } from "../std/text.ts";
import type { BoundText } from "./bound-text.ts";
import { boundText, truncationMarker } from "./bound-text.ts";
import type { CallScope } from "./call-scope.ts";
import type { Ending } from "./ending.ts";
import { freezeJson } from "./freeze-json.ts";
import type { LiveCall } from "./live-call.ts";
import { nextInCall } from "./live-call.ts";
import { maskOrWithhold } from "./mask-or-withhold.ts";
import * as phrases from "./phrases.ts";

const MOST_FILE_BYTES = 20 * 1024 * 1024;

/** Masks and bounds an ending into the call's result. */
export function settleCall(ending: Ending, live: LiveCall): Soon<ToolResult> {
  const { tool, scope } = live;
  live.output = ending.output;
  const maxBytes = tool?.maxResultSize?.bytes ?? scope.slots.defaults.maxResultSize;
  let bound: Bound;
  try {
    const { content } = ending;
    bound =
      content === undefined
        ? boundText(ending.text, maxBytes, scope.slots.redact)
        : boundContent(content, maxBytes, scope);
  } catch (error) {
    scope.slots.log({ level: "error", message: "masking failed; the result was withheld", error });
    return resultOf(withheld(ending), wholly(phrases.GENERIC_FAILURE), live, undefined);
  }
  if (!bound.isTruncated) return resultOf(ending, bound, live, undefined);
  return nextInCall(keepWhole(ending, live), (artefact) => resultOf(ending, bound, live, artefact), live);
}

/** What is kept of an ending: of its text, and of its parts where it has any. */
interface Bound extends BoundText {
  readonly content?: readonly ContentPart[];
}

function withheld({ status, errorCode }: Ending): Ending {
  return status === "ok"
    ? { status: "failed", errorCode: "tool.failed", text: phrases.GENERIC_FAILURE }
    : { status, errorCode: errorCode ?? "tool.failed", text: phrases.GENERIC_FAILURE };
}

function wholly(text: string): Bound {
  const bytes = utf8Length(text);
  return { text, total: bytes, kept: bytes, isTruncated: false };
}

/** Fields are set one by one, as a spread for each that may be missing costs more than the masking. */
function resultOf(
  ending: Ending,
  { text, total, kept, isTruncated, content }: Bound,
  { call, tool, scope, meta, spend, executionMs }: LiveCall,
  artefact: ToolResult["artefact"],
): ToolResult {
  const { status, value } = ending;
  const { callId } = call;
  const name = tool?.name ?? call.tool;
  const source = tool?.source ?? "unknown";
  const isError = status !== "ok" && status !== "waiting";
  const size = { total, kept, isTruncated };
  // Most results have a value: a field in the literal costs nothing, one that is added does.
  const result: { -readonly [Key in keyof ToolResult]: ToolResult[Key] } =
    value === undefined
      ? { callId, tool: name, source, status, isError, text, durationMs: executionMs, size }
      : { callId, tool: name, source, status, isError, text, durationMs: executionMs, size, value };
  if (ending.errorCode !== undefined) result.errorCode = ending.errorCode;
  if (content !== undefined) {
    // Hooks and listeners see it before the model reads it.
    freezeJson(content);
    result.content = content;
  }
  if (ending.data !== undefined) result.data = ending.data;
  if (meta !== undefined) result.meta = maskedMeta(meta, scope);
  if (artefact !== undefined) result.artefact = artefact;
  if (ending.endsRun === true) result.endsRun = true;
  if (spend !== undefined) result.spend = spend;
  if (ending.pauseId !== undefined) result.pauseId = ending.pauseId;
  return isOnlyForCaller(scope) ? result : Object.freeze(result);
}

/** Of a direct call without hooks nobody sees the result but who called. */
function isOnlyForCaller({ agent, slots }: CallScope): boolean {
  return agent === undefined && slots.hooks.length === 0;
}

function maskedMeta(meta: { readonly [key: string]: Json }, scope: CallScope): { readonly [key: string]: Json } {
  const masked = maskOrWithhold(scope)(encodeJson(meta));
  const parsed = parseJson(masked);
  return parsed.ok ? (parsed.value as { [key: string]: Json }) : { masked };
}

/** Texts share one bound, in order; files count by a limit of their own. */
function boundContent(content: readonly ContentPart[], maxBytes: number, scope: CallScope): Bound {
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
  return { text, content: parts, total, kept, isTruncated };
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
