// Shows a run while it goes on: the model's text as it comes, and one line for each call.

import type { AgentEvent, ToolResult } from "toolpost";

type Write = (text: string) => void;

/** Prints the events of a run until it ends or waits for a person, and gives them all. */
export async function printEvents(events: AsyncIterable<AgentEvent>, write: Write): Promise<AgentEvent[]> {
  const seen: AgentEvent[] = [];
  let isInText = false;
  const endText = (): void => {
    if (isInText) write("\n");
    isInText = false;
  };
  for await (const event of events) {
    seen.push(event);
    if (event.type === "text-delta") {
      write(isInText ? event.text : `\nassistant  ${event.text}`);
      isInText = true;
      continue;
    }
    endText();
    if (event.type === "approval-request") write(`  ask      ${event.tool} needs approval\n`);
    if (event.type === "approval-decide")
      write(`  answer   ${event.tool}: ${event.decision}${event.isEdited ? " (edited)" : ""}\n`);
    if (event.type === "tool-call-end") write(callLines(event.result));
    if (event.type === "run-wait") break;
  }
  endText();
  return seen;
}

function callLines({ tool, source, status, durationMs, size, text, isError }: ToolResult): string {
  const time = `${Math.round(durationMs)} ms`.padStart(8);
  const bytes = `${size.total.toLocaleString("en")} bytes`.padStart(12);
  const cut = size.isTruncated ? `, cut to ${size.kept.toLocaleString("en")}` : "";
  const line = `  call     ${tool.padEnd(15)} ${source.padEnd(7)} ${status.padEnd(8)} ${time} ${bytes}${cut}\n`;
  return isError ? `${line}           ${text}\n` : line;
}
