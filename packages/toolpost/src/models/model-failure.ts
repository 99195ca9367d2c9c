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
  const status = refusalStatus(error);
  return new ModelError("model.failed", `${modelId} failed${kind(error)}: ${reason(error)}`, {
    cause: error,
    data: { content, ...(status !== undefined && { status }) },
  });
}

/** The provider named no error but said that its answer failed, some in a word of their own. */
export function modelEndedInError(modelId: string, content: readonly ReplyPart[], rawFinish?: string): ModelError {
  const word = rawFinish === undefined || rawFinish === "error" ? "" : ` (${oneLine(rawFinish)})`;
  return new ModelError("model.failed", `${modelId} failed: it ended with finish reason "error"${word}`, {
    data: { content, ...(rawFinish !== undefined && { rawFinish }) },
  });
}

/** The reply is not whole. `where` says how far it got, for example `before its finish part`. */
export function streamCut(modelId: string, where: string, content: readonly ReplyPart[]): ModelError {
  return new ModelError("model.stream-cut", `the stream of ${modelId} ended ${where}`, { data: { content } });
}

/** Whether a package noticed itself that its stream was closed early; it says so in words only. */
export function saysStreamEnded(error: unknown): boolean {
  const message = field(error, "message");
  return (
    field(error, "name") === "AI_InvalidResponseDataError" &&
    typeof message === "string" &&
    /stream ended/.test(message)
  );
}

/** What kind of failure it was: the HTTP status of a refusal, or the system's code of a connection that broke. */
function kind(error: unknown): string {
  const status = refusalStatus(error);
  if (status !== undefined) return ` with status ${status}`;
  const code = systemCode(error);
  return code === undefined ? "" : ` with ${code}`;
}

/** Of the AI SDK's APICallError; one of a successful status is about what came after. */
function refusalStatus(error: unknown): number | undefined {
  const status = field(error, "statusCode");
  return typeof status === "number" && status >= 400 ? status : undefined;
}

/** Such as ECONNRESET, from the error or what caused it. Messages of causes may quote a body, so they are not told. */
export function systemCode(error: unknown): string | undefined {
  let cause = error;
  for (let depth = 0; depth < 8 && cause !== undefined; depth++, cause = field(cause, "cause")) {
    const code = field(cause, "code");
    if (typeof code === "string" && /^E[A-Z]+$|^UND_ERR_[A-Z_]+$/.test(code)) return code;
  }
  return undefined;
}

/** Providers reject with Errors, strings, or the error objects of their wire: `{ message }`, `{ error: { message } }`. */
function reason(error: unknown): string {
  const texts = [error, field(error, "message"), field(field(error, "error"), "message"), field(error, "error")];
  const text = texts.find((candidate) => typeof candidate === "string" && candidate.trim() !== "");
  return text === undefined ? "it gave no reason" : cutUtf8(oneLine((text as string).trim()), maxReasonBytes).text;
}

/** A field of a foreign value; `undefined` where there is none. */
export function field(value: unknown, name: string): unknown {
  return typeof value === "object" && value !== null ? (value as Record<string, unknown>)[name] : undefined;
}

const maxReasonBytes = 300;
