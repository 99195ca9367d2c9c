// Cancelling: with nobody alive, while steps run, with children; flows that end in good order and those that do not.
// A cancel needs nobody alive, and no `catch` of a flow can swallow it.

import assert from "node:assert/strict";
import type { Engine, Flow } from "../../core/run.ts";
import type { Json } from "../../std/json.ts";
import { days, seconds } from "../../std/units.ts";
import type { Check } from "./fixture.ts";
import { ask, begin, Held, inState, paused, runOnce, turn, until } from "./fixture.ts";

export const ofCancels: Readonly<Record<string, Check>> = {
  async "a run that waits is cancelled at once with its children, and nobody is asked any more"(fixture) {
    const engine = await fixture.open();
    const child: Flow = async (run) => run.pause("ask", ask()) as never;
    const flow: Flow = async (run) => run.all([run.child("c", "child", null), run.pause("own", ask())]) as never;
    const children = await engine.serve({ child });
    const serving = await begin(engine, flow);
    await paused(engine, 2);
    for (const id of ["r", "r/c"]) await inState(engine, "waiting", id);
    await Promise.all([children.close(), serving.close()]);
    assert.equal(await engine.cancel("r", "enough"), true);
    for (const id of ["r", "r/c"]) {
      const { state, error, endedAt } = await engine.result(id);
      assert.deepEqual(
        [state, error, endedAt],
        ["cancelled", { message: "enough", code: "run.cancelled" }, fixture.clock.now()],
      );
    }
    assert.deepEqual(await engine.pauses(), []);
    assert.equal(await engine.answer({ runId: "r", key: "own" }, null), "closed");
    assert.equal(await engine.answer({ runId: "r/c", key: "ask" }, null), "closed");
    assert.equal(await engine.cancel("r"), false);
  },

  async "a run that nobody has moved yet is cancelled and never begins"(fixture) {
    const engine = await fixture.open();
    let begun = 0;
    await engine.start({ flow: "flow", runId: "r", input: null });
    await engine.cancel("r");
    await engine.serve({ flow: async (run) => run.step("s", () => ++begun) });
    await runOnce(engine, async () => null, { runId: "s", flow: "other" });
    assert.deepEqual([(await engine.status("r"))?.state, begun], ["cancelled", 0]);
  },

  async "an ended run cannot be cancelled"(fixture) {
    const engine = await fixture.open();
    await runOnce(engine, async () => 1);
    assert.equal(await engine.cancel("r"), false);
    assert.equal((await engine.status("r"))?.result, 1);
  },

  async "a running step hears of the cancel, and nothing of the run begins after it"(fixture) {
    const engine = await fixture.open();
    const held = new Held();
    let reason: unknown;
    let later = 0;
    const flow: Flow = async (run) => {
      await run.step("s", ({ signal }) => {
        signal.addEventListener("abort", () => (reason = signal.reason));
        return held.wait();
      });
      return run.step("later", () => ++later);
    };
    await begin(engine, flow);
    await held.begun.promise;
    assert.equal(await engine.cancel("r", "enough"), true);
    const record = await engine.result("r");
    held.release();
    await turn();
    const { code, message } = reason as { readonly code?: string; readonly message: string };
    assert.deepEqual([code, message], ["run.cancelled", "enough"]);
    assert.deepEqual([record.state, later, await engine.journal("r")], ["cancelled", 0, []]);
  },

  async "a flow that can ends in good order: told once, steps settle, pauses are closed, nothing is journaled"(
    fixture,
  ) {
    const engine = await fixture.open();
    const held = new Held<Json>();
    const seen: Json[] = [];
    const flow: Flow = async (run, _input, attempt) => {
      attempt.onCancel((reason) => void seen.push(["told", reason]));
      await run.step("before", () => 1);
      const asked = run.pause("ask", ask());
      const nap = run.sleep("nap", { at: fixture.clock.now() + 60_000 });
      const child = run.child("c", "child", null);
      seen.push(["step", await run.step("s", ({ signal }) => held.wait().then((value) => [value, signal.aborted]))]);
      seen.push(["pause", (await asked) as Json]);
      seen.push(["nap", (await nap) === null]);
      seen.push(["child", await child.then(undefined, ({ code }) => code as string)]);
      seen.push(["new", await run.step("new", ({ signal }) => signal.aborted)]);
      seen.push(["new pause", (await run.pause("again", ask())) as Json]);
      await run.closePauses("close");
      return "closed";
    };
    await engine.serve({ child: async (run) => run.pause("ask", ask()) as never });
    await begin(engine, flow);
    await held.begun.promise;
    await paused(engine, 2);
    await engine.cancel("r", "enough");
    assert.deepEqual(await engine.pauses(), []);
    held.release("late");
    const record = await engine.result("r");
    assert.deepEqual([record.state, record.result], ["cancelled", undefined]);
    assert.deepEqual(seen, [
      ["told", "enough"],
      ["step", ["late", true]],
      ["pause", { type: "closed" }],
      ["nap", true],
      ["child", "run.cancelled"],
      ["new", false],
      ["new pause", { type: "closed" }],
    ]);
    assert.deepEqual(
      (await engine.journal("r")).map(({ key }) => key),
      ["before"],
    );
  },

  async "a run that was cancelled with nobody alive is closed once by whoever serves its flow next"(fixture) {
    const engine = await fixture.open();
    const told: Json[] = [];
    let steps = 0;
    const flow: Flow = async (run, _input, attempt) => {
      attempt.onCancel((reason) => void told.push([reason, steps]));
      await run.step("s", () => ++steps);
      const answer = await run.pause("ask", ask());
      told.push(answer as Json);
      return null;
    };
    const first = await begin(engine, flow);
    await paused(engine, 1);
    await inState(engine, "waiting");
    await first.close();
    await engine.cancel("r", "enough");
    const ended = await engine.status("r");
    assert.equal(ended?.state, "cancelled");
    assert.deepEqual(told, []);
    const second = await engine.serve({ flow });
    await until(() => told.length === 2);
    await second.close();
    await engine.serve({ flow });
    await runOnce(engine, async () => null, { runId: "s", flow: "other" });
    assert.deepEqual(told, [["enough", 1], { type: "closed" }]);
    assert.deepEqual([steps, await engine.status("r")], [1, ended]);
  },

  async "a cancelled flow that does not end in 10 seconds is left"(fixture) {
    const engine = await fixture.open();
    const held = new Held();
    const flow: Flow = async (run, _input, attempt) => {
      attempt.onCancel(() => undefined);
      await run.step("s", () => held.wait());
      return null;
    };
    await begin(engine, flow);
    await held.begun.promise;
    await engine.cancel("r");
    await fixture.clock.advance(seconds(9));
    assert.equal((await engine.status("r"))?.state, "running");
    await fixture.clock.advance(seconds(1));
    assert.equal((await engine.result("r")).state, "cancelled");
  },

  async "a child that is cancelled alone fails its parent's step"(fixture) {
    const engine = await fixture.open();
    const flow: Flow = async (run) =>
      run.child("c", "child", null).then(undefined, ({ code, message }) => [code, message]) as never;
    await engine.serve({ child: async (run) => run.pause("ask", ask()) as never });
    await begin(engine, flow);
    await paused(engine, 1);
    await inState(engine, "waiting");
    assert.equal(await engine.cancel("r/c", "not this one"), true);
    assert.deepEqual((await engine.result("r")).result, ["run.cancelled", "not this one"]);
  },

  async "a child that is cancelled alone lets its parent go on, also where nobody serves the child"(fixture) {
    const engine = await fixture.open();
    const flow: Flow = async (run) => run.child("c", "child", null).then(undefined, ({ code }) => code) as never;
    const children = await engine.serve({ child: async (run) => run.pause("ask", ask()) as never });
    await begin(engine, flow);
    await paused(engine, 1);
    for (const id of ["r", "r/c"]) await inState(engine, "waiting", id);
    await children.close();
    await engine.cancel("r/c", "not this one");
    assert.equal((await engine.result("r")).result, "run.cancelled");
  },

  async "a run that was cancelled while it waited is closed before a later one of its lane begins, whatever its flow"(
    fixture,
  ) {
    const engine = await fixture.open();
    const { held, order, one, two } = await toClose(engine);
    await engine.start({ flow: "two", runId: "2", input: null, lane: "l" });
    await engine.serve({ one, two });
    await held.begun.promise;
    await runOnce(engine, async () => null, { runId: "s", flow: "other" });
    assert.equal((await engine.status("2"))?.state, "queued");
    held.release();
    await engine.result("2");
    assert.deepEqual(order, ["closing 1", "closed 1", "begin 2"]);
  },

  async "a run that is being closed holds up those of its lane also where others would begin them"(fixture) {
    const engine = await fixture.open();
    const { held, order, one, two } = await toClose(engine);
    await engine.serve({ one });
    await held.begun.promise;
    await engine.start({ flow: "two", runId: "2", input: null, lane: "l" });
    await engine.serve({ two });
    await runOnce(engine, async () => null, { runId: "s", flow: "other" });
    assert.equal((await engine.status("2"))?.state, "queued");
    held.release();
    await engine.result("2");
    assert.deepEqual(order, ["closing 1", "closed 1", "begin 2"]);
  },

  async "a cancelled run whose lane is to know of it is kept a day longer for whoever closes it, any other is not"(
    fixture,
  ) {
    const engine = await fixture.open();
    for (const [runId, lane] of [["laned", "l"], ["plain"]] as const) {
      await engine.start({ flow: "unserved", runId, input: null, ...(lane === undefined ? {} : { lane }) });
      await engine.cancel(runId);
    }
    const kept = async () => (await engine.list()).map(({ runId }) => runId);
    const cut = fixture.clock.now() + 1;
    assert.equal(await engine.prune({ endedBefore: cut }), 1);
    assert.deepEqual(await kept(), ["laned"]);
    assert.equal(await engine.prune({ endedBefore: cut + days(1).ms - 1 }), 0);
    assert.equal(await engine.prune({ endedBefore: cut + days(1).ms }), 1);
    assert.deepEqual(await kept(), []);
  },

  async "a cancelled run is not deleted while it is being closed"(fixture) {
    const engine = await fixture.open();
    const { held, order, one } = await toClose(engine);
    await engine.serve({ one });
    await held.begun.promise;
    const endedBefore = fixture.clock.now() + days(30).ms;
    assert.equal(await engine.prune({ endedBefore }), 0);
    held.release();
    await until(() => order.length === 2);
    await until(async () => (await engine.prune({ endedBefore })) === 1);
    assert.deepEqual(order, ["closing 1", "closed 1"]);
  },

  async "whatever wins, an answer is accepted only where it reaches the flow"(fixture) {
    const engine = await fixture.open();
    const answered: string[] = [];
    const flow: Flow = async (run) => {
      const answer = await run.pause("ask", ask());
      if (answer.type === "answer") await run.step("use", () => answered.push(run.id));
      return answer as Json;
    };
    const runs = Array.from({ length: 12 }, (_, index) => `r${index}`);
    for (const runId of runs) await engine.start({ flow: "flow", runId, input: null });
    await engine.serve({ flow });
    for (const runId of runs) await paused(engine, 1, runId);
    const words = await Promise.all(
      runs.map(async (runId, index) => {
        const acts = [
          () => engine.answer({ runId, key: "ask" }, null),
          () => engine.cancel(runId).then(() => "cancel"),
        ];
        const both = (index % 2 === 0 ? acts : acts.toReversed()).map((act) => act());
        return (await Promise.all(both)).find((word) => word !== "cancel");
      }),
    );
    for (const [index, runId] of runs.entries()) {
      const { state } = await engine.result(runId);
      if (words[index] === "closed") assert.equal(state, "cancelled");
      else assert.equal(words[index], "accepted");
    }
    assert.ok(words.includes("closed") && words.includes("accepted"));
    assert.ok(answered.every((runId) => words[runs.indexOf(runId)] === "accepted"));
  },
};

/** A run `1` of the flow `one`, in the lane `l`, that was cancelled while it waited and is still to be closed. */
async function toClose(engine: Engine) {
  const held = new Held();
  const order: string[] = [];
  const one: Flow = async (run, _input, attempt) => {
    attempt.onCancel(() => void order.push(`closing ${run.id}`));
    await run.pause("ask", ask());
    await run.step("close", () => held.wait());
    order.push(`closed ${run.id}`);
    return null;
  };
  const two: Flow = async (run) => run.step("begin", () => void order.push(`begin ${run.id}`)) as never;
  const first = await begin(engine, one, { runId: "1", flow: "one", lane: "l" });
  await paused(engine, 1, "1");
  await inState(engine, "waiting", "1");
  await first.close();
  await engine.cancel("1");
  return { held, order, one, two };
}
