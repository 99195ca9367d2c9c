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

/** An error of the class that its code stands for, with all its data; one without a code is an `Error`. */
export function errorFrom({ message, code, data }: Failure): Error {
  if (code === undefined) return new Error(message);
  const error = ofCode(code, message, (data ?? {}) as { readonly [key: string]: Json });
  if (data !== undefined) Object.defineProperty(error, "data", { value: data, enumerable: true });
  return error;
}

function ofCode(code: string, message: string, data: { readonly [key: string]: Json }): ToolpostError {
  switch (code) {
    case "tool.fatal":
      return new FatalToolError(message);
    case "limit.tool-calls":
      return new LimitExceededError(Number(data.limit));
    case "budget.exceeded":
      return new BudgetExceededError(data.kind as "calls", Number(data.limit), Number(data.used));
    case "run.cancelled":
      return new RunCancelledError(message, message);
    case "run.lease-lost":
      return new ExecutionLeaseLostError(String(data.runId));
  }
  if (code.startsWith("model.")) return new ModelError(code as "model.failed", message);
  return code.startsWith("run.") ? new RunError(code, message) : new ToolpostError(code, message);
}
