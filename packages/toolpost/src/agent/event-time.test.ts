import assert from "node:assert/strict";
import { test } from "node:test";
import { EventTime } from "./event-time.ts";

/** A clock that goes on by one each time it is read. */
function ticking(): EventTime {
  let readings = 0;
  return new EventTime({ now: () => ++readings, schedule: () => assert.fail() });
}

const nextTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

test("deltas of one turn of the event loop share a reading, promises between them or not", async () => {
  const time = ticking();
  const first = time.ofTurn();
  await undefined;
  assert.deepEqual([first, time.ofTurn()], [1, 1]);
});

test("the next turn reads the clock anew", async () => {
  const time = ticking();
  time.ofTurn();
  await nextTurn();
  assert.equal(time.ofTurn(), 2);
});

test("time does not go back after a reading within the turn", async () => {
  const time = ticking();
  assert.deepEqual([time.ofTurn(), time.read(), time.ofTurn(), time.read()], [1, 2, 2, 3]);
});
