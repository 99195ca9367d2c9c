import assert from "node:assert/strict";
import { test } from "node:test";
import type { Redact } from "../core/govern.ts";
import { combineRedactors } from "./combine-redactors.ts";

const hideA: Redact = (text) => text.replaceAll("a", "b");
const hideB: Redact = (text) => text.replaceAll("b", "c");

test("each redactor sees what the one before it left, and whether the text is complete", () => {
  const seen: boolean[] = [];
  const watch: Redact = (text, isComplete) => {
    seen.push(isComplete);
    return text;
  };
  const redact = combineRedactors(hideA, hideB, watch);
  assert.equal(redact("aab", true), "ccc");
  assert.equal(redact("x", false), "x");
  assert.deepEqual(seen, [true, false]);
});

test("no redactors at all change nothing", () => assert.equal(combineRedactors()("abc", true), "abc"));

test("a redactor that throws makes the whole throw: no text comes out unmasked", () => {
  const broken: Redact = () => {
    throw new Error("no pattern");
  };
  assert.throws(() => combineRedactors(hideA, broken)("a", true), /no pattern/);
});

test("a redactor that gives back no text is refused", () => {
  for (const given of [undefined, null, 1, Promise.resolve("b")]) {
    const broken = (() => given) as unknown as Redact;
    assert.throws(() => combineRedactors(broken)("a", true), /must return the masked text, synchronously/);
  }
});
