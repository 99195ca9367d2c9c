// Errors as a journal holds them, and as they come out of it again.
// It must never throw: what went wrong may be any value at all, and hostile when read.

import { isToolpostError, ToolpostError } from "../core/errors.ts";
import type { Failure } from "../core/run.ts";
import { toJson } from "../std/json.ts";
import { wellFormed } from "../std/text.ts";

/** What a journal keeps of an error. Code and data only of those that are meant for programs. */
export function failureOf(error: unknown): Failure {
  const message = wellFormed(textOf(error));
  try {
    if (!isToolpostError(error)) return { message };
    const { code, data } = error;
    return data === undefined ? { message, code } : { message, code, data: toJson(data) };
  } catch {
    return { message };
  }
}

/** The error to throw where only the journal is left of the one that was thrown. */
export function errorOf({ message, code, data }: Failure): Error {
  if (code === undefined) return new Error(message);
  return new ToolpostError(code, message, data === undefined ? {} : { data });
}

function textOf(error: unknown): string {
  try {
    return error instanceof Error ? String(error.message) : String(error);
  } catch {
    return "an error that cannot be read";
  }
}
