// Several instances: one run is moved by one of them at a time, whoever loses it writes nothing more, and each can answer,
// cancel and look.

import assert from "node:assert/strict";
import type { Flow } from "../../core/run.ts";
import { minutes, seconds } from "../../std/units.ts";
import { fakeClock } from "../fake-clock.ts";
import type { Check } from "./fixture.ts";
import { ask, begin, Held, inState, paused, runOnce, turn, until } from "./fixture.ts";

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

  async "a run stays with its instance for as long as that is heard of"(fixture) {
    if (!fixture.isShared) return;
    const [one, two] = [await fixture.open(), await fixture.open()];
    const held = new Held();
    let begun = 0;
    const work = (): Promise<void> => {
      begun++;
      return held.wait();
    };
    const flow: Flow = async (run) => run.step("s", work) as never;
    await begin(one, flow);
    await held.begun.promise;
    await two.serve({ flow });
    for (let passed = 0; passed < 5; passed++) await fixture.clock.advance(minutes(1));
    held.release();
    assert.equal((await two.result("r")).state, "done");
    assert.equal(begun, 1);
  },

  async "an instance that is not heard of for a lease loses the run, and writes nothing more"(fixture) {
    if (!fixture.isShared) return;
    const frozen = fakeClock(fixture.clock.now());
    const [one, two] = [await fixture.openApart(frozen), await fixture.open()];
    const held = new Held<string>();
    let reason: unknown;
    let later = 0;
    const first: Flow = async (run) => {
      const open = run.pause("ask", ask());
      await run.step("s", ({ signal }) => {
        signal.addEventListener("abort", () => (reason = signal.reason));
        return held.wait();
      });
      await run.step("later", () => ++later);
      return open as never;
    };
    const second: Flow = async (run) => {
      const open = run.pause("ask", ask());
      await run.step("s", () => "by the second");
      await run.step("later", () => "too");
      return open as never;
    };
    await begin(one, first);
    await held.begun.promise;
    await paused(one, 1);
    await two.serve({ flow: second });
    await fixture.clock.advance(seconds(31));
    await inState(two, "waiting");
    held.release("by the first");
    await until(() => reason);
    assert.equal((reason as Error).name, "ExecutionLeaseLostError");
    await two.answer({ runId: "r", key: "ask" }, null);
    await two.result("r");
    assert.equal(later, 0);
    assert.deepEqual(
      (await two.journal("r")).map(({ key, value }) => [key, value]),
      [
        ["s", { ok: true, value: "by the second" }],
        ["later", { ok: true, value: "too" }],
        ["ask", { type: "answer", value: null }],
      ],
    );
  },

  async "an instance answers, cancels and waits for what another moves"(fixture) {
    if (!fixture.isShared) return;
    const [one, two] = [await fixture.open(), await fixture.open()];
    const held = new Held();
    let reason: unknown;
    const flow: Flow = async (run) => {
      await run.pause("ask", ask());
      return run.step("s", ({ signal }) => {
        signal.addEventListener("abort", () => (reason = signal.reason));
        return held.wait();
      }) as never;
    };
    await begin(one, flow);
    await paused(two, 1);
    assert.equal(await two.answer({ runId: "r", key: "ask" }, null), "accepted");
    await held.begun.promise;
    assert.equal(await two.cancel("r", "from afar"), true);
    const record = await two.result("r");
    assert.deepEqual([record.state, record.error?.message], ["cancelled", "from afar"]);
    assert.equal((reason as { readonly code?: string }).code, "run.cancelled");
    assert.deepEqual(await one.status("r"), record);
  },

  async "an answer from another instance reaches a run that is busy"(fixture) {
    if (!fixture.isShared) return;
    const [one, two] = [await fixture.open(), await fixture.open()];
    const held = new Held();
    const answered = new Held();
    const flow: Flow = async (run) => {
      const branch = run.branch("b", async (own) => {
        await own.pause("ask", ask());
        answered.begun.resolve();
      });
      await run.step("busy", () => held.wait());
      await branch;
      return null;
    };
    await begin(one, flow);
    await held.begun.promise;
    await paused(two, 1);
    await two.answer({ runId: "r", key: "b/ask" }, null);
    await answered.begun.promise;
    held.release();
    await two.result("r");
  },

  async "two instances that race for runs do no step twice"(fixture) {
    if (!fixture.isShared) return;
    const engines = [await fixture.open(), await fixture.open()];
    const done: string[] = [];
    const flow: Flow = async (run) => {
      for (let step = 0; step < 4; step++) {
        await run.step(`s${step}`, () => void done.push(`${run.id} ${step}`));
      }
      return run.child("c", "child", null);
    };
    const child: Flow = async (run) => run.step("s", () => void done.push(run.id)) as never;
    const runs = Array.from({ length: 20 }, (_, index) => `r${index}`);
    for (const engine of engines) await engine.serve({ flow, child });
    await Promise.all(runs.map((runId, index) => engines[index % 2]!.start({ flow: "flow", runId, input: null })));
    for (const runId of runs) assert.equal((await engines[0]!.result(runId)).state, "done");
    assert.equal(done.length, 100);
    assert.equal(new Set(done).size, 100);
  },

  async "what is left by an instance that is gone is gone on with by the next"(fixture) {
    if (!fixture.isShared) return;
    const one = await fixture.openApart(fakeClock(fixture.clock.now()));
    const held = new Held();
    const done: string[] = [];
    const flow =
      (isFirst: boolean): Flow =>
      async (run) => {
        await run.step("a", () => void done.push("a"));
        await run.step("b", () => (isFirst ? held.wait() : void done.push("b")));
        return null;
      };
    await begin(one, flow(true));
    await held.begun.promise;
    const two = await fixture.open();
    await fixture.clock.advance(seconds(31));
    await two.serve({ flow: flow(false) });
    await two.result("r");
    assert.deepEqual(done, ["a", "b"]);
    held.release();
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
