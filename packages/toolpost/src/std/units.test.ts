import assert from "node:assert/strict";
import { test } from "node:test";
import { bytes, days, hours, kilobytes, megabytes, milliseconds, minutes, seconds, usd } from "./units.ts";

test("a duration counts milliseconds, whatever unit it was written in", () => {
  assert.deepEqual(milliseconds(50), { kind: "duration", ms: 50 });
  assert.equal(seconds(1.5).ms, 1_500);
  assert.equal(minutes(2).ms, 120_000);
  assert.equal(hours(1).ms, 3_600_000);
  assert.equal(days(3).ms, 259_200_000);
});

test("a kilobyte is 1,024 bytes", () => {
  assert.deepEqual(bytes(7), { kind: "size", bytes: 7 });
  assert.equal(kilobytes(64).bytes, 65_536);
  assert.equal(megabytes(1).bytes, 1_048_576);
});

test("money keeps parts of a cent", () => {
  assert.deepEqual(usd(0.0025), { kind: "money", usd: 0.0025 });
});

test("units are frozen", () => {
  for (const unit of [seconds(1), kilobytes(1), usd(1)]) assert.ok(Object.isFrozen(unit));
});

test("a number that makes no sense is kept for assembly to refuse", () => {
  assert.equal(seconds(-1).ms, -1_000);
  assert.ok(Number.isNaN(kilobytes(Number.NaN).bytes));
});
