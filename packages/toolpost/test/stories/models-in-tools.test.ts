// A model asked inside a tool: what it costs is the tool's, in the run's account and budgets, also where the tool fails.

import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { z } from "zod";
import { defineTool } from "../../src/author/define-tool.ts";
import type { ToolContext } from "../../src/core/context.ts";
import { createToolContext } from "../../src/core/context.ts";
import { ExecutionContext } from "../../src/core/execution-context.ts";
import type { Model, ModelRequest } from "../../src/core/model.ts";
import type { Tool } from "../../src/core/tool.ts";
import { memoryEngine } from "../../src/durable/sqlite/sqlite-engine.ts";
import { usd } from "../../src/std/units.ts";
import { desk } from "./support.ts";

const usage = { inputTokens: 30, outputTokens: 10, totalTokens: 40, reasoningTokens: 0, cachedInputTokens: 0 };

function small(): Model & { readonly requests: ModelRequest[] } {
  const requests: ModelRequest[] = [];
  return {
    id: "acme:small",
    requests,
    call: async (request) => {
      requests.push(request);
      return { content: [{ type: "text", text: "short" }], finish: "stop", usage };
    },
  };
}

function summing(model: Model, more: object = {}, fails = false): Tool {
  return defineTool({
    name: "sum_up",
    description: "Sums up",
    input: z.object({}),
    async execute(_input, ctx: ToolContext) {
      const { text } = await ctx.models.ask(model, "a long text", { system: "Be brief.", maxOutputTokens: 50 });
      if (fails) throw new Error("and then it failed");
      return text;
    },
    ...more,
  }) as Tool;
}

const turns = [{ calls: [{ name: "sum_up" }] }, "done"];
const prices = { "acme:small": { input: usd(10_000), output: usd(20_000) } };

describe("a model asked inside a tool", () => {
  it("gets the prompt without tools, and its reply is the tool's to use", async () => {
    const model = small();
    const { app, agent } = desk(turns, [summing(model)]);
    const result = await app.run(agent, "go");
    assert.deepEqual([result.status, result.calls[0]?.text], ["done", "short"]);
    const [request] = model.requests;
    assert.deepEqual(request?.prompt, [
      { role: "system", content: "Be brief." },
      { role: "user", content: [{ type: "text", text: "a long text" }] },
    ]);
    assert.deepEqual([request?.tools, request?.maxOutputTokens], [[], 50]);
    await app.close();
  });

  it("is the tool's spend, and its tokens are in the run's usage", async () => {
    const { app, agent } = desk(turns, [summing(small())], { app: { prices } });
    const result = await app.run(agent, "go");
    const cost = { kind: "money", usd: 0.5 };
    assert.deepEqual(result.calls[0]?.spend, [{ service: "acme:small", cost, usage }]);
    assert.equal(result.usage.totalTokens, 40);
    await app.close();
  });

  for (const [what, fails] of [
    ["", false],
    [" also where the tool fails afterwards", true],
  ] as const) {
    it(`counts in budgets of money and of tokens,${what}`, async () => {
      for (const [budget, code] of [
        [{ money: usd(0.5) }, "budget.exceeded"],
        [{ tokens: 40 }, "budget.exceeded"],
      ] as const) {
        const { app, agent } = desk(turns, [summing(small(), {}, fails)], { agent: { budget }, app: { prices } });
        await assert.rejects(Promise.resolve(app.run(agent, "go")), { code });
        await app.close();
      }
    });
  }

  it("is not asked where a budget of money would not see what it costs", async () => {
    const model = small();
    const { app, agent, log } = desk(turns, [summing(model)], { agent: { budget: { money: usd(1) } } });
    const { calls } = await app.run(agent, "go");
    assert.deepEqual([calls[0]?.errorCode, model.requests.length], ["tool.failed", 0]);
    const error = log.find(({ message }) => message === "`sum_up` threw")?.error as { readonly code?: string };
    assert.equal(error.code, "model.no-price");
    await app.close();
  });

  it("is in the journaled result: not asked again, and counted again, when the run is gone on with", async () => {
    const model = small();
    const guarded = defineTool({
      name: "guarded",
      description: "G",
      input: z.object({}),
      policy: "needs-approval",
      execute: () => "ok",
    }) as Tool;
    const replies = [...turns.slice(0, 1), { calls: [{ name: "guarded" }] }, "done"];
    const { app, agent } = desk(replies, [summing(model), guarded], { app: { engine: memoryEngine(), prices } });
    const { pending } = await app.run(agent, "go");
    const result = await app.resume({ pauseId: pending[0]?.pauseId ?? "", decision: "approve" }, {});
    assert.deepEqual([result.usage.totalTokens, model.requests.length], [40, 1]);
    await app.close();
  });

  it("is there by injection, and outside of a call says what to do", async () => {
    const injected = new ExecutionContext();
    const tool = summing(small(), { execute: async () => (await injected.models.ask(small(), "x")).text });
    const { app, agent } = desk(turns, [tool]);
    assert.equal((await app.run(agent, "go")).calls[0]?.text, "short");
    await app.close();
    await assert.rejects(createToolContext().models.ask("scripted:x", "x"), { code: "context.none" });
  });
});
