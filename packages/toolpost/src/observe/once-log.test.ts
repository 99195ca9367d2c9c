import assert from "node:assert/strict";
import { test } from "node:test";
import type { LogEntry } from "../core/govern.ts";
import { createOnceLog } from "./once-log.ts";

function entryOf(message: string): LogEntry {
  return { level: "warn", message };
}

function collecting() {
  const messages: string[] = [];
  const once = createOnceLog(({ message }) => messages.push(message));
  return { messages, once };
}

test("a source is logged once, whatever it throws later", () => {
  const { messages, once } = collecting();
  const listener = () => undefined;
  for (let index = 0; index < 3; index++) once(listener, entryOf(`failure ${index}`));
  for (let index = 0; index < 3; index++) once("afterTool", entryOf(`hook ${index}`));
  assert.deepEqual(messages, ["failure 0", "hook 0"]);
});

test("each source counts by itself, and so does each log", () => {
  const { messages, once } = collecting();
  for (const key of [{}, {}, "a", "b", "__proto__", () => 1]) once(key, entryOf("x"));
  assert.equal(messages.length, 6);
  const other = collecting();
  other.once("a", entryOf("x"));
  assert.equal(other.messages.length, 1);
});

test("a log that throws is not asked again and disturbs nobody", () => {
  let calls = 0;
  const once = createOnceLog(() => {
    calls++;
    throw new Error("full");
  });
  once("a", entryOf("x"));
  once("a", entryOf("x"));
  assert.equal(calls, 1);
});

test("texts are forgotten after a thousand others", () => {
  const { messages, once } = collecting();
  for (let index = 0; index <= 1_000; index++) once(`key ${index}`, entryOf("x"));
  once("key 1", entryOf("again"));
  assert.equal(messages.length, 1_001);
  once("key 0", entryOf("again"));
  assert.equal(messages.length, 1_002);
});
