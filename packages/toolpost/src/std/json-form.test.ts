import assert from "node:assert/strict";
import { test } from "node:test";
import { jsonForm } from "./json-form.ts";

test("the form is data of its own, sharing nothing with the value", () => {
  const value = { a: [{ b: 1 }] };
  const form = jsonForm(value);
  assert.deepEqual(form, value);
  assert.notEqual(form, value);
  assert.notEqual((form as typeof value).a[0], value.a[0]);
});

test("a map or set whose own iterator never ends is read by the built-in one", () => {
  class Endless extends Set<number> {
    override *[Symbol.iterator](): SetIterator<number> {
      for (;;) yield 1;
    }
  }
  assert.deepEqual(jsonForm(new Endless([7])), [7]);
});

test("an array that claims four billion items is cut short", () => {
  const form = jsonForm(new Array(2 ** 32 - 1)) as unknown[];
  assert.equal(form.at(-1), "[too large]");
  assert.ok(form.length <= 5_000_001);
});

test("a proxy with ever new fields ends in a mark", () => {
  const handler: ProxyHandler<object> = {
    get: (_, key) => (key === "field" ? new Proxy({}, handler) : undefined),
    ownKeys: () => ["field"],
    getOwnPropertyDescriptor: () => ({ enumerable: true, configurable: true }),
  };
  assert.ok(JSON.stringify(jsonForm(new Proxy({}, handler))).includes("[nested too deep]"));
});

test("long strings count for their length", () => {
  const page = "x".repeat(1 << 24);
  const form = jsonForm(new Array(100).fill(page)) as string[];
  assert.equal(form.at(-2), page);
  assert.equal(form.at(-1), "[too large]");
  assert.ok(form.length > 30 && form.length < 50);
});
