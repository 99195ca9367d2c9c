// How the end of a call, of a run or of a command becomes the exit code of the process. Exact by contract.
// The table stands in the help too; a script relies on it, so a code never changes its meaning.

import { isToolError, isToolpostError } from "../core/errors.ts";
import type { ToolResult } from "../core/result.ts";
import type { RunResult } from "../core/run-result.ts";
import { UsageError } from "./command.ts";
import { ConfigurationError } from "./configuration-error.ts";

export const exitCodes = {
  ok: 0,
  failed: 1,
  usage: 2,
  configuration: 3,
  waiting: 4,
  denied: 5,
  limit: 6,
  cancelled: 130,
} as const;

export function exitCodeOfCall(result: ToolResult): number {
  switch (result.status) {
    case "ok":
      return exitCodes.ok;
    case "waiting":
    case "declined":
      return exitCodes.waiting;
    case "denied":
      return exitCodes.denied;
    case "timed-out":
      return exitCodes.limit;
    case "cancelled":
      return exitCodes.cancelled;
    case "not-started":
      return result.errorCode === "call.cancelled" ? exitCodes.cancelled : exitCodes.limit;
    case "unknown":
      return exitCodes.failed;
    case "failed":
      return isUnknownTool(result) ? exitCodes.usage : exitCodes.failed;
  }
}

/** The code alone would not do: a tool's own error may bear the same one. */
export function isUnknownTool({ source, errorCode }: ToolResult): boolean {
  return source === "unknown" && errorCode === "tool.unknown";
}

export function exitCodeOfRun({ status }: RunResult): number {
  if (status === "done") return exitCodes.ok;
  return status === "waiting" ? exitCodes.waiting : exitCodes.limit;
}

/** Of what a command threw, a run's rejection for one. */
export function exitCodeOfError(error: unknown): number {
  if (error instanceof UsageError) return exitCodes.usage;
  // What a tool throws may bear any code.
  if (!isToolpostError(error) || isToolError(error)) return exitCodes.failed;
  if (error instanceof ConfigurationError) return exitCodes.configuration;
  if (error.code === "run.cancelled") return exitCodes.cancelled;
  if (error.code === "limit.tool-calls" || error.code === "budget.exceeded") return exitCodes.limit;
  if (unanswerable.has(error.code)) return exitCodes.waiting;
  return "problems" in error || configurationCodes.test(error.code) ? exitCodes.configuration : exitCodes.failed;
}

/** The question was settled before, by a person or by time. */
const unanswerable: ReadonlySet<string> = new Set([
  "approval.already-answered",
  "approval.expired",
  "approval.unknown-pause",
]);

/** What is mended in a file or by an `npm install`, before anything can start. */
const configurationCodes =
  /^(?:config|agent)\.|^app\.invalid$|^run\.needs-engine$|^model\.(?:missing-package|unknown-string|unsupported)$|^scripted\.file-invalid$|^mcp\.missing-package$|^tool\.duplicate-name$/;
