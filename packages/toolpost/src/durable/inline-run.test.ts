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

  it("tells next of a throw by its message, under the whole key, and refuses no task at all", async () => {
    const { owner } = inline();
    const settled = await owner.run.branch("a", async (branch) =>
      branch.next([branch.step("b", () => Promise.reject(new Error("no luck")))]),
    );
    assert.deepEqual(settled, { index: 0, key: "a/b", ok: false, error: "no luck" });
    assert.throws(() => owner.run.next([]), { code: "run.misuse" });
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
    for (let turn = 0; turn < 2; turn++) await new Promise(setImmediate);
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

  it("settles a pause of the branch unless somebody was first", async () => {
    const { owner } = inline();
    const answers = await owner.run.branch("b", async (branch) => {
      const asked = ["a", "c"].map((key) => branch.pause(key, { kind: "approval", data: 1 }));
      owner.answer("b/c", { type: "answer", value: "first" });
      for (const key of ["a", "c"])
        void branch.settlePause(`${key}:told`, key, { type: "answer", value: "yes" }, "desk");
      return branch.all(asked);
    });
    assert.deepEqual(answers, [
      { type: "answer", value: "yes" },
      { type: "answer", value: "first" },
    ]);
    assert.deepEqual(
      owner.closedPauses.map(({ key, answeredBy }) => [key, answeredBy]),
      [
        ["b/c", undefined],
        ["b/a", "desk"],
      ],
    );
  });

  it("does not wait for people as long as a step is under way, though every branch does", async () => {
    const { owner } = inline();
    let waits = 0;
    owner.watcher = { onWaiting: () => void waits++ };
    const gate = Promise.withResolvers<void>();
    void owner.run.branch("b", async (branch) => {
      void branch.step("send", () => gate.promise);
      return branch.pause("ask", { kind: "approval", data: null });
    });
    await new Promise(setImmediate);
    assert.deepEqual([owner.isWaiting, waits], [false, 0]);
    gate.resolve();
    for (let turn = 0; turn < 2; turn++) await new Promise(setImmediate);
    assert.deepEqual([owner.isWaiting, waits], [true, 1]);
  });

  it("keeps what came of each pause, in the order it came", async () => {
    const clock = fakeClock(100);
    const { owner, abort } = inline(clock);
    const request = { kind: "approval", data: null };
    for (const key of ["first", "second", "third"]) void owner.run.pause(key, request);
    void owner.run.pause("late", { ...request, expiresAt: 150 });
    owner.answer("second", { type: "answer", value: 2 }, { ownerId: "u" });
    await clock.advance(milliseconds(50));
    owner.answer("first", { type: "answer", value: 1 });
    abort.abort("over");
    assert.deepEqual(owner.closedPauses, [
      { key: "second", request, answer: { type: "answer", value: 2 }, answeredAt: 100, answeredBy: { ownerId: "u" } },
      { key: "late", request: { ...request, expiresAt: 150 }, answer: { type: "expired" }, answeredAt: 150 },
      { key: "first", request, answer: { type: "answer", value: 1 }, answeredAt: 150 },
      { key: "third", request, answer: { type: "closed" }, answeredAt: 150 },
    ]);
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
