// One line for each event of a run that tells something. A worker that takes a run up is told what is new alone: what
// happened before is in the run's journal, and nobody hears of it twice.

import type { AgentEvent } from "toolpost";

export function sayEvent(event: AgentEvent): void {
  const line = lineOf(event);
  if (line !== undefined) console.log(line);
}

function lineOf(event: AgentEvent): string | undefined {
  switch (event.type) {
    case "tool-call-start":
      return `calls ${event.tool} ${JSON.stringify(event.input)}`;
    case "tool-call-end":
      return `${event.tool} ${event.result.status}: ${event.result.text}`;
    case "run-wait":
      return `the run waits for ${event.pending[0]?.value.kind === "question" ? "an answer" : "approval"}`;
    case "run-end":
      // Where the application was closed, it is this worker that ends: the run is left to the next one.
      if (event.errorCode === "app.closed") return undefined;
      return `the run ends: ${event.status}${event.errorCode === undefined ? "" : ` (${event.errorCode})`}`;
    default:
      return undefined;
  }
}
