// Several instances: one run is moved by one of them at a time, whoever loses it writes nothing more, and each can answer,
// cancel and look.

import assert from "node:assert/strict";
import type { Flow } from "../../core/run.ts";
import { seconds } from "../../std/units.ts";
import type { Check } from "./fixture.ts";
import { begin, Held, runOnce, turn } from "./fixture.ts";

export const ofInstances: Readonly<Record<string, Check>> = {
  async "closing lets a step under way settle, begins nothing more, and others go on without doing it again"(fixture) {
    const engine = await fixture.open();
    const held = new Held();
    const done: string[] = [];
    const flow: Flow = async (run) => {
      for (const key of ["a", "b"]) {
        await run.step(key, async () => {
          if (key === "a") await held.wait();
          done.push(key);
        });
      }
      return "end";
    };
    const serving = await begin(engine, flow);
    await held.begun.promise;
    const closing = serving.close();
    held.release();
    await closing;
    const journal = await engine.journal("r");
    assert.deepEqual([done, journal.map(({ key }) => key)], [["a"], ["a"]]);
    assert.equal((await engine.status("r"))?.state, "queued");
    await engine.serve({ flow });
    assert.equal((await engine.result("r")).result, "end");
    assert.deepEqual(done, ["a", "b"]);
  },

  async "an act is not left announced and never begun, at whatever moment its instance closes"(fixture) {
    const engine = await fixture.open();
    const seen = new Set<string>();
    for (let moment = 0; moment < 12; moment++) {
      const runId = `r${moment}`;
      const flow: Flow = async (run) => {
        const act = (key: string) => run.step(key, () => `${key} is done`, { interrupted: () => "nobody knows" });
        return [await act("a"), await act("b")];
      };
      const serving = await begin(engine, flow, { runId });
      for (let turns = 0; turns < moment; turns++) await turn();
      await serving.close();
      const keys = (await engine.journal(runId)).map(({ key }) => key);
      for (const key of ["a", "b"]) assert.equal(keys.includes(key), keys.includes(`${key}:intent`), keys.join());
      seen.add(keys.join());
    }
    assert.deepEqual([...seen].sort(), ["", "a:intent,a", "a:intent,a,b:intent,b"]);
  },

  async "closing waits for a step no longer than it was told to, and says so by the signals"(fixture) {
    const engine = await fixture.open();
    const held = new Held();
    const reasons: unknown[] = [];
    const flow: Flow = async (run, _input, attempt) => {
      attempt.signal.addEventListener("abort", () => reasons.push(attempt.signal.reason));
      return run.step("s", ({ signal }) => {
        signal.addEventListener("abort", () => reasons.push(signal.reason));
        return held.wait();
      }) as never;
    };
    const serving = await begin(engine, flow);
    await held.begun.promise;
    let isClosed = false;
    const closing = serving.close({ drain: 5_000 }).then(() => (isClosed = true));
    await fixture.clock.advance(seconds(4));
    assert.equal(isClosed, false);
    await fixture.clock.advance(seconds(1));
    await closing;
    assert.deepEqual(
      reasons.map((reason) => (reason as { readonly code?: string }).code),
      ["engine.closed", "engine.closed"],
    );
    assert.equal((await engine.status("r"))?.state, "queued");
  },

  async "a run that ends while its instance closes has ended for all who wait"(fixture) {
    const engine = await fixture.open();
    const closing = Promise.withResolvers<void>();
    const flow: Flow = async (run) => {
      await run.step("s", () => 1);
      // Before the end is on disk.
      setImmediate(() => closing.resolve(serving.close({ drain: 0 })));
      return "end";
    };
    const serving = await begin(engine, flow);
    let told: unknown;
    const waiting = engine.result("r").then(({ state, result }) => (told = [state, result]));
    await closing.promise;
    // At once, not when somebody looks again.
    await turn();
    assert.deepEqual(told, ["done", "end"]);
    await waiting;
  },

  async "a run of a flow that nobody serves waits for somebody who does"(fixture) {
    const engine = await fixture.open();
    await engine.serve({ other: async () => null });
    await engine.start({ flow: "flow", runId: "r", input: null });
    await runOnce(engine, async () => null, { flow: "other", runId: "s" });
    assert.equal((await engine.status("r"))?.state, "queued");
    await engine.serve({ flow: async () => 1 });
    assert.equal((await engine.result("r")).result, 1);
  },
};
