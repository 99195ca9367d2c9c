// Ids that the loop made, or another provider gave, as the APIs of this one take them.
import assert from "node:assert/strict";
import { test } from "node:test";
import { wireIdsOf } from "./wire-ids.ts";
import { wireKindOf } from "./wire-kind.ts";

const long = `call_${"x".repeat(90)}`;

function ids(provider: string, ...given: string[]): string[] {
  return given.map(wireIdsOf(wireKindOf(provider), provider));
}

test("the API behind a model is told by its provider's name", () => {
  const cases: [string, string][] = [
    ["openai.responses", "responses"],
    ["azure.chat", "chat"],
    ["groq.chat", "chat"],
    ["acme.chat", "chat"],
    ["anthropic.messages", "anthropic"],
    ["vertex.anthropic.messages", "anthropic"],
    ["amazon-bedrock", "anthropic"],
    ["google.generative-ai", "gemini"],
    ["google.vertex.chat", "gemini"],
    ["cohere.chat", "other"],
    ["gateway", "other"],
    ["googly.thing", "other"],
  ];
  for (const [provider, kind] of cases) assert.equal(wireKindOf(provider), kind, provider);
});

test("legal ids stay; others become legal, each another, and the same each time", () => {
  const given = ["call_0:0", "call_0:1", "call_0_0", "functions.search:0", long, `${long}y`];
  for (const [provider, legal] of [
    ["anthropic.messages", /^[a-zA-Z0-9_-]{1,64}$/],
    ["openai.responses", /^.{1,64}$/],
    ["openai.chat", /^.{1,40}$/],
    ["mistral.chat", /^[a-zA-Z0-9]{9}$/],
  ] as const) {
    const made = ids(provider, ...given);
    for (const id of made) assert.match(id, legal);
    assert.equal(new Set(made).size, given.length, provider);
    assert.deepEqual(ids(provider, ...given), made);
  }
  assert.deepEqual(ids("anthropic.messages", "toolu_01AB", "call_0_0"), ["toolu_01AB", "call_0_0"]);
  // Some models write such ids themselves and read them as names.
  assert.deepEqual(ids("moonshot.chat", "functions.search:0"), ["functions.search:0"]);
  assert.deepEqual(ids("google.generative-ai", long, "call_0:0"), [long, "call_0:0"]);
});
