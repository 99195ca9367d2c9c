// Reasoning goes back with its signature, in its place before the call it led to; providers refuse a call that lost it.
import assert from "node:assert/strict";
import { test } from "node:test";
import { z } from "zod";
import { defineTool } from "../../src/author/define-tool.ts";
import type { FakePart } from "./lib/fake-reply.ts";
import { fakeReply } from "./lib/fake-reply.ts";
import type { Api } from "./lib/providers.ts";
import { providers } from "./lib/providers.ts";
import type { Item } from "./lib/read-request.ts";
import { wireBench } from "./lib/wire-bench.ts";

const search = defineTool({
  name: "search",
  description: "Searches",
  input: z.object({ q: z.string() }),
  execute: ({ q }) => `found ${q}`,
});

const thought = { reasoning: "I search.", signature: "c2lnbmVk" };
const call = { call: "search", id: "call_1", arguments: '{"q":"a"}' };

/** What each API gives. Gemini signs calls; chat completions have no signatures, and most servers want no reasoning back. */
const replies: Readonly<Record<Api, readonly FakePart[]>> = {
  responses: [thought, { text: "Looking." }, call],
  anthropic: [thought, { text: "Looking." }, call],
  gemini: [
    { reasoning: "I search.", signature: "dGhvdWdodA==" },
    { ...call, signature: "c2lnbmVk" },
  ],
  chat: [thought, { text: "Looking." }, call],
};

for (const provider of providers) {
  for (const stream of [true, false]) {
    test(`${provider.name}, ${stream ? "streamed" : "whole"}: reasoning, then a call, go back signed and in order`, async () => {
      const { api } = provider;
      const answers = [
        fakeReply(api, { parts: replies[api], finish: "calls" }),
        fakeReply(api, { parts: [{ ...call, id: "call_2" }], finish: "calls" }),
        fakeReply(api, { parts: [{ text: "Found." }], finish: "stop" }),
      ];
      const bench = await wireBench(provider, answers, { tools: [search] });
      const run = bench.app.run("desk", "Search.", { stream });
      const shown: string[] = [];
      for await (const event of run.events) if (event.type === "reasoning-delta") shown.push(event.text);
      assert.equal((await run).text, "Found.");
      // OpenAI's own chat completions show none.
      if (api !== "chat" || shown.length > 0) assert.equal(shown.join(""), "I search.");
      for (const request of bench.requests.slice(1)) {
        const sent = (request.groups[1]?.items ?? []).map(brief);
        // Chat completions have no signatures; of the packages only some send the text back.
        const isPlain = api === "chat" && (provider.name.includes("openai-compatible") || sent[0] !== "text Looking.");
        assert.deepEqual(sent, [...(isPlain ? ["reasoning I search. undefined"] : []), ...expected[api]]);
      }
      // What the API has stored goes as a reference, reasoning first of all.
      const isReferred = JSON.stringify(bench.bodies.at(-1)).includes('{"type":"item_reference","id":"rs_');
      assert.equal(isReferred, provider.isStoring);
      assert.equal(bench.requests.length, 3);
    });
  }
}

function brief(item: Item): string {
  if (item.kind === "reasoning") return `reasoning ${item.text} ${String(item.signature)}`.replace("  ", " ");
  return item.kind === "text" ? `text ${item.text}` : item.kind;
}

const expected: Readonly<Record<Api, readonly string[]>> = {
  responses: ["reasoning I search. c2lnbmVk", "text Looking.", "call"],
  anthropic: ["reasoning I search. c2lnbmVk", "text Looking.", "call"],
  gemini: ["reasoning I search. dGhvdWdodA==", "reasoning c2lnbmVk", "call"],
  chat: ["text Looking.", "call"],
};
