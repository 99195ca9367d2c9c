import assert from "node:assert/strict";
import { test } from "node:test";
import { milliseconds, seconds } from "../std/units.ts";
import { fakeClock } from "./fake-clock.ts";

test("time stands still until it is moved", async () => {
  const clock = fakeClock(1_000);
  assert.equal(clock.now(), 1_000);
  await clock.advance(seconds(2));
  assert.equal(clock.now(), 3_000);
  assert.equal(fakeClock().now(), 0);
});

test("callbacks run in order of their time, then of their scheduling, each at its own time", async () => {
  const clock = fakeClock();
  const seen: string[] = [];
  const note = (name: string) => () => void seen.push(`${name}@${clock.now()}`);
  clock.schedule(30, note("c"));
  clock.schedule(10, note("a"));
  clock.schedule(30, note("d"));
  clock.schedule(20, note("b"));
  clock.schedule(31, note("late"));
  assert.equal(clock.pending, 5);
  await clock.advance(milliseconds(30));
  assert.deepEqual(seen, ["a@10", "b@20", "c@30", "d@30"]);
  assert.equal(clock.now(), 30);
  assert.equal(clock.pending, 1);
});

test("nothing runs within schedule; what is due at once runs with the next advance", async () => {
  const clock = fakeClock();
  let runs = 0;
  for (const delay of [0, -5, Number.NaN]) clock.schedule(delay, () => void runs++);
  assert.equal(runs, 0);
  await clock.advance(milliseconds(0));
  assert.equal(runs, 3);
  assert.equal(clock.now(), 0);
});

test("promises go on between callbacks, and what they schedule within the time runs", async () => {
  const clock = fakeClock();
  const sleep = (ms: number): Promise<void> => new Promise((resolve) => clock.schedule(ms, resolve));
  const seen: number[] = [];
  const loop = (async () => {
    for (let turn = 0; turn < 5; turn++) {
      await Promise.resolve().then(() => new Promise((resolve) => setImmediate(resolve)));
      await sleep(10);
      seen.push(clock.now());
    }
  })();
  await clock.advance(milliseconds(35));
  assert.deepEqual(seen, [10, 20, 30]);
  await clock.advance(milliseconds(15));
  await loop;
  assert.deepEqual(seen, [10, 20, 30, 40, 50]);
});

test("a cancelled callback does not run, also when another one of its time cancels it", async () => {
  const clock = fakeClock();
  const timer = clock.schedule(5, () => assert.fail("cancelled"));
  const second = clock.schedule(10, () => third.cancel());
  const third = clock.schedule(10, () => assert.fail("cancelled"));
  timer.cancel();
  timer.cancel();
  assert.equal(clock.pending, 2);
  await clock.advance(seconds(1));
  second.cancel();
  assert.equal(clock.pending, 0);
});

test("advances at once run one after another", async () => {
  const clock = fakeClock();
  const seen: number[] = [];
  clock.schedule(15, () => void seen.push(clock.now()));
  await Promise.all([clock.advance(milliseconds(10)), clock.advance(milliseconds(10))]);
  assert.deepEqual(seen, [15]);
  assert.equal(clock.now(), 20);
});

test("a callback that throws stops no other; its error is uncaught", async () => {
  const clock = fakeClock();
  const uncaught = Promise.withResolvers<unknown>();
  const listeners = process.listeners("uncaughtException");
  process.removeAllListeners("uncaughtException");
  process.once("uncaughtException", uncaught.resolve);
  let runs = 0;
  clock.schedule(1, () => {
    throw new Error("of the callback");
  });
  clock.schedule(2, () => void runs++);
  await clock.advance(seconds(1));
  assert.equal(((await uncaught.promise) as Error).message, "of the callback");
  assert.equal(runs, 1);
  for (const listener of listeners) process.on("uncaughtException", listener);
});

test("what is no duration is refused with the fix", () => {
  for (const wrong of [10, undefined, seconds(-1), seconds(Number.NaN)]) {
    assert.throws(() => fakeClock().advance(wrong as never), /such as `seconds\(10\)`/);
  }
});
