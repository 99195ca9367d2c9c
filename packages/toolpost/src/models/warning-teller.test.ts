import assert from "node:assert/strict";
import { test } from "node:test";
import { toWarnings } from "./reply-parts.ts";
import { warningTeller } from "./warning-teller.ts";

test("a warning that comes with every reply is told once", () => {
  const told: string[] = [];
  const tell = warningTeller((warning) => void told.push(warning));
  for (const warnings of [["a"], ["a", "b"], [], ["b"]]) tell(warnings);
  assert.deepEqual(told, ["a", "b"]);
});

test("warnings whose text changes each time are told up to a number", () => {
  let told = 0;
  const tell = warningTeller(() => void told++);
  for (let reply = 0; reply < 1_000; reply++) tell([`request ${reply} was slow`]);
  assert.equal(told, 256);
});

test("warnings of every version become sentences; what is none is left out", () => {
  const warnings = [
    { type: "unsupported", feature: "temperature", details: "ignored\nby reasoning models" },
    { type: "compatibility", feature: "system" },
    { type: "unsupported-setting", setting: "topK" },
    { type: "unsupported-tool", tool: { name: "search" }, details: "no such tool" },
    { type: "other", message: "odd" },
    "text",
    {},
  ];
  assert.deepEqual(toWarnings(warnings), [
    "`temperature` is not supported: ignored by reasoning models",
    "`system` is imitated",
    "`topK` is not supported",
    "`search` is not supported: no such tool",
    "odd",
  ]);
  assert.deepEqual(toWarnings(undefined), []);
});
