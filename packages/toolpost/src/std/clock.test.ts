import assert from "node:assert/strict";
import { test } from "node:test";
import { systemClock } from "./clock.ts";

test("now is the time of day in milliseconds", (t) => {
  t.mock.timers.enable({ apis: ["Date"], now: 1_700_000_000_000 });
  assert.equal(systemClock.now(), 1_700_000_000_000);
});

test("a scheduled callback runs after its delay, and a cancelled one does not", async () => {
  const ran: string[] = [];
  const began = performance.now();
  await new Promise<void>((resolve) => {
    systemClock.schedule(5, () => ran.push("cancelled")).cancel();
    systemClock.schedule(5, () => ran.push("kept"));
    systemClock.schedule(20, resolve);
  });
  assert.deepEqual(ran, ["kept"]);
  assert.ok(performance.now() - began >= 20);
});
