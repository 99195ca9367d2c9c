import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { LazyAbort } from "./abort.ts";
import { Broadcast, Gate } from "./async.ts";
import { isPromiseLike } from "./soon.ts";

type Entered = ReturnType<Gate["enter"]>;

/** The release function of an entry that was let in within its call. */
function atOnce(entered: Entered): () => void {
  assert.ok(!isPromiseLike(entered));
  return entered;
}

/** Follows an entry that has to wait. */
function waiting(entered: Entered): { isIn(): boolean; leave(): void; reason: unknown } {
  assert.ok(isPromiseLike(entered));
  let release: (() => void) | undefined;
  const entry = { isIn: () => release !== undefined, leave: () => release?.(), reason: undefined as unknown };
  Promise.resolve(entered).then(
    (given) => {
      release = given;
    },
    (reason: unknown) => {
      entry.reason = reason;
    },
  );
  return entry;
}

/** Until all promises that can settle have. */
const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

// biome-ignore lint/suspicious/noThenProperty: what is tested is such objects
const thenable = (then: unknown): object => Object.fromEntries([["then", then]]);

test("what can be awaited is told from what cannot", () => {
  // biome-ignore lint/suspicious/noThenProperty: what is tested is such objects
  const hostile = Object.defineProperty({}, "then", { get: () => assert.fail() });
  const { proxy, revoke } = Proxy.revocable({}, {});
  revoke();
  for (const value of [
    Promise.resolve(),
    thenable(() => 1),
    Object.assign(
      () => 1,
      thenable(() => 1),
    ),
  ]) {
    assert.ok(isPromiseLike(value));
  }
  for (const value of [null, undefined, 1, "then", {}, thenable(1), () => 1, hostile, proxy]) {
    assert.ok(!isPromiseLike(value));
  }
});

test("a gate lets in as many as its limit at once, and the next when one leaves", async () => {
  const gate = new Gate(2);
  const first = atOnce(gate.enter(false));
  atOnce(gate.enter(false));
  const third = waiting(gate.enter(false));
  const fourth = waiting(gate.enter(false));
  await settled();
  assert.equal(third.isIn(), false);
  first();
  await settled();
  assert.ok(third.isIn());
  assert.equal(fourth.isIn(), false);
});

test("to release twice gives one place", async () => {
  const gate = new Gate(1);
  const release = atOnce(gate.enter(false));
  const second = waiting(gate.enter(false));
  const third = waiting(gate.enter(false));
  release();
  release();
  await settled();
  assert.ok(second.isIn());
  assert.equal(third.isIn(), false);
});

test("a limit that is none counts as 1", () => {
  for (const limit of [0, -3, Number.NaN, 1.9]) {
    const gate = new Gate(limit);
    atOnce(gate.enter(false));
    assert.ok(isPromiseLike(gate.enter(false)));
  }
});

test("an exclusive entry waits until nothing runs, and nothing runs beside it", async () => {
  const gate = new Gate(8);
  const first = atOnce(gate.enter(false));
  const second = atOnce(gate.enter(false));
  const alone = waiting(gate.enter(true));
  const later = waiting(gate.enter(false));
  first();
  await settled();
  assert.equal(alone.isIn(), false);
  second();
  await settled();
  assert.ok(alone.isIn());
  assert.equal(later.isIn(), false);
  alone.leave();
  await settled();
  assert.ok(later.isIn());
});

test("an exclusive entry into an empty gate is let in at once and keeps others out", async () => {
  const gate = new Gate(8);
  const release = atOnce(gate.enter(true));
  const exclusive = waiting(gate.enter(true));
  const other = waiting(gate.enter(false));
  release();
  await settled();
  assert.ok(exclusive.isIn());
  assert.equal(other.isIn(), false);
});

test("an abort while waiting rejects with its reason and frees the place in the queue", async () => {
  const gate = new Gate(8);
  const release = atOnce(gate.enter(false));
  const abort = new LazyAbort();
  const alone = waiting(gate.enter(true, abort));
  const behind = waiting(gate.enter(false));
  abort.abort("stop");
  await settled();
  assert.equal(alone.reason, "stop");
  assert.ok(behind.isIn(), "what only waited for the exclusive entry is let in");
  release();
});

test("one abort takes out all of its entries, letting none of them in", async () => {
  const gate = new Gate(8);
  atOnce(gate.enter(false));
  const abort = new LazyAbort();
  const entries = [true, false, false].map((exclusive) => waiting(gate.enter(exclusive, abort)));
  const other = waiting(gate.enter(false));
  abort.abort("stop");
  await settled();
  assert.deepEqual(
    entries.map(({ reason }) => reason),
    ["stop", "stop", "stop"],
  );
  assert.ok(other.isIn());
});

test("an entry aborted beforehand is not let in, even where there is room", async () => {
  const gate = new Gate(1);
  const abort = new LazyAbort();
  abort.abort("stop");
  const entry = waiting(gate.enter(false, abort));
  await settled();
  assert.equal(entry.reason, "stop");
  atOnce(gate.enter(false));
});

test("an abort after entering changes nothing at the gate", async () => {
  const gate = new Gate(1);
  const abort = new LazyAbort();
  atOnce(gate.enter(false))();
  const release = atOnce(gate.enter(false, abort));
  const second = waiting(gate.enter(false, abort));
  release();
  await settled();
  abort.abort("stop");
  await settled();
  assert.ok(second.isIn());
  assert.ok(isPromiseLike(gate.enter(false)), "the place is still taken");
});

test("whatever comes and goes: first come first in, the limit kept, exclusive alone, nobody forgotten", async () => {
  const action = fc.record({ kind: fc.constantFrom("enter", "enter", "exclusive", "leave", "abort"), which: fc.nat() });
  await fc.assert(
    fc.asyncProperty(fc.integer({ min: 1, max: 4 }), fc.array(action, { maxLength: 40 }), async (limit, actions) => {
      const gate = new Gate(limit);
      const entered: number[] = [];
      const inside = new Map<number, { exclusive: boolean; release: () => void }>();
      const queued = new Map<number, LazyAbort>();
      let count = 0;
      const admit = (id: number, exclusive: boolean, release: () => void): void => {
        queued.delete(id);
        entered.push(id);
        inside.set(id, { exclusive, release });
        assert.ok(inside.size <= limit);
        assert.ok(inside.size === 1 || [...inside.values()].every((entry) => !entry.exclusive));
      };
      for (const { kind, which } of actions) {
        if (kind === "leave") {
          const [id, entry] = [...inside][which % Math.max(inside.size, 1)] ?? [];
          if (id !== undefined) inside.delete(id);
          entry?.release();
        } else if (kind === "abort") {
          [...queued.values()][which % Math.max(queued.size, 1)]?.abort("stop");
        } else {
          const id = count++;
          const abort = new LazyAbort();
          const result = gate.enter(kind === "exclusive", abort);
          if (typeof result === "function") admit(id, kind === "exclusive", result);
          else {
            queued.set(id, abort);
            result.then(
              (release) => admit(id, kind === "exclusive", release),
              () => queued.delete(id),
            );
          }
        }
        await settled();
      }
      while (inside.size > 0) {
        const [id, { release }] = [...inside][0]!;
        inside.delete(id);
        release();
        await settled();
      }
      assert.equal(queued.size, 0);
      assert.deepEqual(
        entered,
        entered.toSorted((a, b) => a - b),
      );
    }),
    { seed: 7, numRuns: 200 },
  );
});

async function readAll<T>(source: AsyncIterable<T>): Promise<T[]> {
  const items: T[] = [];
  for await (const item of source) items.push(item);
  return items;
}

test("every reader sees all items in order, however late it starts", async () => {
  const log = new Broadcast<number>();
  log.push(1);
  const early = readAll(log);
  await settled();
  log.push(2);
  const middle = readAll(log.subscribe());
  log.push(3);
  log.end();
  assert.deepEqual(await Promise.all([early, middle, readAll(log)]), [
    [1, 2, 3],
    [1, 2, 3],
    [1, 2, 3],
  ]);
  assert.deepEqual(log.items, [1, 2, 3]);
});

test("a reader waits for the next item, and asks may be made ahead", async () => {
  const log = new Broadcast<string>();
  const reader = log.subscribe();
  const results = Promise.all([reader.next(), reader.next(), reader.next(), reader.next()]);
  log.push("a");
  log.push("b");
  log.end();
  const done = { done: true, value: undefined };
  assert.deepEqual(await results, [{ done: false, value: "a" }, { done: false, value: "b" }, done, done]);
});

test("an end with an error rejects once, after the last item", async () => {
  const log = new Broadcast<number>();
  const early = log.subscribe();
  const pending = [early.next(), early.next(), early.next()];
  const error = new Error("lost");
  log.push(1);
  log.end(error);
  const results = await Promise.allSettled(pending);
  assert.deepEqual(
    results.map(({ status }) => status),
    ["fulfilled", "rejected", "fulfilled"],
  );
  await assert.rejects(readAll(log), error);
});

test("what is pushed after the end is dropped, and the first end counts", async () => {
  const log = new Broadcast<number>();
  log.end();
  log.end(new Error("late"));
  log.push(1);
  assert.deepEqual(await readAll(log), []);
});

test("a reader that returned gets nothing more, and nobody waits for it", async () => {
  const log = new Broadcast<number>();
  log.push(1);
  const reader = log.subscribe();
  assert.deepEqual(await reader.next(), { done: false, value: 1 });
  const pending = reader.next();
  await reader.return!();
  const done = { done: true, value: undefined };
  assert.deepEqual(await pending, done);
  log.push(2);
  assert.deepEqual(await reader.next(), done);
  for await (const item of log) {
    assert.equal(item, 1);
    break;
  }
});

test("a compacted log shows late readers the merged items, and others exactly what they had left", async () => {
  const log = new Broadcast<string>();
  for (const item of ["a", "b", "c"]) log.push(item);
  const underWay = log.subscribe();
  await underWay.next();
  const notStarted = log.subscribe();
  const atTheEnd = log.subscribe();
  for (let index = 0; index < 3; index++) await atTheEnd.next();
  let next: unknown;
  void atTheEnd.next().then((result) => {
    next = result;
  });
  log.compact((items) => [items.join("")]);
  assert.deepEqual(log.items, ["abc"]);
  log.push("d");
  await settled();
  assert.deepEqual(next, { done: false, value: "d" });
  log.compact((items) => [items.join("+")]);
  log.push("e");
  log.end();
  assert.deepEqual(await readAll(underWay), ["b", "c", "d", "e"]);
  assert.deepEqual(await readAll(atTheEnd), ["e"]);
  assert.deepEqual(await readAll(notStarted), ["abc+d", "e"]);
  assert.deepEqual(await readAll(log), ["abc+d", "e"]);
});

test("a merge that throws leaves the log as it was", async () => {
  const log = new Broadcast<number>();
  log.push(1);
  assert.throws(() => log.compact(() => assert.fail("merge")), /merge/);
  log.end();
  assert.deepEqual(await readAll(log), [1]);
});

test("compacting from an index leaves the items before it, and readers in the middle, alone", async () => {
  const log = new Broadcast<string>();
  for (const item of ["head", "a", "b"]) log.push(item);
  const early = log.subscribe();
  assert.equal((await early.next()).value, "head");
  assert.equal((await early.next()).value, "a");
  log.compact((items) => [items.join("")], 1);
  log.push("tail");
  log.end();
  assert.deepEqual(log.items, ["head", "ab", "tail"]);
  assert.deepEqual([(await early.next()).value, (await early.next()).value], ["b", "tail"]);
});
