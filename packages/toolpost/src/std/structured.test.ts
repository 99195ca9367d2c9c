import assert from "node:assert/strict";
import { test } from "node:test";
import { fromStructured, toStructured } from "./structured.ts";

const again = (value: unknown): unknown => fromStructured(toStructured(value) ?? assert.fail("it does not come back"));

test("what JSON lacks comes back as it was", () => {
  const value = {
    on: new Date("2026-01-02T03:04:05.006Z"),
    never: new Date(Number.NaN),
    cents: 12n,
    missing: undefined,
    odd: [Number.NaN, -0, Number.POSITIVE_INFINITY, "\ud800"],
    map: new Map<unknown, unknown>([[{ a: 1 }, new Set([1n])]]),
    bytes: new Uint8Array([1, 2]),
  };
  assert.deepStrictEqual(again(value), value);
  assert.deepStrictEqual(again(undefined), undefined);
  assert.notEqual(again(value), value);
});

test("what would come back as something else is left to the caller", () => {
  class Order {
    cents = 1;
  }
  for (const value of [
    new Order(),
    { order: new Order() },
    [() => 1],
    { s: Symbol("s") },
    { [Symbol("s")]: 1 },
    Object.create(null),
    new Map([[1, new Order()]]),
    new (class extends Date {})(),
    Buffer.from("a"),
    /a/,
    {
      get a() {
        return 1;
      },
    },
    Object.defineProperty({}, "hidden", { value: 1 }),
    Object.assign([1], { more: 2 }),
    // A hole is no `undefined`.
    new Array(2),
    Promise.resolve(),
    new Proxy({}, { ownKeys: () => assert.fail("read") }),
  ])
    assert.equal(toStructured(value), undefined);
});

test("a text that is none is refused", () => {
  assert.throws(() => fromStructured("bm8="));
});
