// Calls and their results on the wire of every provider package: what the next request holds is read from its body.
import assert from "node:assert/strict";
import { test } from "node:test";
import { z } from "zod";
import { defineTool } from "../../src/author/define-tool.ts";
import type { ModelError } from "../../src/core/run-errors.ts";
import type { ToolSource } from "../../src/core/source.ts";
import type { AnyTool } from "../../src/core/tool.ts";
import { callsIn, resultsIn } from "./lib/check-request.ts";
import { fakeReply } from "./lib/fake-reply.ts";
import { providers } from "./lib/providers.ts";
import type { Group, WireRequest } from "./lib/read-request.ts";
import { wireBench } from "./lib/wire-bench.ts";

const search = defineTool({
  name: "search",
  description: "Searches",
  input: z.object({ q: z.string() }),
  execute: ({ q }) => (q === "down" ? Promise.reject(new Error("down")) : `found ${q}`),
});
const clock = defineTool({ name: "clock", description: "Tells the time", input: z.object({}), execute: () => "noon" });
const tools = [search, clock];

/** The keys under which the calls of a run went, in order. */
function keeper(): { readonly tool: AnyTool; readonly keys: string[]; readonly ids: string[] } {
  const keys: string[] = [];
  const ids: string[] = [];
  const tool = defineTool({
    name: "search",
    description: "Searches",
    input: z.object({ q: z.string() }),
    execute: ({ q }, ctx) => {
      keys.push(ctx.idempotencyKey);
      ids.push(ctx.callId);
      return `found ${q}`;
    },
  });
  return { tool, keys, ids };
}

function call(q: string, id?: string): { name: string; arguments: string; id?: string } {
  return { name: "search", arguments: JSON.stringify({ q }), ...(id !== undefined && { id }) };
}

for (const provider of providers) {
  for (const stream of [true, false]) {
    const how = `${provider.name}, ${stream ? "streamed" : "whole"}`;

    test(`${how}: one call, its result and the answer`, async () => {
      const bench = await wireBench(provider, [{ toolCalls: [call("login")] }, { content: "Two issues." }], { tools });
      const { text, status, calls } = await bench.run("Search, please.", { stream });
      assert.deepEqual([text, status, calls.length], ["Two issues.", "done", 1]);
      const [first, second] = bench.requests;
      assert.deepEqual(sides(first), ["user"]);
      assert.deepEqual(
        first?.tools.map(({ name }) => name),
        ["search", "clock"],
      );
      assert.deepEqual(sides(second), ["user", "assistant", "results"]);
      assert.deepEqual(inputs(second?.groups[1]), [{ q: "login" }]);
      assert.deepEqual(texts(second?.groups[2]), ["found login"]);
      bench.assertDone();
    });

    test(`${how}: parallel calls, one of them unknown and one failing, each with its own result in order`, async () => {
      const calls = [call("a"), { name: "nothing", arguments: "{}" }, call("down"), { name: "clock", arguments: "{}" }];
      const bench = await wireBench(provider, [{ toolCalls: calls }, { content: "Done." }], { tools });
      await bench.run("Search, please.", { stream });
      const [, second] = bench.requests;
      assert.deepEqual(sides(second), ["user", "assistant", "results"]);
      assert.equal(callsIn(second?.groups[1]).length, 4);
      assert.deepEqual(texts(second?.groups[2]), [
        "found a",
        "Tool error: unknown tool: nothing",
        "Tool error: code: tool.failed, status: 500, userMessage: The tool failed and the input was not the cause.",
        "noon",
      ]);
    });

    test(`${how}: three turns with the same ids, twice in one of them, then a second run on the thread`, async () => {
      const { tool, keys, ids } = keeper();
      // An API that stores calls under their ids never repeats one.
      const id = provider.isStoring ? undefined : "call_0";
      const repeated = [call("a", id), call("b", id)];
      const bench = await wireBench(
        provider,
        [
          { toolCalls: [call("x", id)] },
          { toolCalls: repeated },
          { content: "So far.", toolCalls: [call("y", id)] },
          { content: "Three." },
          { toolCalls: [call("z", id)] },
          { content: "Four." },
        ],
        { tools: [tool] },
      );
      const options = { stream, threadId: "t-1" };
      assert.equal((await bench.run("One", options)).text, "Three.");
      assert.equal((await bench.run("Two", options)).text, "Four.");
      const last = bench.requests.at(-1);
      const turn = ["assistant", "results"];
      assert.deepEqual(sides(last), ["user", ...turn, ...turn, ...turn, "assistant", "user", ...turn]);
      assert.deepEqual(
        last?.groups.flatMap(inputs),
        ["x", "a", "b", "y", "z"].map((q) => ({ q })),
      );
      assert.deepEqual(
        last?.groups.flatMap(texts),
        ["x", "a", "b", "y", "z"].map((q) => `found ${q}`),
      );
      assert.deepEqual([keys.length, new Set(keys).size, new Set(ids).size], [5, 5, 5]);
      bench.assertDone();
    });

    test(`${how}: what fails its schema or names a prototype is answered, and the history stays valid`, async () => {
      const calls = [
        { name: "search", arguments: '{"query":"x"}' },
        { name: "constructor", arguments: "{}" },
        { name: "toString", arguments: "{}" },
        { name: "__proto__", arguments: "{}" },
        { name: "clock", arguments: "" },
      ];
      const bench = await wireBench(provider, [{ toolCalls: calls }, { content: "Sorry." }], { tools });
      await bench.run("Search, please.", { stream });
      const results = texts(bench.requests[1]?.groups[2]);
      assert.match(results[0] ?? "", /^Tool error: invalid input: q: /);
      const unknown = ["constructor", "toString", "__proto__"].map((name) => `Tool error: unknown tool: ${name}`);
      assert.deepEqual(results.slice(1), [...unknown, "noon"]);
    });

    test(`${how}: arguments that would change prototypes do not, whoever refuses them`, async () => {
      const calls = [{ name: "search", arguments: '{"q":"x","__proto__":{"admin":true}}' }];
      const bench = await wireBench(provider, [{ toolCalls: calls }, { content: "Sorry." }], { tools });
      const end = await bench.run("Search, please.", { stream }).then(
        ({ status }) => status,
        (error: unknown) => (error as ModelError).code,
      );
      // Where arguments are no text of their own, the package refuses the whole reply.
      assert.ok(["done", "model.failed"].includes(end), end);
      assert.equal(({} as { admin?: boolean }).admin, undefined);
    });
  }
}

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

function sides(request: WireRequest | undefined): string[] {
  return (request?.groups ?? []).map(({ side }) => side);
}

function texts(group: Group | undefined): string[] {
  return resultsIn(group).map(({ text }) => text);
}

function inputs(group: Group | undefined): unknown[] {
  return callsIn(group).map(({ input }) => (typeof input === "string" ? JSON.parse(input) : input));
}
