// What is left of a long stream of text: its last whole lines.
import assert from "node:assert/strict";
import { test } from "node:test";
import { TextTail } from "./text-tail.ts";

test("what fits is kept whole", () => {
  const tail = new TextTail(20);
  assert.equal(tail.text, "");
  for (const text of ["one\n", "tw", "o\n", ""]) tail.push(text);
  assert.equal(tail.text, "one\ntwo");
});

test("what does not fit loses its first lines, and no half of one is shown", () => {
  const tail = new TextTail(12);
  tail.push("first\nsecond\n");
  tail.push("third\n");
  assert.equal(tail.text, "third");
});

test("one endless line keeps its end", () => {
  const tail = new TextTail(4);
  for (let index = 0; index < 1_000; index++) tail.push("ab");
  tail.push("end");
  assert.equal(tail.text, "bend");
});
