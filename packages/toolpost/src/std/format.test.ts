import assert from "node:assert/strict";
import { test } from "node:test";
import { formatDuration, formatInteger, formatSize } from "./format.ts";

const durations: [number, string][] = [
  [0, "0 ms"],
  [50, "50 ms"],
  [0.25, "0.3 ms"],
  [999, "999 ms"],
  [999.99, "1 s"],
  [1_000, "1 s"],
  [1_500, "1.5 s"],
  [1_549, "1.5 s"],
  [10_000, "10 s"],
  [59_999, "1 min"],
  [60_000, "1 min"],
  [90_000, "90 s"],
  [120_000, "2 min"],
  [3_600_000, "60 min"],
];

for (const [ms, text] of durations) {
  test(`a duration of ${ms} ms reads "${text}"`, () => assert.equal(formatDuration(ms), text));
}

test("a duration without a number still reads as something", () => {
  assert.equal(formatDuration(Number.NaN), "NaN ms");
  assert.equal(formatDuration(-5), "-5 ms");
});

const integers: [number, string][] = [
  [0, "0"],
  [-0, "0"],
  [999, "999"],
  [1_000, "1,000"],
  [262_144, "262,144"],
  [1_048_587, "1,048,587"],
  [-1_234_567, "-1,234,567"],
  [1e21, "1,000,000,000,000,000,000,000"],
];

for (const [n, text] of integers) {
  test(`the integer ${Object.is(n, -0) ? "-0" : n} reads "${text}"`, () => assert.equal(formatInteger(n), text));
}

test("an integer reads the same whatever locale the machine has", (t) => {
  t.mock.method(Number.prototype, "toLocaleString", () => "1.048.587");
  assert.equal(formatInteger(1_048_587), "1,048,587");
});

test("what is no integer is written too", () => {
  assert.equal(formatInteger(1_234.6), "1,235");
  assert.equal(formatInteger(Number.POSITIVE_INFINITY), "Infinity");
});

const sizes: [bytes: number, text: string][] = [
  [1, "1 bytes"],
  [1_000, "1,000 bytes"],
  [1_024, "1 KB"],
  [65_536, "64 KB"],
  [262_144, "256 KB"],
  [1_048_577, "1,048,577 bytes"],
  [1_049_600, "1,025 KB"],
  [5_242_880, "5 MB"],
];

for (const [bytes, text] of sizes) {
  test(`${bytes} bytes read "${text}"`, () => assert.equal(formatSize(bytes), text));
}
