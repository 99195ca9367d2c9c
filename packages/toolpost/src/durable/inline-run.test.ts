import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { LazyAbort } from "../std/abort.ts";
import { milliseconds, seconds } from "../std/units.ts";
import { fakeClock } from "../testing/fake-clock.ts";
import { InlineRun } from "./inline-run.ts";

function inline(clock = fakeClock()): { owner: InlineRun; abort: LazyAbort } {
  const abort = new LazyAbort();
  return { owner: new InlineRun("run_1", abort, clock), abort };
}

describe("an inline run", () => {
  it("runs a step at once, under a key made of run, branch and step", async () => {
    const { owner } = inline();
    const keys: string[] = [];
    const value = await owner.run.branch("a", async (branch) =>
      branch.step("b", (step) => {
        keys.push(step.idempotencyKey);
        return 7;
      }),
    );
    assert.deepEqual([value, keys], [7, ["run_1/a/b"]]);
    await assert.rejects(
      Promise.resolve(
        owner.run.step("c", () => {
          throw new Error("no");
        }),
      ),
      /no/,
    );
  });

  it("gives all in order and next by who settles first", async () => {
    const { owner } = inline();
    const gate = Promise.withResolvers<string>();
    const tasks = [owner.run.step("slow", () => gate.promise), owner.run.step("quick", () => "q")];
    assert.deepEqual(await owner.run.next(tasks), { index: 1, key: "quick", ok: true, value: "q" });
    gate.resolve("s");
    assert.deepEqual(await owner.run.all(tasks), ["s", "q"]);
  });

  it("waits when every branch waits for people, and only then", async () => {
    const { owner } = inline();
    let waits = 0;
    owner.watcher = { onWaiting: () => void waits++ };
    const gate = Promise.withResolvers<void>();
    const request = { kind: "approval", data: null };
    const paused = owner.run.branch("p", async (branch) => branch.pause("ask", request));
    const busy = owner.run.branch("b", async (branch) => branch.step("work", () => gate.promise));
    await Promise.resolve();
    assert.deepEqual([owner.isWaiting, waits], [false, 0]);
    gate.resolve();
    await busy;
    await Promise.resolve();
    assert.deepEqual([owner.isWaiting, waits, owner.pauses], [true, 1, [{ key: "p/ask", request }]]);
    assert.equal(owner.answer("p/ask", { type: "answer", value: 1 }), true);
    assert.equal(owner.answer("p/ask", { type: "answer", value: 2 }), false);
    assert.deepEqual(await paused, { type: "answer", value: 1 });
    assert.equal(owner.isWaiting, false);
  });

  it("expires a pause on its clock, and forgets the expiry once answered", async () => {
    const clock = fakeClock();
    const { owner } = inline(clock);
    const late = owner.run.pause("late", { kind: "approval", data: null, expiresAt: 1_000 });
    const early = owner.run.pause("early", { kind: "approval", data: null, expiresAt: 1_000 });
    owner.answer("early", { type: "answer", value: "yes" });
    await clock.advance(seconds(1));
    assert.deepEqual([await late, await early], [{ type: "expired" }, { type: "answer", value: "yes" }]);
    assert.equal(clock.pending, 0);
  });

  it("closes pauses when told to or cancelled, and later ones at once", async () => {
    const { owner, abort } = inline();
    const first = owner.run.pause("a", { kind: "approval", data: null });
    owner.closePauses();
    const second = owner.run.pause("b", { kind: "approval", data: null });
    abort.abort("x");
    const third = owner.run.pause("c", { kind: "approval", data: null });
    assert.deepEqual(
      [await first, await second, await third],
      Array.from({ length: 3 }, () => ({ type: "closed" })),
    );
  });

  it("sleeps on its clock, and no longer than the run lives", async () => {
    const clock = fakeClock(100);
    const { owner, abort } = inline(clock);
    const slept = owner.run.sleep("s", { ms: 50 });
    await clock.advance(milliseconds(50));
    await slept;
    assert.equal(await owner.run.now("n"), 150);
    const cut = owner.run.sleep("t", { at: 10_000 });
    abort.abort(new Error("over"));
    await assert.rejects(Promise.resolve(cut), /over/);
  });

  it("refuses child flows in words", () => {
    assert.throws(() => inline().owner.run.child("c", "flow", null), { code: "run.needs-engine" });
  });
});
