import assert from "node:assert/strict";
import { test } from "node:test";
import type { Model } from "../core/model.ts";
import { toWarnings } from "./reply-parts.ts";
import { withWarnings } from "./with-warnings.ts";

test("a warning that comes with every reply is told once", async () => {
  const usage = { inputTokens: 0, outputTokens: 0, totalTokens: 0, reasoningTokens: 0, cachedInputTokens: 0 };
  const batches = [["a"], ["a", "b"], undefined];
  const model: Model = {
    id: "acme:m",
    dialect: "openai",
    call: async () => {
      const warnings = batches.shift();
      return { content: [], finish: "stop", usage, ...(warnings && { warnings }) };
    },
  };
  const told: string[] = [];
  const warned = withWarnings(model, (warning) => void told.push(warning));
  const request = { prompt: [], tools: [], signal: new AbortController().signal };
  for (let call = 0; call < 3; call++) await warned.call(request);
  assert.deepEqual([warned.id, warned.dialect, told], ["acme:m", "openai", ["a", "b"]]);
});

test("a telling that throws fails the call", async () => {
  const usage = { inputTokens: 0, outputTokens: 0, totalTokens: 0, reasoningTokens: 0, cachedInputTokens: 0 };
  const model: Model = { id: "acme:m", call: async () => ({ content: [], finish: "stop", usage, warnings: ["a"] }) };
  const fault = new Error("no log");
  const warned = withWarnings(model, () => {
    throw fault;
  });
  const request = { prompt: [], tools: [], signal: new AbortController().signal };
  await assert.rejects(warned.call(request), (error) => error === fault);
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
