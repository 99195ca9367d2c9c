// Waiting for people: answers in any order, from anywhere, with nobody alive; one judge of each pause; expiry.
// Whoever answers needs the store alone.

import assert from "node:assert/strict";
import type { Answer, Flow } from "../../core/run.ts";
import type { Json } from "../../std/json.ts";
import { minutes, seconds } from "../../std/units.ts";
import type { Check } from "./fixture.ts";
import { ask, begin, Held, inState, paused, runOnce, until } from "./fixture.ts";

export const ofPauses: Readonly<Record<string, Check>> = {
  async "answers in any order let their own branch go on at once"(fixture) {
    const engine = await fixture.open();
    const used: string[] = [];
    const flow: Flow = async (run) =>
      run.all(
        ["a", "b", "c"].map((name) =>
          run.branch(name, async (own) => {
            const answer = (await own.pause("ask", ask(name))) as { readonly value: Json };
            return own.step("use", () => {
              used.push(name);
              return [name, answer.value];
            });
          }),
        ),
      );
    await begin(engine, flow);
    const pauses = await paused(engine, 3);
    assert.deepEqual(
      pauses.map(({ key, request }) => [key, request]),
      ["a", "b", "c"].map((name) => [`${name}/ask`, ask(name)]),
    );
    for (const [index, name] of ["c", "a", "b"].entries()) {
      assert.equal(await engine.answer({ runId: "r", key: `${name}/ask` }, name.toUpperCase()), "accepted");
      await until(() => used.length === index + 1, `step of ${name}`);
    }
    assert.deepEqual((await engine.result("r")).result, [
      ["a", "A"],
      ["b", "B"],
      ["c", "C"],
    ]);
    assert.deepEqual(used, ["c", "a", "b"]);
  },

  async "answers given while nobody serves are taken in the order they came"(fixture) {
    const engine = await fixture.open();
    const serving = await begin(engine, inOrder);
    await paused(engine, 3);
    await inState(engine, "waiting");
    await serving.close();
    for (const key of ["z", "x", "y"]) await engine.answer({ runId: "r", key }, null);
    assert.equal((await engine.status("r"))?.state, "queued");
    await engine.serve({ flow: inOrder });
    assert.deepEqual((await engine.result("r")).result, ["z", "x", "y"]);
  },

  async "answers given while the run is busy elsewhere keep their order"(fixture) {
    const engine = await fixture.open();
    const held = new Held();
    const flow: Flow = async (run) => {
      const open = ["x", "y", "z"].map((key) => run.pause(key, ask()));
      await run.step("busy", () => held.wait());
      return (await orderOf(run, open)) as Json;
    };
    await begin(engine, flow);
    await held.begun.promise;
    await paused(engine, 3);
    for (const key of ["z", "x", "y"]) assert.equal(await engine.answer({ runId: "r", key }, null), "accepted");
    held.release();
    assert.deepEqual((await engine.result("r")).result, ["z", "x", "y"]);
  },

  async "an answer that comes while its run is given up is not lost"(fixture) {
    const engine = await fixture.open();
    let answered: Promise<string> | undefined;
    const flow: Flow = async (run) => {
      const asked = run.pause("ask", ask());
      await run.step("s", () => 1);
      // Under way with what gives the run up.
      answered ??= engine.answer({ runId: "r", key: "ask" }, 7);
      return (await asked) as Json;
    };
    await begin(engine, flow);
    assert.deepEqual((await engine.result("r")).result, { type: "answer", value: 7 });
    assert.equal(await answered, "accepted");
  },

  async "an answer does not wait for a step of another branch"(fixture) {
    const engine = await fixture.open();
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
    await begin(engine, flow);
    await held.begun.promise;
    await paused(engine, 1);
    await engine.answer({ runId: "r", key: "b/ask" }, null);
    await answered.begun.promise;
    held.release();
    await engine.result("r");
  },

  async "of several answers to one pause one is accepted, and its value counts"(fixture) {
    const engine = await fixture.open();
    await begin(engine, async (run) => run.pause("ask", ask()) as never);
    await paused(engine, 1);
    const words = await Promise.all(
      ["a", "b", "c"].map((value) => engine.answer({ runId: "r", key: "ask" }, value, value)),
    );
    assert.deepEqual(words, ["accepted", "answered", "answered"]);
    assert.deepEqual((await engine.result("r")).result, { type: "answer", value: "a" });
    assert.equal(await engine.answer({ runId: "r", key: "ask" }, "d"), "answered");
    const [pause] = await engine.pauses({ answered: true });
    assert.deepEqual(pause, {
      runId: "r",
      key: "ask",
      request: ask(),
      askedAt: fixture.clock.now(),
      answer: { type: "answer", value: "a" },
      answeredAt: fixture.clock.now(),
      answeredBy: "a",
    });
  },

  async "an answer to what was never asked is unknown, and one after the end is too late"(fixture) {
    const engine = await fixture.open();
    const flow: Flow = async (run) => {
      const open = [run.pause("one", ask()), run.pause("two", ask())];
      await run.next(open);
      return null;
    };
    await begin(engine, flow);
    await paused(engine, 2);
    assert.equal(await engine.answer({ runId: "r", key: "three" }, null), "unknown");
    assert.equal(await engine.answer({ runId: "s", key: "one" }, null), "unknown");
    await engine.answer({ runId: "r", key: "one" }, null);
    await engine.result("r");
    assert.equal(await engine.answer({ runId: "r", key: "two" }, null), "closed");
    assert.deepEqual(await engine.pauses(), []);
    const answers = (await engine.pauses({ answered: true })).map(({ answer }) => answer?.type);
    assert.deepEqual(answers, ["answer", "closed"]);
  },

  async "a pause expires when its time has come"(fixture) {
    const engine = await fixture.open();
    await begin(engine, expiring);
    await paused(engine, 1);
    await fixture.clock.advance(seconds(59));
    assert.equal((await engine.pauses()).length, 1);
    await fixture.clock.advance(seconds(1));
    assert.deepEqual((await engine.result("r")).result, { type: "expired" });
    assert.equal(await engine.answer({ runId: "r", key: "ask" }, null), "expired");
  },

  async "a pause expires with nobody alive: a late answer is refused"(fixture) {
    const engine = await fixture.open();
    const serving = await begin(engine, expiring);
    await paused(engine, 1);
    await inState(engine, "waiting");
    await serving.close();
    await fixture.clock.advance(minutes(1));
    assert.deepEqual(await engine.pauses(), []);
    const [pause] = await engine.pauses({ answered: true });
    assert.deepEqual([pause?.answer, pause?.answeredAt], [{ type: "expired" }, fixture.clock.now()]);
    assert.equal(await engine.answer({ runId: "r", key: "ask" }, "late"), "expired");
    await engine.serve({ flow: expiring });
    assert.deepEqual((await engine.result("r")).result, { type: "expired" });
  },

  async "an answer in time counts, however late it is seen"(fixture) {
    const engine = await fixture.open();
    const serving = await begin(engine, expiring);
    await paused(engine, 1);
    await inState(engine, "waiting");
    await serving.close();
    await fixture.clock.advance(seconds(59));
    assert.equal(await engine.answer({ runId: "r", key: "ask" }, "in time"), "accepted");
    await fixture.clock.advance(minutes(5));
    await engine.serve({ flow: expiring });
    assert.deepEqual((await engine.result("r")).result, { type: "answer", value: "in time" });
  },

  async "an answered pause does not wake its run when it would have expired"(fixture) {
    const engine = await fixture.open();
    let attempts = 0;
    const flow: Flow = async (run) => {
      attempts++;
      await run.pause("ask", ask(null, { expiresAt: (await run.now("t")) + 60_000 }));
      return run.pause("then", ask()) as never;
    };
    await begin(engine, flow);
    await paused(engine, 1);
    await inState(engine, "waiting");
    await engine.answer({ runId: "r", key: "ask" }, null);
    await until(async () => (await engine.pauses())[0]?.key === "then");
    await inState(engine, "waiting");
    await fixture.clock.advance(minutes(2));
    assert.deepEqual([attempts, (await engine.status("r"))?.state], [2, "waiting"]);
  },

  async "a pause is found by the id of its request, which no other has"(fixture) {
    const engine = await fixture.open();
    const flow: Flow = async (run) => run.pause("ask", ask(run.id, { id: "the-id" })) as never;
    await begin(engine, flow);
    await paused(engine, 1);
    const [pause] = await engine.pauses({ id: "the-id" });
    assert.deepEqual([pause?.runId, pause?.key, pause?.request.id], ["r", "ask", "the-id"]);
    assert.deepEqual(await engine.pauses({ id: "another" }), []);
    const starting = async (prefix: string) => (await engine.pauses({ prefix })).map(({ request }) => request.id);
    assert.deepEqual([await starting("the-"), await starting("he-id"), await starting("this")], [["the-id"], [], []]);
    const second = await runOnce(engine, flow, { runId: "s" });
    assert.deepEqual([second.state, second.error?.code], ["failed", "run.misuse"]);
    await engine.answer({ runId: "r", key: "ask" }, 1);
    assert.equal((await engine.result("r")).state, "done");
    const [answered] = await engine.pauses({ id: "the-id", answered: true });
    assert.deepEqual(answered?.answer, { type: "answer", value: 1 });
  },

  async "pauses of children are listed under the parent and answered by the child's id"(fixture) {
    const engine = await fixture.open();
    const flow: Flow = async (run) => run.all([run.child("c", "child", null), run.pause("own", ask())]) as never;
    await engine.serve({ child: async (run) => run.pause("ask", ask()) as never });
    await begin(engine, flow);
    await begin(engine, async (run) => run.pause("other", ask()) as never, { runId: "r0" });
    const pauses = await paused(engine, 2, "r");
    assert.deepEqual(pauses.map(({ runId, key }) => `${runId} ${key}`).sort(), ["r own", "r/c ask"]);
    assert.deepEqual(
      (await engine.pauses({ under: "r/c" })).map(({ runId }) => runId),
      ["r/c"],
    );
    await engine.answer({ runId: "r/c", key: "ask" }, 1);
    await engine.answer({ runId: "r", key: "own" }, 2);
    assert.deepEqual((await engine.result("r")).result, [
      { type: "answer", value: 1 },
      { type: "answer", value: 2 },
    ]);
  },

  async "a flow closes what it no longer waits for, and a later answer is told so"(fixture) {
    const engine = await fixture.open();
    const flow: Flow = async (run) => {
      const open = ["a", "b", "c"].map((key) => run.pause(key, ask()));
      await run.next(open);
      await run.closePauses("enough");
      return (await run.all(open)) as Json;
    };
    await begin(engine, flow);
    await paused(engine, 3);
    await engine.answer({ runId: "r", key: "b" }, "this");
    assert.deepEqual((await engine.result("r")).result, [
      { type: "closed" },
      { type: "answer", value: "this" },
      { type: "closed" },
    ]);
    assert.equal(await engine.answer({ runId: "r", key: "a" }, null), "closed");
  },

  async "a flow settles a pause of its own unless somebody was first, and who did is on record"(fixture) {
    const engine = await fixture.open();
    const at = fixture.clock.now();
    const told = new Held();
    const flow: Flow = async (run) => {
      const asked = ["own", "other"].map((key) => run.pause(key, ask(key, { id: `id-${key}` })));
      await run.step("wait", () => told.wait());
      for (const key of ["own", "other"])
        await run.settlePause(`${key}:told`, key, { type: "answer", value: { ok: true } }, { channel: "desk" });
      return run.all(asked) as never;
    };
    await begin(engine, flow);
    await paused(engine, 2);
    await engine.answer({ runId: "r", key: "other" }, 2, { operator: "anna" });
    told.release();
    const answers = [{ ok: true }, 2].map((value) => ({ type: "answer", value }));
    assert.deepEqual((await engine.result("r")).result, answers);
    const records = await engine.pauses({ under: "r", answered: true });
    assert.deepEqual(
      records.map(({ key, answer, answeredAt, answeredBy }) => [key, answer, answeredAt, answeredBy]),
      [
        ["own", answers[0], at, { channel: "desk" }],
        ["other", answers[1], at, { operator: "anna" }],
      ],
    );
    assert.equal(await engine.answer({ runId: "r", key: "own" }, null), "answered");
  },

  async "a pause settled by its flow is as settled for the next attempt"(fixture) {
    const engine = await fixture.open();
    const flow: Flow = async (run) => {
      const asked = run.pause("ask", ask());
      await run.settlePause("told", "ask", { type: "answer", value: 1 });
      const answer = await asked;
      return [answer as Json, (await run.pause("later", ask())) as Json];
    };
    const first = await begin(engine, flow);
    await inState(engine, "waiting");
    await first.close();
    await engine.answer({ runId: "r", key: "later" }, 2);
    await engine.serve({ flow });
    const answers = [1, 2].map((value) => ({ type: "answer", value }));
    assert.deepEqual((await engine.result("r")).result, answers);
  },

  async "ids of pauses are unique, also among those that are settled"(fixture) {
    const engine = await fixture.open();
    const flow: Flow = async (run) => {
      const asked = run.pause("ask", ask(run.id, { id: "the-id" }));
      await run.settlePause("told", "ask", { type: "closed" });
      return asked as never;
    };
    assert.equal((await runOnce(engine, flow)).state, "done");
    const second = await runOnce(engine, flow, { runId: "s" });
    assert.deepEqual([second.state, second.error?.code], ["failed", "run.misuse"]);
  },

  async "a run all of whose branches wait is given up, and says so"(fixture) {
    const engine = await fixture.open();
    let rests = 0;
    const flow: Flow = async (run, _input, attempt) => {
      attempt.onRest(() => rests++);
      await run.step("s", () => 1);
      return run.pause("ask", ask()) as never;
    };
    await begin(engine, flow);
    await paused(engine, 1);
    await inState(engine, "waiting");
    await until(() => rests === 1);
    await engine.answer({ runId: "r", key: "ask" }, null);
    await engine.result("r");
    assert.equal(rests, 1);
  },
};

const expiring: Flow = async (run) => {
  const answer: Answer = await run.pause("ask", ask(null, { expiresAt: (await run.now("t")) + 60_000 }));
  return answer as Json;
};

const inOrder: Flow = async (run) =>
  (await orderOf(
    run,
    ["x", "y", "z"].map((key) => run.pause(key, ask())),
  )) as Json;

async function orderOf(run: Parameters<Flow>[0], tasks: readonly ReturnType<typeof run.pause>[]): Promise<string[]> {
  const open = [...tasks];
  const order: string[] = [];
  while (open.length > 0) {
    const { index, key } = await run.next(open);
    open.splice(index, 1);
    order.push(key);
  }
  return order;
}
