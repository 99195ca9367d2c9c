// Refusals under load and broken connections, on the wire of every provider package: asked again on the application's clock,
// as often and as late as it should be, and never once something was shown.
import assert from "node:assert/strict";
import { once } from "node:events";
import type { ServerResponse } from "node:http";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { test } from "node:test";
import type { LogEntry } from "../../src/core/govern.ts";
import type { ModelError } from "../../src/core/run-errors.ts";
import { milliseconds } from "../../src/std/units.ts";
import type { FakeClock } from "../../src/testing/fake-clock.ts";
import { fakeClock } from "../../src/testing/fake-clock.ts";
import { fakeReply, fakeStatus } from "./lib/fake-reply.ts";
import type { Api, Provider } from "./lib/providers.ts";
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
      // The log rounds to tenths of a second.
      assert.ok(waits.length === 1 && waits[0]! >= 3_000 && waits[0]! <= 3_800, waits.join());
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

  test(`${name}: what a provider asks to be waited for is read in every form, with up to a quarter more, capped at a minute`, async (t) => {
    // Headers, and the wait where chance adds nothing and where it adds most; the log rounds to tenths of a second.
    const cases: [Record<string, string>, number, number][] = [
      [{ "retry-after-ms": "1200", "retry-after": "9" }, 1_200, 1_500],
      [{ "retry-after": "1.5" }, 1_500, 1_900],
      [{ "retry-after": new Date(now + 4_000).toUTCString() }, 4_000, 5_000],
      [{ "retry-after": "86400" }, 60_000, 60_000],
      [{ "retry-after": new Date(now + 86_400_000).toUTCString() }, 60_000, 60_000],
      [{ "retry-after": new Date(now - 4_000).toUTCString() }, 500, 1_000],
      [{ "retry-after": "soon" }, 500, 1_000],
      [{}, 500, 1_000],
    ];
    for (const [headers, least, most] of cases) {
      for (const [chance, wait] of [
        [0, least],
        [1, most],
      ] as const) {
        t.mock.method(Math, "random", () => chance);
        const answers = [fakeStatus(429, headers), fakeReply(api, { parts: [{ text: "Here." }], finish: "stop" })];
        const { bench, waits } = await patientBench(provider, answers);
        assert.equal((await bench.run("Hi", { stream: chance === 0 })).text, "Here.");
        assert.deepEqual(waits, [wait], JSON.stringify(headers));
        t.mock.restoreAll();
      }
    }
  });

  test(`${name}: an error in a stream before its first word is asked again where it may pass, and told where it does not`, async () => {
    const here = fakeReply(api, { parts: [{ text: "Here." }], finish: "stop" });
    const broken = (error: string): Answer => fakeReply(api, { parts: [], finish: "stop", end: { error } });
    const { bench, waits } = await patientBench(provider, [broken(passingError[api]), here]);
    assert.equal((await bench.run("Hi")).text, "Here.");
    assert.deepEqual([bench.requests.length, waits.length], [2, 1]);
    const refused = await patientBench(provider, [broken("insufficient_quota")]);
    assert.equal((await rejection(refused.bench.run("Hi"))).code, "model.failed");
    assert.equal(refused.bench.requests.length, 1);
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

  for (const stream of [true, false]) {
    test(`${name}, ${stream ? "streamed" : "whole"}: an abort closes the connection, as the server sees it, and nothing is asked again`, async () => {
      for (const isBegun of [true, false]) {
        const controller = new AbortController();
        await using server = await openServer(async (response) => {
          if (isBegun) {
            const { headers, status } = fakeReply(api, { parts: [], finish: "stop" }).fake(stream);
            response.writeHead(status, Object.fromEntries(headers));
            response.write(stream ? ": wait\n\n" : " ");
          }
          setImmediate(() => controller.abort("enough"));
        });
        const bench = await wireBench(provider, [], { server: server.url });
        const error = await rejection(bench.run("Hi", { stream, signal: controller.signal }));
        assert.equal(error.code, "run.cancelled");
        assert.equal(await server.closed, "before its end");
        assert.equal(bench.requests.length, 1);
      }
    });
  }
}

const passingError: Readonly<Record<Api, string>> = {
  responses: "server_error",
  chat: "server_error",
  anthropic: "overloaded_error",
  gemini: "UNAVAILABLE",
};

interface OpenServer extends AsyncDisposable {
  readonly url: string;
  /** How the connection of the first request came to its end. */
  readonly closed: Promise<string>;
}

/** A server that never finishes a response by itself. */
async function openServer(answer: (response: ServerResponse) => void): Promise<OpenServer> {
  const closed = Promise.withResolvers<string>();
  const server = createServer((request, response) => {
    response.on("close", () => closed.resolve(response.writableFinished ? "at its end" : "before its end"));
    request.resume().on("end", () => answer(response));
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    closed: closed.promise,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      server.close();
    },
  };
}

for (const provider of providers.filter(({ api }) => api === "gemini")) {
  for (const stream of [true, false]) {
    test(`${provider.name}, ${stream ? "streamed" : "whole"}: a call that Gemini wrote and cannot read itself is asked for again`, async () => {
      const { bench } = await patientBench(provider, [
        fakeReply("gemini", { parts: [], finish: "malformed-call" }),
        fakeReply("gemini", { parts: [{ text: "Here." }], finish: "stop" }),
      ]);
      // Its package of v2 does not tell why a reply failed.
      if (provider.name.includes("-oldest")) {
        assert.deepEqual(
          [(await rejection(bench.run("Hi", { stream }))).code, bench.requests.length],
          ["model.failed", 1],
        );
        return;
      }
      assert.equal((await bench.run("Hi", { stream })).text, "Here.");
      assert.equal(bench.requests.length, 2);
    });
  }
}
