// Tells listeners and hooks of a call: that it begins, and its result. Silent where an attempt before may have told of it.
// It must not change the call, whatever they do.

import type { AgentEvent } from "../core/event.ts";
import type { ToolResult } from "../core/result.ts";
import { unlessAborted } from "../std/abort.ts";
import type { Json } from "../std/json.ts";
import { encodeJson, parseJson } from "../std/json.ts";
import { lazyField } from "../std/lazy-field.ts";
import type { Soon } from "../std/soon.ts";
import { notifyHooks } from "./call-hooks.ts";
import type { CallScope } from "./call-scope.ts";
import type { LiveCall } from "./live-call.ts";
import { nextInCall } from "./live-call.ts";
import { maskOrWithhold } from "./mask-or-withhold.ts";

export function announceStart(live: LiveCall): void {
  const { call, tool, scope } = live;
  const event = {
    type: "tool-call-start",
    runId: scope.runId,
    at: scope.now,
    callId: call.callId,
    tool: tool?.name ?? call.tool,
    source: tool?.source ?? "unknown",
  };
  // A program's value may change before anybody reads the event.
  const input = typeof call.input === "string" ? call.input : encodeJson(call.input.json);
  withInput(event, { input, scope });
  live.emit(event as unknown as AgentEvent);
  if (!live.run.isReplaying) void notifyHooks("onToolStart", live);
}

const withInput = lazyField("input", shownInput);

/** Escapes are resolved before masking: `\\u002d` must not hide what it spells. */
function shownText(input: string): string {
  const parsed = parseJson(input);
  return parsed.ok ? encodeJson(parsed.value) : input;
}

function shownInput({ input, scope }: { readonly input: string; readonly scope: CallScope }): Json {
  const masked = maskOrWithhold(scope)(shownText(input));
  try {
    return JSON.parse(masked) as Json;
  } catch {
    return masked;
  }
}

export function announceEnd(result: ToolResult, live: LiveCall): Soon<ToolResult> {
  if (live.scope.slots.hooks.length === 0 || live.run.isReplaying) return announced(result, live);
  const waits = notifyHooks("afterTool", live, { result, output: live.output });
  if (waits === undefined) return announced(result, live);
  return nextInCall(unlessAborted(waits, live.scope.abort), () => announced(result, live), live);
}

function announced(result: ToolResult, live: LiveCall): ToolResult {
  live.context.end();
  const { callId, tool, source } = result;
  const { scope } = live;
  live.emit({ type: "tool-call-end", runId: scope.runId, at: scope.now, callId, tool, source, result });
  if (scope.slots.hooks.length > 0 && !live.run.isReplaying)
    void notifyHooks("onToolEnd", live, { result, isResultTruncated: result.size.isTruncated });
  return result;
}
