// From replies and results to the history the model reads next. Append only; valid whatever the model wrote:
// one result per call, in the model's order, legal names, arguments that are JSON.

import type { AssistantPart, Message, ToolCallPart, ToolResultOutput, ToolResultPart } from "../core/message.ts";
import type { ModelReply, ReplyPart, ReplyToolCall } from "../core/model.ts";
import { isLegalName, longestName, sanitizeName } from "../core/name.ts";
import type { ContentPart, ToolResult } from "../core/result.ts";
import type { Json, JsonParse } from "../std/json.ts";
import { parseJson, toJson } from "../std/json.ts";
import { wellFormed } from "../std/text.ts";

/** The calls of a reply that Toolpost executes, told by content. */
export function callsOf({ content }: ModelReply): readonly ReplyToolCall[] {
  // Mostly a reply is calls, or none.
  let count = 0;
  for (let index = 0; index < content.length; index++) if (isOwnCall(content[index])) count++;
  if (count === 0) return noCalls;
  return count === content.length ? (content as readonly ReplyToolCall[]) : content.filter(isOwnCall);
}

const noCalls: readonly ReplyToolCall[] = Object.freeze([]);

function isOwnCall(part: ReplyPart | undefined): part is ReplyToolCall {
  return part?.type === "tool-call" && part.providerExecuted !== true;
}

export function textOf(reply: ModelReply): string {
  let text = "";
  for (const part of reply.content) if (part.type === "text") text += part.text;
  return text;
}

/** The arguments of a call as they are read: blank ones mean none. */
export function readArguments({ input }: ReplyToolCall): JsonParse {
  return parseJson(input.trim() === "" ? "{}" : input);
}

/**
 * The assistant's message; `undefined` for a reply that holds nothing. `ids` and `read` are the ids and the arguments of
 * `callsOf(reply)`.
 */
export function assistantMessage(
  reply: ModelReply,
  ids: readonly string[],
  read: readonly JsonParse[] = callsOf(reply).map(readArguments),
): Message | undefined {
  const parts = reply.content.filter(isSaid);
  if (parts.length === 0) return undefined;
  let next = 0;
  const content = parts.map((part): AssistantPart => {
    if (part.type !== "tool-call") return plainPart(part);
    if (part.providerExecuted === true) return callPart(part, part.toolCallId, readArguments(part));
    const index = next++;
    return callPart(part, ids[index] ?? part.toolCallId, read[index] ?? readArguments(part));
  });
  return { role: "assistant", content };
}

/** Providers refuse empty texts in a history. */
function isSaid(part: ReplyPart): boolean {
  return part.type !== "text" || part.text !== "";
}

/** Well-formed and plain JSON: a history is stored and sent as such. */
function plainPart(part: Exclude<ReplyPart, ReplyToolCall>): AssistantPart {
  if (part.type === "text" || part.type === "reasoning")
    return part.text.isWellFormed() ? part : { ...part, text: wellFormed(part.text) };
  return part.type === "tool-result" ? { ...part, output: toJson(part.output) as never } : part;
}

/** The results of one turn, in the model's order. */
export function toolMessage(calls: readonly ReplyToolCall[], results: readonly ToolResult[]): Message {
  return {
    role: "tool",
    content: results.map((result, index) => resultPart(result, calls[index]?.toolName ?? result.tool)),
  };
}

/**
 * A name every provider takes in a history, also where the model made one up. Packages look names up in plain objects,
 * so one that every object has would be sent as something else.
 */
function historyName(name: string): string {
  const legal = isLegalName(name) ? name : sanitizeName(name).slice(0, longestName) || "unknown";
  return legal in Object.prototype ? `${legal}_` : legal;
}

function callPart(call: ReplyToolCall, toolCallId: string, read: JsonParse): ToolCallPart {
  const part: ToolCallPart = {
    type: "tool-call",
    toolCallId,
    toolName: historyName(call.toolName),
    input: historyInput(read),
  };
  if (call.providerExecuted !== true && call.providerOptions === undefined) return part;
  return {
    ...part,
    ...(call.providerExecuted === true ? { providerExecuted: true } : {}),
    ...(call.providerOptions === undefined ? {} : { providerOptions: call.providerOptions }),
  };
}

/** Arguments that are no JSON object would make the next request invalid; the raw text is in the log only. */
function historyInput(parsed: JsonParse): Json {
  return parsed.ok && typeof parsed.value === "object" && parsed.value !== null && !Array.isArray(parsed.value)
    ? parsed.value
    : {};
}

function resultPart(result: ToolResult, calledName: string): ToolResultPart {
  return {
    type: "tool-result",
    toolCallId: result.callId,
    toolName: historyName(calledName),
    output: resultOutput(result),
  };
}

function resultOutput(result: ToolResult): ToolResultOutput {
  if (result.content !== undefined) return { type: "content", value: result.content as readonly ContentPart[] };
  return result.isError ? { type: "error-text", value: result.text } : { type: "text", value: result.text };
}
