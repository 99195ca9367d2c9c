// Several instances on one store: one run is moved by one of them at a time, whoever loses it writes nothing more, and each
// can answer, cancel and look. Only for engines whose stores have room for more than one.

import assert from "node:assert/strict";
import type { LogEntry } from "../../core/govern.ts";
import type { Flow } from "../../core/run.ts";
import { minutes, seconds } from "../../std/units.ts";
import { fakeClock } from "../fake-clock.ts";
import type { Check } from "./fixture.ts";
import { ask, begin, Held, inState, paused, until } from "./fixture.ts";

export const ofSeveralEngines: Readonly<Record<string, Check>> = {
  async "a run whose instance is gone is cancelled by whoever looks once its lease is over"(fixture) {
    const one = await fixture.openApart(fakeClock(fixture.clock.now()));
    const held = new Held();
    // Has all the time it may take to close, by a clock that stands still.
    const flow: Flow = async (run, _input, attempt) => {
      attempt.onCancel(() => undefined);
      return run.step("s", () => held.wait()) as never;
    };
    await begin(one, flow);
    await one.start({ flow: "flow", runId: "s", input: null });
    await inState(one, "running", "s");
    const two = await fixture.open();
    await two.cancel("r", "enough");
    assert.equal((await two.status("r"))?.state, "running");
    await fixture.clock.advance(seconds(31));
    assert.equal((await two.result("r")).state, "cancelled");
    await two.cancel("s", "enough");
    assert.deepEqual(
      (await two.list()).map(({ state }) => state),
      ["cancelled", "cancelled"],
    );
    held.release();
  },

  async "a run stays with its instance for as long as that is heard of"(fixture) {
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

  async "an idle instance of another version tells once of a run whose instance is gone, when its lease is over"(
    fixture,
  ) {
    const one = await fixture.openApart(fakeClock(fixture.clock.now()));
    const two = await fixture.open();
    const held = new Held();
    const messages: string[] = [];
    const flow: Flow = async (run) => run.step("s", () => held.wait()) as never;
    await begin(one, flow, { version: "1" }, { version: "1" });
    await held.begun.promise;
    await two.serve({ flow }, { version: "2", log: ({ message }: LogEntry) => void messages.push(message) });
    await fixture.clock.advance(seconds(29));
    assert.deepEqual(messages, []);
    await fixture.clock.advance(seconds(2));
    assert.deepEqual(
      messages.map((message) => /run (.) was started by version `(.)`/.exec(message)?.slice(1)),
      [["r", "1"]],
    );
    await fixture.clock.advance(minutes(2));
    assert.equal(messages.length, 1);
    held.release();
  },

  async "what is left by an instance that is gone is gone on with by the next"(fixture) {
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
};
