// What a tool may return, and what a call of it ends with.
// Plain data and its constructors; nothing here encodes, masks or cuts.

import type { Json } from "../std/json.ts";
import type { Spend } from "./budget.ts";
import { isMarked, mark } from "./mark.ts";
import type { FilePart, TextPart } from "./message.ts";
import type { ToolSourceKind } from "./tool.ts";

const OUTPUT = Symbol.for("toolpost.tool-output");
const ASK = Symbol.for("toolpost.tool-ask");

export type ContentPart = TextPart | FilePart;

/**
 * Full control over a result. `content` is what the model reads, `data` never reaches it but hooks, events and the
 * report. An unmarked object with only these keys counts as one where the tool has no `output` schema.
 */
export interface ToolOutput {
  readonly content: string | readonly ContentPart[];
  readonly isError?: boolean;
  readonly data?: unknown;
}

/** Marks an object as a `ToolOutput`, also under an `output` schema. */
export function toolOutput(output: ToolOutput): ToolOutput {
  return mark({ ...output }, OUTPUT);
}

/** A good result with a text for the model and, if wanted, data for code. */
export function ok(text: string, data?: unknown): ToolOutput {
  return toolOutput(data === undefined ? { content: text } : { content: text, data });
}

/** An error result in the author's words: the model reads `text` as written. */
export function error(text: string, data?: unknown): ToolOutput {
  return toolOutput(data === undefined ? { content: text, isError: true } : { content: text, isError: true, data });
}

/** True for what `toolOutput`, `ok` and `error` made, in any copy of the package. */
export function isToolOutput(value: unknown): value is ToolOutput {
  return isMarked(value, OUTPUT);
}

/** A question a tool asks in the middle of its work. */
export interface ToolAsk {
  readonly question: string;
  /** Plain JSON the tool wants back with the answer. */
  readonly state?: Json;
  /** What the answer may be; free text without it. */
  readonly choices?: readonly string[];
}

/**
 * Returned from `execute` to ask a person. The tool is entered again, with the same input and idempotency key,
 * `ctx.answer` holding the answer and `ctx.askState` the state.
 */
export function ask(question: ToolAsk): ToolAsk {
  return mark({ ...question }, ASK);
}

export function isToolAsk(value: unknown): value is ToolAsk {
  return isMarked(value, ASK);
}

/** Whether a value is a text or file part, whole: one no provider can be sent would fail every later request. */
export function isContentPart(part: unknown): part is ContentPart {
  if (typeof part !== "object" || part === null) return false;
  const { type, text, mediaType, data } = part as Readonly<Record<string, unknown>>;
  if (type === "text") return typeof text === "string";
  return type === "file" && typeof mediaType === "string" && isFileData(data);
}

function isFileData(data: unknown): boolean {
  if (typeof data !== "object" || data === null) return false;
  const { type, data: base64, url } = data as Readonly<Record<string, unknown>>;
  return type === "data" ? typeof base64 === "string" : type === "url" && typeof url === "string" && URL.canParse(url);
}

export type ToolResultStatus =
  | "ok"
  | "failed"
  | "not-started"
  | "denied"
  | "waiting"
  | "declined"
  | "timed-out"
  | "cancelled"
  | "unknown";

/** Sizes in bytes of UTF-8. */
export interface ResultSize {
  /** Before masking and cutting. */
  readonly total: number;
  /** Of the text the model reads, without the marker. */
  readonly kept: number;
  readonly isTruncated: boolean;
}

/** Where the whole text of a cut result is kept. */
export interface ArtefactHandle {
  readonly id: string;
  readonly bytes: number;
}

/** How one call ended. A value, never an exception; plain data but for `data`. */
export interface ToolResult {
  readonly callId: string;
  /** The tool's own name; the called name where there is no such tool. */
  readonly tool: string;
  readonly source: ToolSourceKind | "unknown";
  readonly status: ToolResultStatus;
  /** Status is neither `ok` nor `waiting`. */
  readonly isError: boolean;
  readonly errorCode?: string;
  /** What the model reads: encoded, masked, bounded. */
  readonly text: string;
  /** Set where the result is more than one text: images, audio, files among texts. */
  readonly content?: readonly ContentPart[];
  /** The output's JSON form, whole and unmasked, for code. */
  readonly value?: Json;
  /** `ToolOutput.data`. */
  readonly data?: unknown;
  /** What the tool noted by `ctx.meta()`. */
  readonly meta?: { readonly [key: string]: Json };
  /** Time of its executions, without waiting for a slot or for people; 0 for a call that did not start. */
  readonly durationMs: number;
  readonly size: ResultSize;
  readonly artefact?: ArtefactHandle;
  /** True when this call ends the run. */
  readonly endsRun?: boolean;
  readonly spend?: readonly Spend[];
  /** Set while `status` is `waiting`. */
  readonly pauseId?: string;
}
