import assert from "node:assert/strict";
import { test } from "node:test";
import type { ForeignPart } from "./reply-parts.ts";
import { toFinish, toReplyPart, toUsage } from "./reply-parts.ts";

test("finish reasons of every version are one vocabulary", () => {
  for (const reason of ["stop", "length", "content-filter", "tool-calls", "error", "other", "interrupted"]) {
    assert.equal(toFinish(reason), reason);
    assert.equal(toFinish({ unified: reason, raw: "x" }), reason);
  }
  for (const reason of ["unknown", "pause", undefined, null, {}, { unified: 1 }, { unified: "toString" }]) {
    assert.equal(toFinish(reason), "other");
  }
});

test("usage of every version is one shape; what is missing counts as 0", () => {
  const none = { inputTokens: 0, outputTokens: 0, totalTokens: 0, reasoningTokens: 0, cachedInputTokens: 0 };
  for (const usage of [
    undefined,
    null,
    "x",
    {},
    { inputTokens: Number.NaN, outputTokens: -1 },
    { inputTokens: {}, outputTokens: {} },
  ]) {
    assert.deepEqual(toUsage(usage), none);
  }
  assert.deepEqual(toUsage({ inputTokens: 4, outputTokens: undefined, totalTokens: undefined }), {
    ...none,
    inputTokens: 4,
    totalTokens: 4,
  });
  // A v2 total may hold more than the sum of its parts.
  assert.equal(toUsage({ inputTokens: 4, outputTokens: 2, totalTokens: 9 }).totalTokens, 9);
  assert.deepEqual(toUsage({ inputTokens: { total: 4, cacheRead: 3 }, outputTokens: { total: 2, reasoning: 1 } }), {
    inputTokens: 4,
    outputTokens: 2,
    totalTokens: 6,
    reasoningTokens: 1,
    cachedInputTokens: 3,
  });
});

test("results of calls that the provider executed become results of the history", () => {
  const result = { type: "tool-result", toolCallId: "a", toolName: "web_search" };
  const base = { type: "tool-result", toolCallId: "a", toolName: "web_search" };
  const cases: [Partial<ForeignPart>, unknown][] = [
    [{ result: { hits: 1 } }, { ...base, output: { type: "json", value: { hits: 1 } } }],
    [{ result: "text" }, { ...base, output: { type: "text", value: "text" } }],
    [
      { result: { code: "x" }, isError: true },
      { ...base, output: { type: "error-json", value: { code: "x" } } },
    ],
    [{ result: 1, preliminary: true }, undefined],
    [
      { result: null, providerMetadata: { acme: { id: 1 } } },
      { ...base, output: { type: "json", value: null }, providerOptions: { acme: { id: 1 } } },
    ],
  ];
  for (const [given, wanted] of cases) assert.deepEqual(toReplyPart({ ...result, ...given }), wanted);
});

test("a call keeps its raw text, its metadata, and who executes it", () => {
  const call = { type: "tool-call", toolCallId: "a", toolName: "t", input: '{"x": "un' };
  assert.deepEqual(toReplyPart({ ...call, providerExecuted: true, providerMetadata: { acme: { sig: "s" } } }), {
    ...call,
    providerExecuted: true,
    providerOptions: { acme: { sig: "s" } },
  });
  assert.deepEqual(toReplyPart({ ...call, providerExecuted: false }), call);
  // Providers outside the specification: an object instead of text, no id.
  assert.deepEqual(toReplyPart({ type: "tool-call", toolName: "t", input: { x: 1 } }), {
    type: "tool-call",
    toolCallId: "",
    toolName: "t",
    input: '{"x":1}',
  });
});

test("files of every version: base64, bytes or an address", () => {
  const bytes = new Uint8Array([9, 0, 1, 2]).subarray(1);
  const file = { type: "file", mediaType: "image/png" };
  const base64 = { ...file, data: { type: "data", data: "AAEC" } };
  assert.deepEqual(toReplyPart({ ...file, data: "AAEC" }), base64);
  assert.deepEqual(toReplyPart({ ...file, data: bytes }), base64);
  assert.deepEqual(toReplyPart({ ...file, data: { type: "data", data: "AAEC" } }), base64);
  assert.deepEqual(toReplyPart({ ...file, data: { type: "data", data: bytes } }), base64);
  const url = { ...file, data: { type: "url", url: "https://a.test/b" } };
  assert.deepEqual(toReplyPart({ ...file, data: { type: "url", url: new URL("https://a.test/b") } }), url);
  assert.equal(toReplyPart({ ...file, data: 7 }), undefined);
});

test("an empty text is left out unless it carries metadata; unknown parts are left out", () => {
  const metadata = { openai: { itemId: "rs_1", encrypted: "…" } };
  assert.equal(toReplyPart({ type: "text", text: "" }), undefined);
  assert.deepEqual(toReplyPart({ type: "reasoning", text: "", providerMetadata: metadata }), {
    type: "reasoning",
    text: "",
    providerOptions: metadata,
  });
  for (const type of ["source", "custom", "reasoning-file", "tool-approval-request", "raw", "ping", "constructor"]) {
    assert.equal(toReplyPart({ type }), undefined);
  }
  assert.equal(toReplyPart(null as never), undefined);
});
