// Lines of a stream, wherever its chunks end.
import assert from "node:assert/strict";
import { test } from "node:test";
import { LineBuffer } from "./line-buffer.ts";

test("lines come whole, also when a chunk ends in a character", () => {
  const bytes = Buffer.from("one\n\n😀 two\r\nthr");
  for (let size = 1; size <= bytes.length; size++) {
    const buffer = new LineBuffer(100);
    const lines: string[] = [];
    for (let at = 0; at < bytes.length; at += size) lines.push(...buffer.push(bytes.subarray(at, at + size)));
    assert.deepEqual(lines, ["one", "", "😀 two\r"]);
    assert.deepEqual(buffer.push(Buffer.from("ee\n")), ["three"]);
  }
});

test("a line over the limit is an error, however it comes", () => {
  const buffer = new LineBuffer(4);
  assert.deepEqual(buffer.push(Buffer.from("1234\n12")), ["1234"]);
  assert.deepEqual(buffer.push(Buffer.from("34")), []);
  assert.throws(() => buffer.push(Buffer.from("5")), RangeError);
  assert.throws(() => new LineBuffer(4).push(Buffer.from("12345\n")), RangeError);
});
