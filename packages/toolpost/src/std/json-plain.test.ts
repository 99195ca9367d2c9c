import assert from "node:assert/strict";
import { test } from "node:test";
import { isPlainData, isPlainText } from "./json-plain.ts";

const plain: unknown[] = [null, true, "x", 0, -1.5, [], {}, [[{ a: [null] }]]];

test("plain data is recognised", () => {
  for (const value of plain) assert.ok(isPlainText(value) && isPlainData(value, 500));
});

const other: [string, unknown][] = [
  ["bigint", 1n],
  ["NaN", [Number.NaN]],
  ["infinity", Number.POSITIVE_INFINITY],
  ["function", { f: () => 1 }],
  ["symbol", [Symbol("s")]],
  ["date", new Date()],
  ["map", new Map()],
  ["class instance", new (class A {})()],
  ["boxed string", Object("s")],
  ["inherited fields", Object.create({ a: 1 })],
  ["hidden toJSON", Object.defineProperty({}, "toJSON", { value: () => 1 })],
  ["toJSON of an array", Object.assign([], { toJSON: () => 1 })],
  ["__proto__ key", JSON.parse('{"__proto__":1}')],
  ["throwing getter", Object.defineProperty({}, "a", { enumerable: true, get: () => assert.fail() })],
];

for (const [name, value] of other) {
  test(`not plain: ${name}`, () => assert.ok(!isPlainText(value) && !isPlainData(value, 500)));
}

test("an object without prototype may go to JSON.stringify but is no data", () => {
  assert.ok(isPlainText(Object.create(null)));
  assert.ok(!isPlainData(Object.create(null), 500));
});

test("undefined may go to JSON.stringify but is no data", () => {
  for (const value of [undefined, { a: undefined }, [undefined], new Array(1)]) {
    assert.ok(isPlainText(value));
    assert.ok(!isPlainData(value, 500));
  }
});

test("data is well-formed, in keys and values", () => {
  assert.ok(!isPlainData(["\ud83d"], 500));
  assert.ok(!isPlainData({ "\ud83d": 1 }, 500));
});

test("levels are counted, and a cycle has too many", () => {
  assert.ok(isPlainData([[1]], 2));
  assert.ok(!isPlainData([[1]], 1));
  const cycle: unknown[] = [];
  cycle.push(cycle, cycle);
  assert.ok(!isPlainText(cycle));
});

test("a value of more than five million parts is not plain", () => {
  let value: unknown = 1;
  for (let level = 0; level < 60; level++) value = [value, value];
  assert.ok(!isPlainText(value));
});
