// A line about an event, for whoever watches a call or a run on standard error.
// One line an event, whatever the event holds.

import type { AgentEvent } from "../core/event.ts";
import { formatDuration, formatInteger } from "../std/format.ts";
import { encodeJson } from "../std/json.ts";
import { oneLine } from "../std/text.ts";

/** Progress of a tool: `lookup_order: 50 %`; `undefined` for other events. */
export function progressLine(event: AgentEvent): string | undefined {
  if (event.type !== "tool-call-progress") return undefined;
  return `${event.tool}: ${oneLine(typeof event.data === "string" ? event.data : encodeJson(event.data))}`;
}

/** The end of a call in a run: `lookup_order (native): ok, 12 ms, 345 bytes`; `undefined` for other events. */
export function callLine(event: AgentEvent): string | undefined {
  if (event.type !== "tool-call-end") return undefined;
  const { status, errorCode, durationMs, size } = event.result;
  const ending = errorCode === undefined ? status : `${status} (${errorCode})`;
  return `${event.tool} (${event.source}): ${ending}, ${formatDuration(durationMs)}, ${formatInteger(size.total)} bytes`;
}
