// From replies and results to the history the model reads next. Append only; valid whatever the model wrote:
// one result per call, in the model's order, legal names, arguments that are JSON.

import type { AssistantPart, Message, ToolCallPart, ToolResultOutput, ToolResultPart } from "../core/message.ts";
import type { ModelReply, ReplyPart, ReplyToolCall } from "../core/model.ts";
import { isLegalName, longestName, sanitizeName } from "../core/name.ts";
import type { ContentPart, ToolResult } from "../core/result.ts";
import type { Json } from "../std/json.ts";
import { parseJson, toJson } from "../std/json.ts";
import { wellFormed } from "../std/text.ts";

/** The calls of a reply that Toolpost executes, told by content. */
export function callsOf(reply: ModelReply): ReplyToolCall[] {
  return reply.content.filter(
    (part): part is ReplyToolCall => part.type === "tool-call" && part.providerExecuted !== true,
  );
}

export function textOf(reply: ModelReply): string {
  let text = "";
  for (const part of reply.content) if (part.type === "text") text += part.text;
  return text;
}

/** The assistant's message; `undefined` for a reply that holds nothing. `ids` are those of `callsOf(reply)`. */
export function assistantMessage(reply: ModelReply, ids: readonly string[]): Message | undefined {
  let next = 0;
  const content: AssistantPart[] = [];
  for (const part of reply.content) {
    if (part.type !== "tool-call") {
      if (part.type !== "text" || part.text !== "") content.push(plainPart(part));
    } else {
      content.push(callPart(part, part.providerExecuted === true ? part.toolCallId : (ids[next++] ?? part.toolCallId)));
    }
  }
  return content.length === 0 ? undefined : { role: "assistant", content };
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

function callPart(call: ReplyToolCall, toolCallId: string): ToolCallPart {
  const part: ToolCallPart = {
    type: "tool-call",
    toolCallId,
    toolName: historyName(call.toolName),
    input: historyInput(call.input),
  };
  if (call.providerExecuted !== true && call.providerOptions === undefined) return part;
  return {
    ...part,
    ...(call.providerExecuted === true ? { providerExecuted: true } : {}),
    ...(call.providerOptions === undefined ? {} : { providerOptions: call.providerOptions }),
  };
}

/** Arguments that are no JSON object would make the next request invalid; the raw text is in the log only. */
function historyInput(text: string): Json {
  const parsed = parseJson(text.trim() === "" ? "{}" : text);
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
