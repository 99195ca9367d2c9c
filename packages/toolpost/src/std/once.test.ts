import assert from "node:assert/strict";
import { test } from "node:test";
import { once } from "./once.ts";

test("a value is made when first asked for, and once, also when it is undefined", () => {
  let count = 0;
  const value = once(() => {
    count++;
    return undefined;
  });
  assert.equal(count, 0);
  assert.equal(value(), undefined);
  assert.equal(value(), undefined);
  assert.equal(count, 1);
});

test("what threw is made again", () => {
  const results = [1];
  const value = once(() => results.pop() ?? assert.fail("not yet"));
  assert.equal(value(), 1);
  const broken = once(() => results.pop() ?? assert.fail("not yet"));
  assert.throws(broken, /not yet/);
  results.push(2);
  assert.equal(broken(), 2);
});
