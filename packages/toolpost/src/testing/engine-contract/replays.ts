// Runs that are given up and gone on with: nothing that had finished is done again, the path is the same, and code that does
// not match the journal is refused before it does anything new.

import assert from "node:assert/strict";
import type { Engine, Flow, Run } from "../../core/run.ts";
import type { Json } from "../../std/json.ts";
import type { Check } from "./fixture.ts";
import { ask, begin, Held, inState, paused, runOnce, turn, until } from "./fixture.ts";

export const ofReplays: Readonly<Record<string, Check>> = {
  async "what had finished is not done again, at whatever step a run was given up"(fixture) {
    const engine = await fixture.open();
    for (let stop = 0; stop < 6; stop++) {
      const runId = `r${stop}`;
      const done: string[] = [];
      const held = new Held();
      const flow =
        (isHeld: boolean): Flow =>
        async (run) => {
          const branches = ["x", "y"].map((name) =>
            run.branch(name, async (own) => {
              const values: Json[] = [];
              for (let step = 0; step < 3; step++) {
                const work = async (): Promise<string> => {
                  if (isHeld && done.length === stop) await held.wait();
                  done.push(`${name}${step}`);
                  return `${name}${step}`;
                };
                values.push(await own.step(`s${step}`, work));
              }
              return values;
            }),
          );
          return run.all(branches);
        };
      const first = await begin(engine, flow(true), { runId });
      await held.begun.promise;
      await turn();
      await first.close({ drain: 0 });
      const before = (await engine.journal(runId)).length;
      done.length = 0;
      await engine.serve({ flow: flow(false) }).then(async (second) => {
        assert.deepEqual((await engine.result(runId)).result, [
          ["x0", "x1", "x2"],
          ["y0", "y1", "y2"],
        ]);
        await second.close();
      });
      assert.equal(done.length, 6 - before);
      assert.equal((await engine.journal(runId)).length, 6);
    }
  },

  async "branches take the same path on replay, as answers and steps settled"(fixture) {
    const engine = await fixture.open();
    const paths: string[][] = [];
    const flow: Flow = async (run) => {
      const path: string[] = [];
      paths.push(path);
      const open = ["p0", "p1", "p2"].map((key) => run.pause(key, ask()) as never as ReturnType<Run["step"]>);
      for (const key of ["s0", "s1"]) open.push(run.step(key, () => key));
      while (open.length > 0) {
        const { index, key } = await run.next(open);
        open.splice(index, 1);
        path.push(key);
      }
      return path;
    };
    let serving = await begin(engine, flow);
    await paused(engine, 3);
    for (const key of ["p2", "p0", "p1"]) {
      await serving.close();
      await engine.answer({ runId: "r", key }, null);
      serving = await engine.serve({ flow });
      if (key !== "p1") await until(async () => (await engine.journal("r")).some((entry) => entry.key === key));
      if (key !== "p1") await inState(engine, "waiting");
    }
    const { result } = await engine.result("r");
    assert.deepEqual(result, ["s0", "s1", "p2", "p0", "p1"]);
    for (const path of paths) assert.deepEqual(path, (result as string[]).slice(0, path.length));
  },

  async "a replay says so in each branch, and the first attempt of a run does not"(fixture) {
    const engine = await fixture.open();
    const told: Json[] = [];
    const flow: Flow = async (run) => {
      told.push(["start", run.isReplaying]);
      await run.step("a", () => 1);
      told.push(["a", run.isReplaying]);
      await run.pause("ask", ask());
      told.push(["ask", run.isReplaying]);
      return null;
    };
    await begin(engine, flow);
    await paused(engine, 1);
    await inState(engine, "waiting");
    await engine.answer({ runId: "r", key: "ask" }, null);
    await engine.result("r");
    assert.deepEqual(told, [
      ["start", false],
      ["a", false],
      ["start", true],
      ["a", true],
      ["ask", false],
    ]);
  },

  async "moments, times and numbers are kept"(fixture) {
    const engine = await fixture.open();
    const drawn: Json[] = [];
    const flow: Flow = async (run) => {
      drawn.push([await run.now("t"), await run.random("n")]);
      await run.pause("ask", ask());
      return null;
    };
    await begin(engine, flow);
    await paused(engine, 1);
    await inState(engine, "waiting");
    await engine.answer({ runId: "r", key: "ask" }, null);
    await engine.result("r");
    assert.equal(drawn.length, 2);
    assert.deepEqual(drawn[0], drawn[1]);
  },

  async "a step has the same key in every attempt"(fixture) {
    const engine = await fixture.open();
    const keys: string[] = [];
    const held = new Held();
    const flow: Flow = async (run) =>
      run.branch("b", (own) =>
        own.step("s", ({ idempotencyKey }) => {
          keys.push(idempotencyKey);
          return keys.length === 1 ? held.wait() : null;
        }),
      ) as never;
    const first = await begin(engine, flow);
    await held.begun.promise;
    await first.close({ drain: 0 });
    await engine.serve({ flow });
    await engine.result("r");
    assert.deepEqual(keys, ["r/b/s", "r/b/s"]);
  },

  async "an act that is to be done at most once is not done again when its attempt was given up in it"(fixture) {
    const engine = await fixture.open();
    const held = new Held();
    let begun = 0;
    const pay = (): Promise<string> => {
      begun++;
      return held.wait().then(() => "paid");
    };
    const flow: Flow = async (run) => run.step("pay", pay, { interrupted: () => "unknown" });
    const first = await begin(engine, flow);
    await held.begun.promise;
    await first.close({ drain: 0 });
    await engine.serve({ flow });
    assert.deepEqual([(await engine.result("r")).result, begun], ["unknown", 1]);
  },

  async "an act that is to be done at most once is done where nothing went wrong"(fixture) {
    const engine = await fixture.open();
    let begun = 0;
    const flow: Flow = async (run) => {
      const paid = await run.step("pay", () => `paid ${++begun}`, { interrupted: () => "unknown" });
      await run.pause("ask", ask());
      return paid;
    };
    await begin(engine, flow);
    await paused(engine, 1);
    await inState(engine, "waiting");
    await engine.answer({ runId: "r", key: "ask" }, null);
    assert.deepEqual([(await engine.result("r")).result, begun], ["paid 1", 1]);
  },

  async "a failed step is not tried again, and throws on replay what it threw"(fixture) {
    const engine = await fixture.open();
    let tries = 0;
    const flow: Flow = async (run) => {
      const caught = await run
        .step("s", () => assert.fail(`no luck ${++tries}`))
        .then(undefined, (error: Error) => error.message);
      await run.pause("ask", ask());
      return caught as never;
    };
    await begin(engine, flow);
    await paused(engine, 1);
    await inState(engine, "waiting");
    await engine.answer({ runId: "r", key: "ask" }, null);
    assert.deepEqual([(await engine.result("r")).result, tries], ["no luck 1", 1]);
  },

  async "code without a step of the journal is refused by name"(fixture) {
    await refused(await fixture.open(), (run) => run.step("c", () => 3), /the journal holds `b`.*asked for `c`/);
  },

  async "code with a step added before others is refused before that begins"(fixture) {
    const code = async (run: Run): Promise<unknown> => [await run.step("new", () => 1), await run.step("b", () => 2)];
    await refused(await fixture.open(), code, /the journal holds `b`.*asked for `new`/);
  },

  async "code that asks for another kind of thing by the same key is refused"(fixture) {
    await refused(await fixture.open(), (run) => run.sleep("b", { at: 0 }), /`b` is a step.*and a timer in the code/);
  },

  async "code that ends before all of the journal was asked for is refused"(fixture) {
    await refused(await fixture.open(), async () => "early", /the journal holds `b`/);
  },

  async "two waits at once fail the run with the mend"(fixture) {
    const engine = await fixture.open();
    const flow: Flow = (run) => Promise.all([run.step("a", () => 1), run.step("b", () => 2)]);
    const { state, error } = await runOnce(engine, flow);
    assert.equal(state, "failed");
    assert.equal(error?.code, "run.misuse");
    assert.match(error.message, /two waits at once/);
  },
};

/** Goes on with other code after the steps `a` and `b`: the run fails with the names, and no new step began. */
async function refused(engine: Engine, rest: (run: Run) => PromiseLike<unknown>, message: RegExp): Promise<void> {
  const begun: string[] = [];
  const old: Flow = async (run) => {
    await run.step("a", () => 1);
    await run.step("b", () => 2);
    return run.pause("ask", ask()) as never;
  };
  const changed: Flow = async (run) => {
    const watched = {
      step: (key: string) => run.step(key, () => void begun.push(key)),
      sleep: run.sleep.bind(run),
    } as Partial<Run> as Run;
    await watched.step("a", () => 1);
    return (await rest(watched)) as Json;
  };
  const first = await begin(engine, old);
  await paused(engine, 1);
  await inState(engine, "waiting");
  await first.close();
  await engine.answer({ runId: "r", key: "ask" }, null);
  await engine.serve({ flow: changed });
  const { state, error } = await engine.result("r");
  assert.deepEqual([state, error?.code, begun], ["failed", "run.replay-mismatch", []]);
  assert.match(error?.message ?? "", message);
}
