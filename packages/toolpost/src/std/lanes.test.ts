import assert from "node:assert/strict";
import { test } from "node:test";
import { Lanes } from "./lanes.ts";

/** Lets what only waits for promises happen. */
const settle = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

test("a lane holds one at a time, and the others follow in the order they came", async () => {
  const lanes = new Lanes();
  const seen: string[] = [];
  let inside = 0;
  const pass = async (name: string): Promise<void> => {
    const leave = await lanes.enter("t");
    assert.equal(++inside, 1);
    seen.push(name);
    await settle();
    inside--;
    leave();
  };
  await Promise.all(["a", "b", "c", "d"].map(pass));
  assert.deepEqual(seen, ["a", "b", "c", "d"]);
});

test("lanes of other names do not wait for each other, whatever they are called", async () => {
  const lanes = new Lanes();
  for (const name of ["", "t", "__proto__", "constructor"]) await lanes.enter(name);
  assert.equal(lanes.size, 4);
});

test("an empty lane is forgotten, and one that somebody waits for is not", async () => {
  const lanes = new Lanes();
  const leave = await lanes.enter("t");
  const second = lanes.enter("t");
  leave();
  assert.equal(lanes.size, 1);
  (await second)();
  assert.equal(lanes.size, 0);
});

test("leaving twice lets in one only, and takes nobody else's place", async () => {
  const lanes = new Lanes();
  const leave = await lanes.enter("t");
  const second = lanes.enter("t");
  leave();
  leave();
  const leaveSecond = await second;
  leave();
  const seen: string[] = [];
  const third = lanes.enter("t").then((leaveThird) => {
    seen.push("third");
    leaveThird();
  });
  await settle();
  assert.deepEqual(seen, []);
  leaveSecond();
  await third;
  assert.equal(lanes.size, 0);
});

test("a waiter that aborts leaves the line with the reason, and those behind move up", async () => {
  const lanes = new Lanes();
  const leave = await lanes.enter("t");
  const controller = new AbortController();
  const gone = lanes.enter("t", controller.signal);
  const behind = lanes.enter("t");
  controller.abort("changed my mind");
  await assert.rejects(gone, (reason) => reason === "changed my mind");
  leave();
  (await behind)();
  assert.equal(lanes.size, 0);
});

test("who comes aborted never enters, also where there is room, and leaves nothing behind", async () => {
  const lanes = new Lanes();
  await assert.rejects(lanes.enter("t", AbortSignal.abort("too late")), (reason) => reason === "too late");
  assert.equal(lanes.size, 0);
});

test("an abort after the turn has come changes nothing, until one leaves", async () => {
  const lanes = new Lanes();
  const controller = new AbortController();
  const leave = await lanes.enter("t", controller.signal);
  const seen: string[] = [];
  const second = lanes.enter("t").then((leaveSecond) => {
    seen.push("second");
    leaveSecond();
  });
  controller.abort();
  await settle();
  assert.deepEqual(seen, []);
  leave();
  await second;
  assert.equal(lanes.size, 0);
});
