// When a request is made again, and when it must not be. The waits themselves are tested on the wire of every provider.
import assert from "node:assert/strict";
import { test } from "node:test";
import type { Model, ModelReply, ModelRequest } from "../core/model.ts";
import { ModelError } from "../core/run-errors.ts";
import { milliseconds, seconds } from "../std/units.ts";
import { fakeClock } from "../testing/fake-clock.ts";
import { modelEndedInError, modelFailed, streamCut } from "./model-failure.ts";
import { backoff, isPassing } from "./passing-failure.ts";
import { withRetries } from "./with-retries.ts";

const reply: ModelReply = {
  content: [{ type: "text", text: "Here." }],
  finish: "stop",
  usage: { inputTokens: 1, outputTokens: 1, totalTokens: 2, reasoningTokens: 0, cachedInputTokens: 0 },
};
const busy = modelFailed("acme:m", { message: "busy", statusCode: 503 }, []);

function request(signal: AbortSignal = new AbortController().signal): ModelRequest {
  return { prompt: [], tools: [], signal };
}

/** Fails with each of these in turn, then replies. */
function failing(...failures: readonly unknown[]): Model & { calls: number } {
  return {
    id: "acme:m",
    dialect: "gemini",
    calls: 0,
    async call() {
      const failure = failures[this.calls++];
      if (failure !== undefined) throw failure;
      return reply;
    },
  };
}

test("a failure that may pass is asked again after its wait, not before, and keeps id and dialect", async () => {
  const clock = fakeClock();
  const model = failing(busy, busy);
  const retried = withRetries(model, { clock, maxRetries: 2, random: () => 0 });
  assert.deepEqual([retried.id, retried.dialect], ["acme:m", "gemini"]);
  const call = retried.call(request());
  await clock.advance(milliseconds(499));
  assert.equal(model.calls, 1);
  await clock.advance(milliseconds(1));
  assert.equal(model.calls, 2);
  await clock.advance(seconds(1));
  assert.equal(await call, reply);
  assert.equal(clock.pending, 0);
});

test("with no retries left, or none wanted, the last failure is the outcome", async () => {
  const clock = fakeClock();
  const model = failing(busy, busy);
  const call = assert.rejects(withRetries(model, { clock, maxRetries: 1 }).call(request()), (error) => error === busy);
  await clock.advance(seconds(60));
  await call;
  assert.equal(model.calls, 2);
  const single = failing(busy);
  await assert.rejects(withRetries(single, { clock, maxRetries: 0 }).call(request()), (error) => error === busy);
  assert.equal(single.calls, 1);
});

test("once a delta was shown nothing is asked again, whatever the failure", async () => {
  const clock = fakeClock();
  let calls = 0;
  const model: Model = {
    id: "acme:m",
    async call(_request, onDelta) {
      calls++;
      onDelta?.({ type: "text-delta", id: "0", text: "So" });
      throw busy;
    },
  };
  const seen: string[] = [];
  const call = withRetries(model, { clock, maxRetries: 2 }).call(request(), (delta) => void seen.push(delta.type));
  await assert.rejects(call, (error) => error === busy);
  assert.deepEqual([calls, seen, clock.pending], [1, ["text-delta"], 0]);
});

test("an abort during the wait rejects at once with its reason and takes the timer back", async () => {
  const clock = fakeClock();
  const controller = new AbortController();
  const model = failing(busy);
  const onRetry = (): void => controller.abort("enough");
  const call = withRetries(model, { clock, maxRetries: 2, onRetry }).call(request(controller.signal));
  await assert.rejects(call, (error) => error === "enough");
  assert.deepEqual([model.calls, clock.pending], [1, 0]);
});

test("what may pass: load, faults of the server, broken connections, before anything arrived", () => {
  const passing: unknown[] = [
    modelFailed("m", { statusCode: 429 }, []),
    modelFailed("m", { statusCode: 500 }, []),
    modelFailed("m", { statusCode: 529 }, []),
    modelFailed("m", { message: "x", cause: { code: "ECONNRESET" } }, []),
    modelFailed("m", new TypeError("fetch failed"), []),
    modelFailed("m", { type: "overloaded_error", message: "Overloaded" }, []),
    modelFailed("m", { type: "error", error: { code: "server_error", message: "x" } }, []),
    modelFailed("m", { statusCode: 400, responseHeaders: { "x-should-retry": "true" } }, []),
    streamCut("m", "before its finish part", []),
    modelEndedInError("m", [], "MALFORMED_FUNCTION_CALL"),
  ];
  for (const error of passing) assert.equal(isPassing(error), true, String(error));
});

test("what does not pass: refusals, used up quotas, whatever had begun, foreign errors", () => {
  const lasting: unknown[] = [
    modelFailed("m", { statusCode: 400, isRetryable: true }, []),
    modelFailed("m", { statusCode: 401 }, []),
    modelFailed("m", { statusCode: 429, data: { error: { code: "insufficient_quota" } } }, []),
    modelFailed("m", { statusCode: 503, responseHeaders: { "x-should-retry": "false" } }, []),
    modelFailed("m", { statusCode: 503 }, reply.content),
    streamCut("m", "before its finish part", reply.content),
    modelFailed("m", new TypeError("x is not a function"), []),
    modelEndedInError("m", []),
    new ModelError("model.unsupported", "x"),
    new Error("x"),
    undefined,
  ];
  for (const error of lasting) assert.equal(isPassing(error), false, String(error));
});

test("the wait doubles, half of it left to chance; what the provider asks for is the least, and a minute the most", () => {
  const wait = (error: unknown, number: number, random: number): number =>
    backoff(error, { number, now: 0, random: () => random });
  assert.deepEqual(
    [wait(busy, 1, 0), wait(busy, 1, 1), wait(busy, 2, 0), wait(busy, 3, 1), wait(busy, 10, 1)],
    [500, 1_000, 1_000, 4_000, 60_000],
  );
  const asking = (headers: object, body?: string): unknown =>
    modelFailed("m", { statusCode: 429, responseHeaders: headers, responseBody: body }, []);
  assert.deepEqual(
    [wait(asking({ "retry-after": "8" }), 1, 0), wait(asking({ "retry-after": "8" }), 1, 1)],
    [8_000, 10_000],
  );
  assert.equal(wait(asking({ "retry-after-ms": "250" }), 2, 0), 250);
  assert.equal(wait(asking({ "retry-after": "3600" }), 1, 0), 60_000);
  assert.equal(wait(asking({ "retry-after": "Thu, 01 Jan 1970 00:00:20 GMT" }), 1, 0), 20_000);
  assert.equal(wait(asking({ "retry-after": "-5" }), 1, 0), 500);
  assert.equal(wait(asking({}, '{"error":{"details":[{"retryDelay": "34s"}]}}'), 1, 0), 34_000);
});
