// What a running tool shows of its progress, as an event: masked and bounded like its result, never to the model.
// It must not end the call, whatever the tool shows.

import type { ToolCall } from "../core/call.ts";
import type { AnyTool } from "../core/tool.ts";
import type { Json } from "../std/json.ts";
import { toJson } from "../std/json.ts";
import { boundText } from "./bound-text.ts";
import type { CallScope } from "./call-scope.ts";

/** A snapshot, structured where masking left it so. Never throws: a tool's progress must not end its call. */
export function showProgress(data: unknown, call: ToolCall, tool: AnyTool, scope: CallScope): void {
  try {
    scope.timePassed();
    scope.emit({
      type: "tool-call-progress",
      runId: scope.runId,
      at: scope.now,
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
