// From a server's listing to the tools offered: filters, duplicates, odd entries, and places that do not change.
import assert from "node:assert/strict";
import { test } from "node:test";
import { readToolList, type ToolFilter } from "./tool-list.ts";

const options = { server: "tiny", trust: false, timeout: undefined, previous: [], call: async () => "" };
const everything: ToolFilter = { allow: undefined, drop: undefined };
const entry = (name: string) => ({ name, description: name, inputSchema: { type: "object" } });
const names = (list: { tools: readonly { name: string }[] }) => list.tools.map(({ name }) => name);

test("one bad tool among 1,223 is set aside, the others are offered in the server's order", () => {
  const entries = Array.from({ length: 1_223 }, (_, index) => entry(`tool-${index}`));
  const bad = { name: "tool-700", description: "", inputSchema: { type: "array" } };
  const list = readToolList(entries.with(700, bad), everything, options);
  assert.deepEqual(names(list), entries.map(({ name }) => name).toSpliced(700, 1));
  assert.deepEqual(list.skipped, [{ name: "tool-700", reason: 'its input schema has no root `type: "object"`' }]);
});

test("filters are by original name; what they leave out is not reported, what they misspell is", () => {
  const entries = [entry("read"), entry("write"), entry("admin.tools/list"), { name: "broken" }];
  const list = readToolList(entries, { allow: ["admin.tools/list", "write", "raed"], drop: ["write"] }, options);
  assert.deepEqual(names(list), ["admin.tools/list"]);
  assert.deepEqual(list.skipped, [
    { name: "raed", reason: "`allow` or `drop` names it, but the server has no such tool" },
  ]);
  assert.deepEqual(names(readToolList(entries, { allow: [], drop: undefined }, options)), []);
});

test("a name listed twice is offered once", () => {
  const list = readToolList([entry("a"), { ...entry("a"), description: "another" }], everything, options);
  assert.deepEqual(
    list.tools.map(({ description }) => description),
    ["a"],
  );
  assert.deepEqual(list.skipped, [{ name: "a", reason: "the server lists its name twice; the first one is offered" }]);
});

test("known tools keep their places when the list changes", () => {
  const { tools: previous } = readToolList(["c", "a", "b"].map(entry), everything, options);
  const changed = readToolList([entry("new"), entry("b"), { ...entry("c"), description: "other" }], everything, {
    ...options,
    previous,
  });
  assert.deepEqual(
    changed.tools.map(({ description }) => description),
    ["other", "b", "new"],
  );
});
