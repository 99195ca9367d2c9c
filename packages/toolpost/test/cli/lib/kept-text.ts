// What the command prints of stored runs, with what differs each time written the same: ids, times, spans.
import type { RunResult } from "../../../src/core/run-result.ts";

/** `RUN`, `PAUSE-1` in the order they wait, `TIME`, `SPAN`. */
export function steady(text: string, { runId, pending }: Pick<RunResult, "runId" | "pending">): string {
  const ids = new Map(pending.map(({ pauseId = "" }, index) => [pauseId, `PAUSE-${index + 1}`]));
  return text
    .replaceAll(runId, "RUN")
    .replace(/pause_[\w-]{22}/g, (id) => ids.get(id) ?? id)
    .replace(/\d{4}-\d\d-\d\d \d\d:\d\d:\d\d/g, "TIME")
    .replace(/\b\d+(?:\.\d)? (?:ms|s|min|h|d)\b/g, "SPAN");
}
