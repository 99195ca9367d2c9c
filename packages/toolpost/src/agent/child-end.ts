// How a run that is a call of another one tells that run of its end: with what it used, also where it failed.
// It must not hide a fatal error behind another.

import type { ChildEnd } from "../core/child-run.ts";
import { isFatalToolError } from "../core/errors.ts";
import { failureOf } from "../core/failure.ts";
import { RunError } from "../core/run-errors.ts";
import type { RunResult } from "../core/run-result.ts";
import { toJson } from "../std/json.ts";
import type { AgentRun } from "./agent-run.ts";

export function childEndOf({ status, stoppedBy, text, output }: RunResult, { used }: AgentRun): ChildEnd {
  return {
    status: status === "stopped" ? "stopped" : "done",
    text,
    used,
    ...(stoppedBy === undefined ? {} : { stoppedBy }),
    ...(output === undefined ? {} : { output: toJson(output) }),
  };
}

/** The error, with what the run had used. One that ends all runs above it stays as it is. */
export function childFailureOf(error: unknown, state: AgentRun): unknown {
  if (isFatalToolError(error)) return error;
  const { message, code = "tool.failed", data } = failureOf(error);
  const fields = typeof data === "object" && data !== null && !Array.isArray(data) ? data : {};
  return new RunError(code, message, { data: { ...fields, account: toJson(state.used) }, cause: error });
}
