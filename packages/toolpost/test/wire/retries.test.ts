// Refusals under load and broken connections, on the wire of every provider package: asked again on the application's clock,
// as often and as late as it should be, and never once something was shown.
import assert from "node:assert/strict";
import { test } from "node:test";
import type { LogEntry } from "../../src/core/govern.ts";
import type { ModelError } from "../../src/core/run-errors.ts";
import { milliseconds } from "../../src/std/units.ts";
import type { FakeClock } from "../../src/testing/fake-clock.ts";
import { fakeClock } from "../../src/testing/fake-clock.ts";
import { fakeReply, fakeStatus } from "./lib/fake-reply.ts";
import type { Provider } from "./lib/providers.ts";
import { providers } from "./lib/providers.ts";
import type { Answer, BenchOptions, WireBench } from "./lib/wire-bench.ts";
import { wireBench } from "./lib/wire-bench.ts";

const now = Date.parse("2026-11-30T12:00:00Z");

/** A bench whose clock moves on as soon as a retry is waited for; `waits` tells by how much. */
async function patientBench(
  provider: Provider,
  answers: readonly Answer[],
  agent: BenchOptions["agent"] = {},
): Promise<{ bench: WireBench; waits: number[]; clock: FakeClock }> {
  const clock = fakeClock(now);
  const waits: number[] = [];
  const log = ({ message }: LogEntry): void => {
    const [, amount, unit] = /; retry \d+ in ([\d.]+) (ms|s|min)$/.exec(message) ?? [];
    if (amount === undefined) return;
    const ms = Number(amount) * { ms: 1, s: 1_000, min: 60_000 }[unit as "s"];
    waits.push(ms);
    // The message is rounded to tenths of a second.
    setImmediate(() => void clock.advance(milliseconds(ms + 100)));
  };
  return { bench: await wireBench(provider, answers, { agent, app: { clock, log } }), waits, clock };
}

async function rejection(run: Promise<unknown>): Promise<ModelError> {
  return run.then(
    () => assert.fail("it should reject"),
    (error: unknown) => error as ModelError,
  );
}

for (const provider of providers) {
  const { name, api } = provider;

  for (const stream of [true, false]) {
    test(`${name}, ${stream ? "streamed" : "whole"}: 429 of the mock, then success, is one more request after its Retry-After`, async () => {
      const refused = { error: { message: "slow down", type: "rate_limit_error" }, status: 429, retryAfter: 3 };
      const { bench, waits } = await patientBench(provider, [refused, { content: "Here." }]);
      assert.equal((await bench.run("Hi", { stream })).text, "Here.");
      assert.equal(bench.requests.length, 2);
      assert.deepEqual(bench.bodies[1], bench.bodies[0]);
      assert.ok(waits.length === 1 && waits[0]! >= 3_000 && waits[0]! <= 3_750, waits.join());
    });

    test(`${name}, ${stream ? "streamed" : "whole"}: faults that stay are told after two retries, refusals of the request at once`, async () => {
      const { bench, waits } = await patientBench(provider, [fakeStatus(500), fakeStatus(503), fakeStatus(529)]);
      const error = await rejection(bench.run("Hi", { stream }));
      assert.deepEqual([error.code, bench.requests.length, waits.length], ["model.failed", 3, 2]);
      assert.match(error.message, / failed with status 529: /);
      assert.ok(waits[0]! >= 500 && waits[0]! <= 1_000 && waits[1]! >= 1_000 && waits[1]! <= 2_000, waits.join());
      for (const status of [400, 401, 404, 422]) {
        const refused = await patientBench(provider, [fakeStatus(status)]);
        await rejection(refused.bench.run("Hi", { stream }));
        assert.equal(refused.bench.requests.length, 1);
      }
    });
  }

  test(`${name}: what a provider asks to be waited for is read in every form, and capped at a minute`, async () => {
    const cases: [Record<string, string>, number, number][] = [
      [{ "retry-after-ms": "1200", "retry-after": "9" }, 1_200, 1_500],
      [{ "retry-after": "1.5" }, 1_500, 1_900],
      [{ "retry-after": new Date(now + 4_000).toUTCString() }, 4_000, 5_000],
      [{ "retry-after": "86400" }, 60_000, 60_000],
      [{ "retry-after": new Date(now - 4_000).toUTCString() }, 500, 1_000],
      [{ "retry-after": "soon" }, 500, 1_000],
    ];
    for (const [headers, least, most] of cases) {
      const answers = [fakeStatus(429, headers), fakeReply(api, { parts: [{ text: "Here." }], finish: "stop" })];
      const { bench, waits } = await patientBench(provider, answers);
      assert.equal((await bench.run("Hi")).text, "Here.");
      assert.ok(waits.length === 1 && waits[0]! >= least && waits[0]! <= most, `${JSON.stringify(headers)}: ${waits}`);
    }
  });

  test(`${name}: a connection cut before the first word is tried again; with maxRetries 0 nothing is`, async () => {
    const network = {
      fake: (): never => {
        throw Object.assign(new TypeError("fetch failed"), { cause: { code: "ECONNRESET" } });
      },
    };
    const whole = fakeReply(api, { parts: [{ text: "Here." }], finish: "stop" });
    const { bench } = await patientBench(provider, [
      network,
      fakeReply(api, { parts: [], finish: "stop", end: "closed" }),
      whole,
    ]);
    assert.equal((await bench.run("Hi")).text, "Here.");
    assert.equal(bench.requests.length, 3);
    const once = await patientBench(provider, [network], { maxRetries: 0 });
    const error = await rejection(once.bench.run("Hi"));
    assert.deepEqual([error.code, once.bench.requests.length], ["model.failed", 1]);
  });

  test(`${name}: an abort ends the wait for a retry`, async () => {
    const clock = fakeClock(now);
    const controller = new AbortController();
    const log = ({ message }: LogEntry): void => {
      if (message.includes("; retry ")) controller.abort("enough");
    };
    const bench = await wireBench(provider, [fakeStatus(503)], { app: { clock, log } });
    const error = await rejection(bench.run("Hi", { signal: controller.signal }));
    assert.deepEqual([error.code, clock.pending, bench.requests.length], ["run.cancelled", 0, 1]);
  });

  test(`${name}: an abort closes the connection of the request under way`, async () => {
    const controller = new AbortController();
    const closed = Promise.withResolvers<void>();
    const body = new ReadableStream({ cancel: () => closed.resolve() });
    const open = { fake: () => new Response(body, { headers: { "content-type": "text/event-stream" } }) };
    const bench = await wireBench(provider, [open], {
      onRequest: ({ signal }) => {
        signal?.addEventListener("abort", () => closed.resolve());
        setImmediate(() => controller.abort("enough"));
      },
    });
    const error = await rejection(bench.run("Hi", { signal: controller.signal }));
    assert.equal(error.code, "run.cancelled");
    await closed.promise;
  });
}
