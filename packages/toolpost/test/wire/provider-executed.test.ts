// Calls that Anthropic executes itself: they and their results go back as they came, beside calls of ours, and run nothing.
import assert from "node:assert/strict";
import { test } from "node:test";
import { z } from "zod";
import { defineTool } from "../../src/author/define-tool.ts";
import { callsIn, resultsIn } from "./lib/check-request.ts";
import { fakeReply } from "./lib/fake-reply.ts";
import { providers } from "./lib/providers.ts";
import type { Json } from "./lib/read-request.ts";
import { wireBench } from "./lib/wire-bench.ts";

const found = {
  type: "web_search_result",
  url: "https://a.test/",
  title: "A",
  encrypted_content: "sealed",
  page_age: null,
};
const content: readonly Json[] = [
  { type: "server_tool_use", id: "srvtoolu_1", name: "web_search", input: { query: "lathe" } },
  { type: "web_search_tool_result", tool_use_id: "srvtoolu_1", content: [found] },
  { type: "text", text: "I found it." },
  { type: "tool_use", id: "toolu_1", name: "note", input: { text: "lathe" } },
];
const head = { id: "msg_1", type: "message", role: "assistant", model: "claude-sonnet-4-5" };

function whole(): Response {
  const usage = { input_tokens: 5, output_tokens: 3 };
  return Response.json({ ...head, content, stop_reason: "tool_use", stop_sequence: null, usage });
}

function streamed(): Response {
  const message = {
    ...head,
    content: [],
    stop_reason: null,
    stop_sequence: null,
    usage: { input_tokens: 5, output_tokens: 0 },
  };
  const events: Json[] = [{ type: "message_start", message }];
  for (const [index, block] of content.entries()) {
    const isCall = block.input !== undefined;
    const start = isCall ? { ...block, input: {} } : block.type === "text" ? { ...block, text: "" } : block;
    events.push({ type: "content_block_start", index, content_block: start });
    const partial_json = JSON.stringify(block.input);
    if (isCall) events.push({ type: "content_block_delta", index, delta: { type: "input_json_delta", partial_json } });
    if (block.type === "text")
      events.push({ type: "content_block_delta", index, delta: { type: "text_delta", text: block.text } });
    events.push({ type: "content_block_stop", index });
  }
  events.push({
    type: "message_delta",
    delta: { stop_reason: "tool_use", stop_sequence: null },
    usage: { output_tokens: 3 },
  });
  events.push({ type: "message_stop" });
  const text = events.map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`).join("");
  return new Response(text, { headers: { "content-type": "text/event-stream" } });
}

for (const provider of providers.filter(({ api }) => api === "anthropic")) {
  for (const stream of [true, false]) {
    test(`${provider.name}, ${stream ? "streamed" : "whole"}: the provider's own call and result go back as they came`, async () => {
      const ran: unknown[] = [];
      const note = defineTool({
        name: "note",
        description: "Notes",
        input: z.object({ text: z.string() }),
        execute: (input) => {
          ran.push(input);
          return "noted";
        },
      });
      const answers = [
        { fake: (isStreamed: boolean) => (isStreamed ? streamed() : whole()) },
        fakeReply("anthropic", { parts: [{ text: "Done." }], finish: "stop" }),
      ];
      const bench = await wireBench(provider, answers, { tools: [note] });
      const { text, calls } = await bench.run("Search.", { stream });
      assert.deepEqual([text, calls.length, ran], ["Done.", 1, [{ text: "lathe" }]]);
      const [, assistant, results] = bench.requests[1]?.groups ?? [];
      const own = (assistant?.items ?? []).flatMap((item) => (item.kind === "own" ? [item.part] : []));
      assert.deepEqual(own, content.slice(0, 2));
      assert.deepEqual(
        (assistant?.items ?? []).map(({ kind }) => kind),
        ["own", "own", "text", "call"],
      );
      assert.deepEqual([callsIn(assistant)[0]?.id, resultsIn(results)[0]?.id], ["toolu_1", "toolu_1"]);
    });
  }
}
