// What a language model gives back, read into the parts of a reply: one reading for specification v2, v3 and v4.
// Everything here comes from outside, so a field may be missing or of another kind; what is unknown is left out.
// Source: LanguageModelV2, V3 and V4 Content, StreamPart, FinishReason and Usage of @ai-sdk/provider 2, 3 and 4.

import type { Usage } from "../core/budget.ts";
import { noUsage } from "../core/budget.ts";
import type { FilePart, ProviderData, ToolResultOutput } from "../core/message.ts";
import type { FinishReason, ReplyPart } from "../core/model.ts";
import type { Json } from "../std/json.ts";
import { oneLine } from "../std/text.ts";

/** A part of a reply or of its stream, of any version, by the fields that are read. */
export interface ForeignPart {
  readonly type: string;
  readonly id?: string;
  readonly delta?: string;
  readonly text?: string;
  readonly toolCallId?: string;
  readonly toolName?: string;
  readonly input?: unknown;
  readonly providerExecuted?: boolean;
  readonly result?: unknown;
  readonly isError?: boolean;
  readonly preliminary?: boolean;
  readonly mediaType?: string;
  readonly data?: unknown;
  readonly providerMetadata?: ProviderData;
  readonly finishReason?: unknown;
  readonly warnings?: unknown;
  readonly usage?: unknown;
  readonly error?: unknown;
}

/** `interrupted`: the provider itself says that its answer was cut off, so there is no whole reply. */
export type ForeignFinish = FinishReason | "interrupted";

/** The parts of a whole reply that a history holds. */
export function toReplyParts(parts: readonly ForeignPart[]): ReplyPart[] {
  const replyParts: ReplyPart[] = [];
  for (const part of parts) {
    const replyPart = toReplyPart(part);
    if (replyPart !== undefined) replyParts.push(replyPart);
  }
  return replyParts;
}

/** One whole part; `undefined` for what a history does not hold (sources, previews, empty texts, unknown types). */
export function toReplyPart(part: ForeignPart): ReplyPart | undefined {
  switch (part?.type) {
    case "text":
    case "reasoning":
      return textPart(part.type, part.text ?? "", part.providerMetadata);
    case "tool-call":
      return toCall(part);
    case "tool-result":
      // A preview; the final result follows.
      if (part.preliminary === true) return undefined;
      return withMetadata(
        {
          type: "tool-result",
          toolCallId: part.toolCallId ?? "",
          toolName: typeof part.toolName === "string" ? part.toolName : String(part.toolName ?? ""),
          output: toResultOutput(part.result, part.isError === true),
        },
        part.providerMetadata,
      );
    case "file":
      return toFilePart(part);
    default:
      return undefined;
  }
}

function toCall(part: ForeignPart): ReplyPart {
  const { toolCallId, toolName, input, providerExecuted, providerMetadata } = part;
  const call: ReplyPart = {
    type: "tool-call",
    toolCallId: toolCallId ?? "",
    toolName: typeof toolName === "string" ? toolName : String(toolName ?? ""),
    input: typeof input === "string" ? input : (JSON.stringify(input) ?? ""),
  };
  return withMetadata(providerExecuted === true ? { ...call, providerExecuted } : call, providerMetadata);
}

/** A text; `undefined` where nothing was said: providers refuse empty texts in a history. Metadata alone counts. */
export function textPart(
  type: "text" | "reasoning",
  text: string,
  metadata: ProviderData | undefined,
): ReplyPart | undefined {
  return text === "" && metadata === undefined ? undefined : withMetadata({ type, text }, metadata);
}

/** From a v2 string or a v3/v4 `{ unified, raw }`. What is not known is `other`. */
export function toFinish(reason: unknown): ForeignFinish {
  const unified = isObject(reason) ? reason.unified : reason;
  switch (unified) {
    case "stop":
    case "length":
    case "content-filter":
    case "tool-calls":
    case "error":
    case "interrupted":
      return unified;
    default:
      return "other";
  }
}

/**
 * The provider's own word, `undefined` where none came. v2 models do not tell it, only whether there was none (`unknown`)
 * or one that they do not know (`other`, kept as the word).
 */
export function toRawFinish(reason: unknown): string | undefined {
  const raw = isObject(reason) ? reason.raw : reason === "other" ? reason : undefined;
  return typeof raw === "string" ? raw : undefined;
}

/** From v2's flat figures or v3's and v4's nested ones. A missing figure is 0, a missing total the sum. */
export function toUsage(usage: unknown): Usage {
  if (!isObject(usage)) return noUsage;
  const { inputTokens: input, outputTokens: output } = usage;
  const inputTokens = count(isObject(input) ? input.total : input);
  const outputTokens = count(isObject(output) ? output.total : output);
  return {
    inputTokens,
    outputTokens,
    totalTokens: count(usage.totalTokens) || inputTokens + outputTokens,
    reasoningTokens: count(isObject(output) ? output.reasoning : usage.reasoningTokens),
    cachedInputTokens: count(isObject(input) ? input.cacheRead : usage.cachedInputTokens),
  };
}

/**
 * Sentences of what a model warns of: settings and features it does not have, in the words of each version.
 * Source: LanguageModelV2CallWarning, SharedV3Warning, SharedV4Warning.
 */
export function toWarnings(warnings: unknown): string[] {
  if (!Array.isArray(warnings) || warnings.length === 0) return [];
  return warnings.map(toWarning).filter((text) => text !== "");
}

function toWarning(warning: unknown): string {
  if (!isObject(warning)) return "";
  const { type, message, details, feature, setting, tool } = warning;
  if (typeof message === "string") return oneLine(message);
  const what = [feature, setting, isObject(tool) ? tool.name : undefined].find((name) => typeof name === "string");
  const why = typeof details === "string" ? `: ${oneLine(details)}` : "";
  return what === undefined
    ? why.slice(2)
    : `\`${what}\` is ${type === "compatibility" ? "imitated" : "not supported"}${why}`;
}

/** Metadata is sent back with the part: signatures of reasoning live in it. */
function withMetadata(part: ReplyPart, metadata: ProviderData | undefined): ReplyPart {
  return metadata === undefined ? part : { ...part, providerOptions: metadata };
}

/** As the AI SDK sends the result of a call that the provider executed back to it. */
function toResultOutput(result: unknown, isError: boolean): ToolResultOutput {
  const value = (result ?? null) as Json;
  if (isError) return { type: "error-json", value };
  return typeof value === "string" ? { type: "text", value } : { type: "json", value };
}

/** `data` is base64 or bytes, in v4 within `{ type: "data" }` or as `{ type: "url" }`. */
function toFilePart({ mediaType, data, providerMetadata }: ForeignPart): ReplyPart | undefined {
  const content = isObject(data) && !(data instanceof Uint8Array) ? (data.url ?? data.data) : data;
  const file = (value: FilePart["data"]): ReplyPart =>
    withMetadata({ type: "file", mediaType: mediaType ?? "application/octet-stream", data: value }, providerMetadata);
  if (isObject(data) && data.type === "url") return file({ type: "url", url: String(content) });
  if (typeof content === "string") return file({ type: "data", data: content });
  if (content instanceof Uint8Array) return file({ type: "data", data: toBase64(content) });
  return undefined;
}

function toBase64(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("base64");
}

function count(figure: unknown): number {
  return typeof figure === "number" && Number.isFinite(figure) && figure > 0 ? figure : 0;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null;
}
