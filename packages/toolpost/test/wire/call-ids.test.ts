// Ids, names and numbers of calls on the wire of every provider package: whatever a model makes of them, each call runs once,
// under a key of its own, and the next request is one that the API takes.
import assert from "node:assert/strict";
import { test } from "node:test";
import { z } from "zod";
import { defineTool } from "../../src/author/define-tool.ts";
import type { ModelError } from "../../src/core/run-errors.ts";
import type { ToolSource } from "../../src/core/source.ts";
import type { AnyTool } from "../../src/core/tool.ts";
import { callsIn } from "./lib/check-request.ts";
import { fakeReply } from "./lib/fake-reply.ts";
import { inputs, keeper, texts } from "./lib/kept-calls.ts";
import { providers } from "./lib/providers.ts";
import { wireBench } from "./lib/wire-bench.ts";

for (const provider of providers) {
  for (const stream of [true, false]) {
    const { api } = provider;
    const how = `${provider.name}, ${stream ? "streamed" : "whole"}`;

    test(`${how}: two calls of one reply with the same id run once each, under ids and keys of their own`, async () => {
      const { tool, keys, ids } = keeper();
      // What the API itself has stored under an id is the only one of that id.
      const second = provider.isStoring ? "2" : "1";
      const parts = [
        { call: "search", id: "1", arguments: '{"q":"1"}' },
        { call: "search", id: second, arguments: '{"q":"2"}' },
      ];
      const answers = [
        fakeReply(api, { parts, finish: "calls" }),
        fakeReply(api, { parts: [{ text: "Done." }], finish: "stop" }),
      ];
      const bench = await wireBench(provider, answers, { tools: [tool] });
      await bench.run("Search, please.", { stream });
      assert.deepEqual([new Set(keys).size, new Set(ids).size, keys.length], [2, 2, 2]);
      const [, assistant, results] = bench.requests[1]?.groups ?? [];
      assert.deepEqual(
        [inputs(assistant), texts(results)],
        [
          [{ q: "1" }, { q: "2" }],
          ["found 1", "found 2"],
        ],
      );
      assert.equal(new Set(callsIn(assistant).map(({ id }) => id)).size, 2);
    });

    // OpenAI's own Responses API always gives ids; what speaks the others may not.
    if (api !== "responses") {
      test(`${how}: calls whose ids are empty or missing get some that the API takes`, async () => {
        for (const id of ["", undefined]) {
          const { tool, keys, ids } = keeper();
          const parts = ["a", "b"].map((q) => ({ call: "search", id, arguments: JSON.stringify({ q }) }));
          const answers = [
            fakeReply(api, { parts, finish: "calls" }),
            fakeReply(api, { parts: [{ text: "Done." }], finish: "stop" }),
          ];
          const bench = await wireBench(provider, answers, { tools: [tool] });
          const end = await bench.run("Search, please.", { stream }).catch((error: ModelError) => error);
          // Packages of APIs that always give one refuse a reply without.
          if ("code" in end) assert.deepEqual([end.code, id, keys], ["model.failed", undefined, []]);
          else {
            assert.deepEqual(texts(bench.requests[1]?.groups[2]), ["found a", "found b"]);
            assert.deepEqual([new Set(keys).size, new Set(ids).size, keys.length], [2, 2, 2]);
          }
        }
      });
    }

    test(`${how}: 500 calls in one reply all have their results, in order, at most as many at a time as may be`, async () => {
      let running = 0;
      let most = 0;
      const slow = defineTool({
        name: "search",
        description: "Searches",
        input: z.object({ q: z.string() }),
        execute: async ({ q }) => {
          most = Math.max(most, ++running);
          await new Promise(setImmediate);
          running--;
          return `found ${q}`;
        },
      });
      const parts = Array.from({ length: 500 }, (_, index) => {
        return { call: "search", id: `call_${index}`, arguments: JSON.stringify({ q: String(index) }) };
      });
      const answers = [
        fakeReply(api, { parts, finish: "calls" }),
        fakeReply(api, { parts: [{ text: "Done." }], finish: "stop" }),
      ];
      const bench = await wireBench(provider, answers, {
        tools: [slow],
        agent: { maxToolCalls: 500, maxConcurrency: 7 },
      });
      assert.equal((await bench.run("Search, please.", { stream })).text, "Done.");
      assert.deepEqual([most, running], [7, 0]);
      assert.deepEqual(
        texts(bench.requests[1]?.groups[2]),
        parts.map((_, index) => `found ${index}`),
      );
    });

    test(`${how}: a name that no API takes goes by another, in offers, calls and history`, async () => {
      const first = await wireBench(provider, [{ content: "Hi." }], { tools: [listing] });
      await first.run("Hi", { stream });
      const [alias] = first.requests[0]?.tools ?? [];
      const answers = [{ toolCalls: [{ name: alias!.name, arguments: "{}" }] }, { content: "Two." }];
      const bench = await wireBench(provider, answers, { tools: [listing] });
      const { calls } = await bench.run("Which?", { stream });
      assert.deepEqual(
        calls.map(({ tool, text }) => [tool, text]),
        [["admin.tools/list", "two tools"]],
      );
      assert.deepEqual(
        callsIn(bench.requests[1]?.groups[1]).map(({ name }) => name),
        [alias!.name],
      );
    });
  }
}

/** Names of sources are not ours to choose. */
const listing: ToolSource = {
  name: "admin",
  kind: "mcp",
  list: async () => listed,
  status: () => ({ name: "admin", kind: "mcp", state: "ready", toolCount: 1, skipped: [] }),
  close: async () => undefined,
};

const listed: readonly AnyTool[] = [
  {
    name: "admin.tools/list",
    description: "Lists",
    source: "mcp",
    inputSchema: { type: "object" },
    execute: () => "two tools",
  },
];
