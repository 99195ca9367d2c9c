// Errors as a journal holds them, and errors made of what it holds: after a crash a run rejects as it did before.
// It must not write what a fatal error says: journals are read by many.

import type { Json } from "../std/json.ts";
import { toJson } from "../std/json.ts";
import { wellFormed } from "../std/text.ts";
import { FatalToolError, isFatalToolError, isToolpostError, ToolpostError } from "./errors.ts";
import type { Failure } from "./run.ts";
import {
  BudgetExceededError,
  ExecutionLeaseLostError,
  LimitExceededError,
  ModelError,
  RunCancelledError,
  RunError,
} from "./run-errors.ts";

/** What is kept of anything thrown. Code and data only of errors that are meant for programs. Never throws. */
export function failureOf(error: unknown): Failure {
  const message = wellFormed(textOf(error));
  try {
    if (isFatalToolError(error)) return { message: "a tool ended the run", code: "tool.fatal" };
    if (!isToolpostError(error)) return { message };
    const { code, data } = error;
    return data === undefined ? { message, code } : { message, code, data: toJson(data) };
  } catch {
    return { message };
  }
}

function textOf(error: unknown): string {
  try {
    return error instanceof Error ? String(error.message) : String(error);
  } catch {
    return "an error that cannot be read";
  }
}

/** An error of the class that its code stands for; one without a code is an `Error`. */
export function errorFrom({ message, code, data }: Failure): Error {
  if (code === undefined) return new Error(message);
  const fields = (data ?? {}) as { readonly [key: string]: Json };
  switch (code) {
    case "tool.fatal":
      return new FatalToolError(message);
    case "limit.tool-calls":
      return new LimitExceededError(Number(fields.limit));
    case "budget.exceeded":
      return new BudgetExceededError(fields.kind as "calls", Number(fields.limit), Number(fields.used));
    case "run.cancelled":
      return new RunCancelledError(message, message);
    case "run.lease-lost":
      return new ExecutionLeaseLostError(String(fields.runId));
  }
  const details = data === undefined ? {} : { data };
  if (code.startsWith("model.")) return new ModelError(code as "model.failed", message, details);
  return code.startsWith("run.") ? new RunError(code, message, details) : new ToolpostError(code, message, details);
}
