import assert from "node:assert/strict";
import { test } from "node:test";
import { maxParts, partsOf } from "./json-limits.ts";

test("a string counts one part and one more for every 128 units", () => {
  assert.deepEqual(["", "x".repeat(127), "x".repeat(128), "x".repeat(1_280)].map(partsOf), [1, 1, 2, 11]);
});

test("the longest string of the engine still counts less than all parts", () => {
  assert.ok(2 ** 29 / 128 < maxParts);
});
