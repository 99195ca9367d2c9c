// Which failures of a model call may be gone a moment later, and how long to wait for that.
// It must not call a failure passing that had an effect somebody saw, or one that time does not mend.
// Source: APICallError of @ai-sdk/provider; RFC 9110, 10.2.3 (Retry-After); `retry-after-ms` and `x-should-retry` of OpenAI and Anthropic.

import { ModelError } from "../core/run-errors.ts";
import { field, systemCode } from "./model-failure.ts";

/** True for refusals under load, faults of the provider and breaks of the network, before anything of a reply arrived. */
export function isPassing(error: unknown): boolean {
  if (!(error instanceof ModelError) || !(error.code === "model.failed" || error.code === "model.stream-cut"))
    return false;
  const arrived = field(error.data, "content");
  if (Array.isArray(arrived) && arrived.length > 0) return false;
  // A connection that was closed before the first word.
  if (error.code === "model.stream-cut") return true;
  // Gemini wrote a call that it cannot read itself: another try is another call.
  if (field(error.data, "rawFinish") === "MALFORMED_FUNCTION_CALL") return true;
  const { cause } = error;
  const wish = field(field(cause, "responseHeaders"), "x-should-retry");
  if (wish === "true" || wish === "false") return wish === "true";
  const kinds = kindsOf(cause);
  if (kinds.some((kind) => lasting.has(kind))) return false;
  const status = field(cause, "statusCode");
  // Below 400 it is about what came after the status.
  if (typeof status === "number" && status >= 400) return status >= 500 || passingStatuses.has(status);
  return kinds.some((kind) => passing.has(kind)) || systemCode(cause) !== undefined || isBrokenFetch(cause);
}

export interface Attempt {
  /** 1 for the first retry. */
  readonly number: number;
  /** Milliseconds since the epoch. */
  readonly now: number;
  readonly random: () => number;
}

/**
 * Milliseconds to wait: what the provider asks for and up to a quarter more, else 1 s, 2 s, 4 s … of which the second half
 * is left to chance, so that many that failed together do not come back together. At most a minute.
 */
export function backoff(error: unknown, { number, now, random }: Attempt): number {
  const asked = askedFor(field(error, "cause"), now);
  const wait =
    asked === undefined ? firstWaitMs * 2 ** (number - 1) * (0.5 + random() / 2) : asked * (1 + random() / 4);
  return Math.min(Math.round(wait), longestWaitMs);
}

const firstWaitMs = 1_000;
const longestWaitMs = 60_000;

const passingStatuses: ReadonlySet<number> = new Set([408, 409, 425, 429]);

/** Names of errors inside a stream, which has no status any more. */
const passing: ReadonlySet<string> = new Set([
  "overloaded_error",
  "rate_limit_error",
  "api_error",
  "server_error",
  "rate_limit_exceeded",
  "UNAVAILABLE",
  "RESOURCE_EXHAUSTED",
  "INTERNAL",
]);

/** Come with status 429, and no wait mends them. */
const lasting: ReadonlySet<string> = new Set(["insufficient_quota", "billing_hard_limit_reached"]);

/** The provider's own names of the error, as the AI SDK parsed them or as they stood in the stream. */
function kindsOf(cause: unknown): string[] {
  const data = field(cause, "data");
  return [cause, field(cause, "error"), data, field(data, "error")]
    .flatMap((place) => [field(place, "type"), field(place, "code"), field(place, "status")])
    .filter((kind) => typeof kind === "string");
}

/** `fetch` tells of a connection it could not make by a TypeError; the AI SDK says that such a one can be tried again. */
function isBrokenFetch(cause: unknown): boolean {
  return field(cause, "isRetryable") === true || (cause instanceof TypeError && cause.message === "fetch failed");
}

/** What the provider asked to be waited for, in milliseconds; `undefined` where it did not, or nothing one can read. */
function askedFor(cause: unknown, now: number): number | undefined {
  const headers = field(cause, "responseHeaders");
  const ms = number(field(headers, "retry-after-ms"));
  if (ms !== undefined) return ms;
  const after = field(headers, "retry-after");
  const seconds = number(after);
  if (seconds !== undefined) return seconds * 1_000;
  // Only as HTTP writes dates: `Date.parse` makes one of nearly anything.
  const date = typeof after === "string" && /^[A-Z][a-z]{2}, .* GMT$/.test(after) ? Date.parse(after) : Number.NaN;
  if (date > now) return date - now;
  // Gemini says it in the body: google.rpc.RetryInfo.
  const body = field(cause, "responseBody");
  const delay = number(typeof body === "string" ? /"retryDelay":\s*"([\d.]+)s"/.exec(body)?.[1] : undefined);
  return delay === undefined ? undefined : delay * 1_000;
}

function number(text: unknown): number | undefined {
  return typeof text === "string" && /^\d+(?:\.\d+)?$/.test(text.trim()) ? Number(text) : undefined;
}
