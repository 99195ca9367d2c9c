// What every kernel must do, as tests: the two functions below the scheduler, on which all of replay rests.
// It must not know any kernel, nor load the test runner before it is asked for tests: other runners load this door too.

import assert from "node:assert/strict";
import type { Kernel, Leaf, Op } from "../core/run.ts";
import type { Json } from "../std/json.ts";
import { seconds } from "../std/units.ts";
import type { FakeClock } from "./fake-clock.ts";
import { fakeClock } from "./fake-clock.ts";

/** One run, started and not yet moved, and what comes to it from outside. */
export interface KernelStore {
  /** The next attempt, with all that is journaled: as after the end of the process that made the one before. */
  attempt(): Kernel | Promise<Kernel>;
  answer(key: string, value: Json): Promise<unknown>;
  /** Ends the child of that key with a value. */
  endChild(key: string, value: Json): Promise<unknown>;
}

/** `after` takes what is to be done once its test is over. */
export type CreateKernelStore = (
  clock: FakeClock,
  test: { after(done: () => void | Promise<void>): void },
) => KernelStore | Promise<KernelStore>;

/** Registers a suite of `node:test`. */
export function kernelContract(name: string, create: CreateKernelStore): void {
  const { describe, test } = process.getBuiltinModule("node:test");
  describe(name, () => {
    for (const [title, check] of Object.entries(checks)) {
      test(title, async (context) => {
        const clock = fakeClock(Date.UTC(2026, 0, 1));
        await check(await create(clock, context), clock);
      });
    }
  });
}

type Check = (store: KernelStore, clock: FakeClock) => Promise<void>;

const checks: Readonly<Record<string, Check>> = {
  async "operations are given in the order they settled, then again in that order, and are not done again"(store) {
    const first = await store.attempt();
    const began: string[] = [];
    const released = new Map<string, (value: Json) => void>();
    const slow = (kernel: Kernel, key: string): Leaf =>
      kernel.issue(step(key, () => new Promise((resolve) => released.set(key, resolve)), began));
    const open = ["a", "b", "c"].map((key) => slow(first, key));
    const selected = first.select(open);
    assert.deepEqual(began, ["a", "b", "c"]);
    released.get("c")?.(3);
    assert.deepEqual(told(await selected), ["c", 3, false]);
    released.get("a")?.({ of: "a" });
    assert.deepEqual(told(await first.select(open.slice(0, 2))), ["a", { of: "a" }, false]);

    const second = await store.attempt();
    const again = ["a", "b", "c"].map((key) => slow(second, key));
    assert.deepEqual(told(await second.select(again)), ["c", 3, true]);
    assert.deepEqual(told(await second.select(again.slice(0, 2))), ["a", { of: "a" }, true]);
    assert.deepEqual(began, ["a", "b", "c"]);
    const last = second.select(again.slice(1, 2));
    assert.deepEqual(began, ["a", "b", "c", "b"]);
    released.get("b")?.(null);
    assert.deepEqual(told(await last), ["b", null, false]);
  },

  async "says whether its journal held anything when the attempt began"(store) {
    const first = await store.attempt();
    assert.equal(first.hasJournal, false);
    await first.select([first.issue(step("a", () => 1))]);
    assert.equal(first.hasJournal, false);
    assert.equal((await store.attempt()).hasJournal, true);
  },

  async "of several that have settled the first of those that are open is given"(store) {
    const first = await store.attempt();
    const [a, b, c] = ["a", "b", "c"].map((key) => first.issue(step(key, () => key))) as [Leaf, Leaf, Leaf];
    assert.equal(await first.select([a, b, c]), a);
    assert.equal(await first.select([c]), c);
    assert.equal(await first.select([b]), b);
    const second = await store.attempt();
    const again = ["a", "b", "c"].map((key) => second.issue(step(key, () => key))) as [Leaf, Leaf, Leaf];
    assert.equal(await second.select([again[2]]), again[2]);
    assert.equal(await second.select([again[0], again[1]]), again[0]);
    assert.equal(await second.select([again[1]]), again[1]);
  },

  async "nothing new starts before all of the journal was given"(store) {
    await journal(store, ["a", "b"]);
    const began: string[] = [];
    const kernel = await store.attempt();
    const [a, added] = [kernel.issue(step("a", () => 1, began)), kernel.issue(step("new", () => 9, began))];
    assert.deepEqual(told(await kernel.select([a, added])), ["a", "a", true]);
    assert.deepEqual(began, []);
    const b = kernel.issue(step("b", () => 2, began));
    assert.deepEqual(told(await kernel.select([added, b])), ["b", "b", true]);
    assert.deepEqual(began, []);
    assert.deepEqual(told(await kernel.select([added])), ["new", 9, false]);
    assert.deepEqual(began, ["new"]);
  },

  async "code that asks for something else than the journal holds is refused, and nothing of it starts"(store) {
    await journal(store, ["a", "b"]);
    const began: string[] = [];
    const renamed = await store.attempt();
    await renamed.select([renamed.issue(step("a", () => 1, began))]);
    const leaf = renamed.issue(step("z", () => 1, began));
    await refused(renamed.select([leaf]), /`b`.*`z`/);
    const other = await store.attempt();
    await refused(other.select([other.issue({ kind: "timer", key: "a", at: 0 })]), /`a` is a step.*a timer/);
    assert.deepEqual(began, []);
  },

  async "a timer settles when its time has come"(store, clock) {
    const kernel = await store.attempt();
    const at = clock.now() + 5_000;
    const open = [kernel.issue(step("busy", () => new Promise(() => undefined))), kernel.issue(timer("t", at))];
    let isGiven = false;
    const selected = kernel.select(open).finally(() => (isGiven = true));
    await clock.advance(seconds(4));
    assert.equal(isGiven, false);
    await clock.advance(seconds(1));
    assert.deepEqual(told(await selected), ["t", null, false]);
  },

  async "an answer is given while a step runs"(store) {
    const kernel = await store.attempt();
    const busy = kernel.issue(step("busy", () => new Promise(() => undefined)));
    const selected = kernel.select([busy, kernel.issue(asking("p"))]);
    await untilAnswered(store, "p", "yes");
    assert.deepEqual(told(await selected), ["p", { type: "answer", value: "yes" }, false]);
  },

  async "a run all of which waits is given up: what comes is for the next attempt"(store) {
    const first = await store.attempt();
    await first.select([first.issue(step("a", () => 1))]);
    let isGiven = false;
    first.select([first.issue(asking("p"))]).then(
      () => (isGiven = true),
      () => (isGiven = true),
    );
    await turns();
    await untilAnswered(store, "p", 5);
    await turns();
    assert.equal(isGiven, false);
    const second = await store.attempt();
    await second.select([second.issue(step("a", () => 1))]);
    assert.deepEqual(told(await second.select([second.issue(asking("p"))])), [
      "p",
      { type: "answer", value: 5 },
      false,
    ]);
    assert.equal(isGiven, false);
  },

  async "a pause that is closed first is closed, one that was answered first is answered"(store) {
    const kernel = await store.attempt();
    const busy = kernel.issue(step("busy", () => new Promise(() => undefined)));
    const [p, q] = [kernel.issue(asking("p")), kernel.issue(asking("q"))];
    const selected = kernel.select([busy, p, q]);
    await untilAnswered(store, "q", 1);
    assert.equal(await selected, q);
    const closing = ["p", "q"].map((pause) =>
      kernel.issue({ kind: "close", key: `close ${pause}`, pause, answer: { type: "closed" } }),
    );
    assert.equal(await kernel.select(closing), closing[0]);
    assert.equal(await kernel.select([closing[1]!]), closing[1]);
    assert.deepEqual(told(await kernel.select([busy, p])), ["p", { type: "closed" }, false]);
    assert.deepEqual(q.value, { type: "answer", value: 1 });
  },

  async "the end of a child is given as its outcome"(store) {
    const kernel = await store.attempt();
    const busy = kernel.issue(step("busy", () => new Promise(() => undefined)));
    const selected = kernel.select([busy, kernel.issue({ kind: "child", key: "c", flow: "child", input: 1 })]);
    await turns();
    await store.endChild("c", ["of the child"]);
    assert.deepEqual(told(await selected), ["c", { ok: true, value: ["of the child"] }, false]);
  },
};

function step(key: string, work: () => Json | Promise<Json>, began: string[] = []): Op {
  return {
    kind: "step",
    key,
    async fn() {
      began.push(key);
      return work();
    },
  };
}

function timer(key: string, at: number): Op {
  return { kind: "timer", key, at };
}

function asking(key: string): Op {
  return { kind: "pause", key, request: { kind: "question", data: null } };
}

function told({ op, value, isReplayed }: Leaf): Json {
  return [op.key, value ?? null, isReplayed === true];
}

async function journal(store: KernelStore, keys: readonly string[]): Promise<void> {
  const kernel = await store.attempt();
  for (const key of keys) await kernel.select([kernel.issue(step(key, () => key))]);
}

function refused(selected: Promise<Leaf>, message: RegExp): Promise<void> {
  return assert.rejects(selected, { code: "run.replay-mismatch", message });
}

/** A pause can be answered once others see it. */
async function untilAnswered(store: KernelStore, key: string, value: Json): Promise<void> {
  while ((await store.answer(key, value)) !== "accepted") await turns();
}

async function turns(): Promise<void> {
  for (let turn = 0; turn < 10; turn++) await new Promise((resolve) => setImmediate(resolve));
}
