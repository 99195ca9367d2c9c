// Calls and their results on the wire of every provider package: what the next request holds is read from its body.
import assert from "node:assert/strict";
import { test } from "node:test";
import { z } from "zod";
import { defineTool } from "../../src/author/define-tool.ts";
import type { ModelError } from "../../src/core/run-errors.ts";
import { callsIn } from "./lib/check-request.ts";
import { inputs, keeper, texts } from "./lib/kept-calls.ts";
import { providers } from "./lib/providers.ts";
import type { WireRequest } from "./lib/read-request.ts";
import { wireBench } from "./lib/wire-bench.ts";

const search = defineTool({
  name: "search",
  description: "Searches",
  input: z.object({ q: z.string() }),
  execute: ({ q }) => (q === "down" ? Promise.reject(new Error("down")) : `found ${q}`),
});
const clock = defineTool({ name: "clock", description: "Tells the time", input: z.object({}), execute: () => "noon" });
const tools = [search, clock];

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

function sides(request: WireRequest | undefined): string[] {
  return (request?.groups ?? []).map(({ side }) => side);
}
