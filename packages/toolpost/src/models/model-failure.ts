// The errors of one model call, phrased in one short line.
// A message must not quote what was sent: bodies and headers stay in the provider's own error, the `cause`.

import { isToolpostError } from "../core/errors.ts";
import type { ReplyPart } from "../core/model.ts";
import { ModelError } from "../core/run-errors.ts";
import { cutUtf8, oneLine } from "../std/text.ts";

/**
 * The provider failed. An error that is Toolpost's own already says what to do and is given back as it is.
 * @param content what had arrived
 */
export function modelFailed(modelId: string, error: unknown, content: readonly ReplyPart[]): Error {
  if (isToolpostError(error)) return error;
  return new ModelError("model.failed", `${modelId} failed${status(error)}: ${reason(error)}`, {
    cause: error,
    data: { content },
  });
}

/** The provider named no error but said that its answer failed. */
export function modelEndedInError(modelId: string, content: readonly ReplyPart[]): ModelError {
  return new ModelError("model.failed", `${modelId} failed: it ended with finish reason "error"`, {
    data: { content },
  });
}

/** The reply is not whole. `where` says how far it got, for example `before its finish part`. */
export function streamCut(modelId: string, where: string, content: readonly ReplyPart[]): ModelError {
  return new ModelError("model.stream-cut", `the stream of ${modelId} ended ${where}`, { data: { content } });
}

/** The HTTP status, where the error is the AI SDK's APICallError or looks like it. */
function status(error: unknown): string {
  const code = field(error, "statusCode");
  return typeof code === "number" ? ` with status ${code}` : "";
}

/** Providers reject with Errors, strings, or the error objects of their wire: `{ message }`, `{ error: { message } }`. */
function reason(error: unknown): string {
  const texts = [error, field(error, "message"), field(field(error, "error"), "message"), field(error, "error")];
  const text = texts.find((candidate) => typeof candidate === "string" && candidate.trim() !== "");
  return text === undefined ? "it gave no reason" : cutUtf8(oneLine((text as string).trim()), maxReasonBytes).text;
}

function field(value: unknown, name: string): unknown {
  return typeof value === "object" && value !== null ? (value as Record<string, unknown>)[name] : undefined;
}

const maxReasonBytes = 300;
