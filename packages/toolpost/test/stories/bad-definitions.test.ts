// Settings that cannot be used: told before anything starts, all at once, and no guard ever lost by a misspelt name.

import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { z } from "zod";
import { createApp } from "../../src/app/create-app.ts";
import { createToolkit } from "../../src/app/create-toolkit.ts";
import { defineTool } from "../../src/author/define-tool.ts";
import type { LogEntry } from "../../src/core/govern.ts";
import type { ToolSource } from "../../src/core/source.ts";
import type { Tool } from "../../src/core/tool.ts";
import { usd } from "../../src/std/units.ts";
import { desk } from "./support.ts";

const ping = defineTool({ name: "ping", description: "Pings", input: z.object({}), execute: () => "pong" }) as Tool;

/** The lines of what `createApp` refuses. */
function problemsOf(options: unknown): string[] {
  try {
    createApp(options as never);
  } catch (error) {
    return (error as Error).message.split("\n");
  }
  return [];
}

function ofAgent(more: object): string[] {
  return problemsOf({ agents: [{ name: "desk", description: "d", model: "openai:m", tools: [], ...more }] });
}

describe("settings of an application", () => {
  for (const [options, line] of [
    [{ approval: {} }, "[app.invalid] createApp: there is no setting `approval`: did you mean `approvals`?"],
    [{ rules: () => "deny" }, "[app.invalid] createApp: `rules` is `a function`, expected a list of functions"],
    [
      { approvals: { name: ["x"] } },
      "[app.invalid] the application, `approvals`: there is no setting `name`: did you mean `names`?",
    ],
    [
      { approvals: { names: "refund" } },
      '[app.invalid] the application, `approvals`: `names` is `"refund"`, expected a list of texts',
    ],
    [
      { approvals: { expireAfter: 5 } },
      "[app.invalid] the application, `approvals`: `expireAfter` is `5`, expected a positive duration such as hours(8)",
    ],
    [
      { mask: { redactors: ["x"] } },
      '[app.invalid] the application, `mask`: `redactors` is `["x"]`, expected a list of functions',
    ],
    [
      { hooks: { beforeTool: 1 } },
      "[app.invalid] createApp: `hooks` is `an object with beforeTool`, expected a list of objects with hooks",
    ],
    [{ sources: [{}] }, "[app.invalid] createApp: `sources` is `a list of 1`, expected a list of sources"],
    [null, "[app.invalid] createApp is `null`, expected an object"],
  ] as const) {
    it(`are refused in words: ${JSON.stringify(options, (_, value) => (typeof value === "function" ? "…" : value))}`, () => {
      assert.deepEqual(problemsOf(options), [line]);
    });
  }

  it("of a toolkit are checked alike", async () => {
    await assert.rejects(createToolkit({ tool: [] } as never), {
      message: "[app.invalid] createToolkit: there is no setting `tool`: did you mean `tools`?",
    });
  });
});

describe("settings of an agent", () => {
  for (const [more, line] of [
    [
      { budget: { time: 5 } },
      "[agent.invalid] agent `desk`, `budget`: `time` is `5`, expected a positive duration such as minutes(2)",
    ],
    [
      { budget: { calls: Number.NaN } },
      "[agent.invalid] agent `desk`, `budget`: `calls` is `NaN`, expected a whole number from 1",
    ],
    [{ budget: 5 }, "[agent.invalid] agent `desk`: `budget` is `5`, expected an object"],
    [{ maxStep: 3 }, "[agent.invalid] agent `desk`: there is no setting `maxStep`: did you mean `maxSteps`?"],
    [
      { output: z.string() },
      "[agent.invalid] agent `desk`: `output` must be a schema of an object, such as z.object({ … })",
    ],
    [
      { model: "gpt-5.2" },
      '[agent.invalid] agent `desk`: `model` is `"gpt-5.2"`, which names no known provider: write it as "openai:gpt-5.2" or the like',
    ],
    [
      { model: "groq:qwen3-32b" },
      '[agent.invalid] agent `desk`: `model` is `"groq:qwen3-32b"`, which names no known provider: known are openai, anthropic, google, ollama and openai-compatible; for any other pass the model object of its package',
    ],
    [{ prompt: 5 }, '[agent.invalid] agent `desk`: `prompt` is `5`, expected a text, or `{ files: ["./role.md"] }`'],
  ] as const) {
    it(`are refused in words: ${Object.keys(more)[0]}`, () => {
      assert.deepEqual(ofAgent(more), [line]);
    });
  }

  it("with a budget of money need a price for the model", async () => {
    const silent = async (): Promise<never> => assert.fail("the model was asked");
    const model = {
      specificationVersion: "v4",
      provider: "acme.chat",
      modelId: "large",
      doGenerate: silent,
      doStream: silent,
    } as const;
    const { app, agent } = desk(["x"], [], { agent: { budget: { money: usd(1) } }, app: { engine: undefined } });
    await assert.rejects(Promise.resolve(app.run(agent, "x", { model })), {
      code: "agent.invalid",
      message: /the model `acme:large` has no price: give it in `prices`/,
    });
    assert.equal((await app.run(agent, "x")).status, "done");
  });
});

it("tells a bare object of schemas from a schema", async () => {
  const shape = defineTool({ name: "bare", description: "B", input: { a: z.string() } as never, execute: () => 1 });
  await assert.rejects(createToolkit({ tools: [shape as Tool] }), {
    message: /it is an object of schemas: wrap it, z\.object/,
  });
});

describe("a source that misbehaves", () => {
  const source = (more: Partial<ToolSource>): ToolSource => ({
    name: "odd",
    kind: "custom",
    list: async () => [],
    status: () => ({ name: "odd", kind: "custom", state: "ready", toolCount: 0, skipped: [] }),
    close: async () => undefined,
    ...more,
  });
  const boom = async (): Promise<never> => {
    throw new Error("boom");
  };

  it("harms nobody else: what is no tool is set aside, what throws is logged", async () => {
    const log: LogEntry[] = [];
    const listed = [null, {}, 5, { ...ping, name: "good" }] as never;
    const { app, agent, model } = desk(["done"], [ping], {
      app: {
        sources: [source({ list: async () => listed, instructions: boom })],
        log: (entry) => void log.push(entry),
      },
    });
    assert.equal((await app.run(agent, "x")).text, "done");
    assert.deepEqual(model.requests[0]?.tools.map((tool) => tool.name).sort(), ["good", "ping"]);
    assert.equal(log.filter((entry) => entry.message.startsWith("a tool is not offered")).length, 3);
  });

  it("does not keep the others from being closed", async () => {
    let closed = 0;
    const good = source({ name: "good", close: async () => void closed++ });
    const { app, agent } = desk(["done"], [], {
      app: { sources: [source({ close: boom }), good], log: () => undefined },
    });
    await app.run(agent, "x");
    await app.close();
    assert.equal(closed, 1);
  });
});
