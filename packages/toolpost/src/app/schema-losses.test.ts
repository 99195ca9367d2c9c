// When and how often operators hear of what providers are not told of a tool's schema.
import assert from "node:assert/strict";
import { test } from "node:test";
import { defineAgent } from "../agent/define-agent.ts";
import { defineTool } from "../author/define-tool.ts";
import type { LogEntry } from "../core/govern.ts";
import type { LanguageModel, Model } from "../core/model.ts";
import type { ToolSource } from "../core/source.ts";
import type { AnyTool } from "../core/tool.ts";
import { createApp } from "./create-app.ts";
import { wireSchemas } from "./schema-losses.ts";

function rated(name: string): AnyTool {
  const input = { type: "object", properties: { level: { enum: [1, 2] } } } as const;
  return defineTool({ name, description: "Rates", input, execute: () => "ok" });
}

function told(tool: string): string {
  return `tool \`${tool}\`, \`level\`, as gemini takes it: literals that are no texts are told in the description only`;
}

/** A model of Gemini's dialect that says one word. */
const gemini: LanguageModel = {
  specificationVersion: "v3",
  provider: "google.generative-ai",
  modelId: "small",
  doGenerate: async () => ({ content: [{ type: "text", text: "Hi." }], finishReason: { unified: "stop" }, usage: {} }),
  doStream: () => Promise.reject(new Error("not streamed")),
};

function made(
  model: string | LanguageModel | Model,
  tools: readonly (AnyTool | ToolSource)[],
  others: readonly string[] = [],
): { readonly app: ReturnType<typeof createApp>; readonly log: LogEntry[] } {
  const log: LogEntry[] = [];
  const agents = ["desk", ...others].map((name) => defineAgent({ name, description: "Answers", model, tools }));
  return { app: createApp({ agents, log: (entry) => void log.push(entry) }), log };
}

test("what the dialect of an agent's model has no word for is told as the application is made, and not again by its runs", async () => {
  for (const agents of [[], ["desk", "clerk"]]) {
    const { app, log } = made(gemini, [rated("rate")], ["clerk"]);
    for (const agent of agents) await app.run(agent, "Hi", { stream: false });
    await app.close();
    assert.deepEqual(log, [{ level: "info", message: told("rate") }]);
  }
});

test("a model string tells its dialect before its package is looked for", async () => {
  const prefixes = ["google:gemini-3-pro", "openai:gpt-5.2", "anthropic:claude", "ollama:qwen3", "scripted:./x.yaml"];
  const input = {
    type: "object",
    properties: { x: { type: "string", pattern: "^(?!a)" }, level: { const: 1 } },
  } as const;
  const tool = defineTool({ name: "t", description: "t", input, execute: () => "ok" });
  const messages = prefixes.map(async (name) => {
    const { app, log } = made(name, [tool]);
    await app.close();
    return log.map(({ message }) => message);
  });
  assert.deepEqual(await Promise.all(messages), [
    ["tool `t`, `level`, as gemini takes it: literals that are no texts are told in the description only"],
    ["tool `t`, `x`, as openai takes it: a `pattern` that looks around is not sent"],
    [],
    ["tool `t`, `x`, as openai takes it: a `pattern` that looks around is not sent"],
    [],
  ]);
});

test("tools of sources and models of single runs are told of at their first use, once", async () => {
  const source: ToolSource = {
    name: "s",
    kind: "mcp",
    list: async () => [rated("listed")],
    status: () => ({ name: "s", kind: "mcp", state: "ready", toolCount: 1, skipped: [] }),
    close: async () => undefined,
  };
  const plain: Model = { id: "plain:m", call: () => Promise.reject(new Error("not asked")) };
  const { app, log } = made(plain, [rated("rate"), source]);
  for (let run = 0; run < 2; run++) await app.run("desk", "Hi", { stream: false, model: gemini });
  assert.deepEqual(
    log.map(({ message }) => message),
    [told("rate"), told("listed")],
  );
});

test("an answer's schema is told of too", async () => {
  const log: LogEntry[] = [];
  const output = { type: "object", title: "Rating", properties: { level: { enum: [1, 2] } } } as const;
  const agent = defineAgent({ name: "desk", description: "Answers", model: gemini, tools: [], output });
  await createApp({ agents: [agent], log: (entry) => void log.push(entry) }).close();
  assert.deepEqual(
    log.map(({ message }) => message),
    [told("answer-rating")],
  );
});

test("a schema is made once for a tool and a dialect, whichever agents offer it", () => {
  const schemas = wireSchemas(() => undefined);
  const tool = rated("rate");
  const made = schemas.wireSchemaOf(tool, "gemini");
  assert.equal(schemas.wireSchemaOf(tool, "gemini"), made);
  assert.notEqual(schemas.wireSchemaOf(tool, "openai"), made);
  assert.notEqual(schemas.wireSchemaOf(rated("rate"), "gemini"), made);
});
