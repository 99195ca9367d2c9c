// A defined tool at run time: lazy, frozen, callable directly, and never in the way of its neighbours.

import assert from "node:assert/strict";
import { test } from "node:test";
import { z } from "zod";
import type { ToolContext } from "../core/context.ts";
import { ask } from "../core/result.ts";
import { seconds } from "../std/units.ts";
import { anatomyOf, defineTool } from "./define-tool.ts";
import { toolDefinitionOf } from "./tool-definition-of.ts";

const parts = { name: "find_order", description: "Finds an order" };

/** A schema of no known library, that counts what is asked of it. */
function countingSchema() {
  const asked = { conversions: 0, validations: 0 };
  const schema = {
    "~standard": {
      version: 1 as const,
      vendor: "counting",
      jsonSchema: { input: () => ({ type: "object", conversion: ++asked.conversions }), output: () => ({}) },
      validate: (value: unknown) => ({ value, validation: ++asked.validations }),
    },
  };
  return { schema, asked };
}

test("defining converts and validates nothing; schemas are made once, when read", () => {
  const { schema, asked } = countingSchema();
  const tool = defineTool({ ...parts, input: schema, execute: () => "found" });
  assert.deepEqual(asked, { conversions: 0, validations: 0 });
  assert.equal(tool.inputSchema, tool.inputSchema);
  assert.equal(tool.validateInput, tool.validateInput);
  tool.validateInput({});
  tool.validateInput({});
  assert.deepEqual(asked, { conversions: 1, validations: 2 });
});

test("a tool keeps its whole anatomy and is frozen", () => {
  const visibleWhen = () => true;
  const settings = {
    tags: ["billing"],
    annotations: { readOnly: true },
    examples: [{ id: "o-1" }],
    strict: true,
    policy: "needs-approval",
    visibleWhen,
    endsRun: true,
    timeout: seconds(3),
    maxResultSize: { kind: "size", bytes: 1 },
    exclusive: true,
    toolErrors: "observe",
    channel: "ops",
  } as const;
  const tool = defineTool({ ...parts, ...settings, input: z.object({ id: z.string() }), execute: () => 1 });
  for (const [key, value] of Object.entries({ ...parts, ...settings, source: "native" })) {
    assert.equal(tool[key as keyof typeof tool], value, key);
  }
  assert.ok(Object.isFrozen(tool));
  assert.equal(tool.outputSchema, undefined);
  assert.equal(tool.validateOutput, undefined);
});

test("a spread keeps schemas and validators", async () => {
  const tool = defineTool({ ...parts, input: z.object({ id: z.string() }), execute: ({ id }) => id });
  const copy = { ...tool, name: "other" };
  assert.deepEqual(copy.inputSchema, tool.inputSchema);
  assert.deepEqual(await copy.validateInput({ id: "1" }), { ok: true, value: { id: "1" } });
  assert.equal(copy.execute({ id: "1" }), "1");
});

test("execute is callable directly, with a context of its own or the one that is given", async () => {
  const seen: ToolContext[] = [];
  const tool = defineTool({
    ...parts,
    input: z.object({ id: z.string() }),
    execute({ id }, ctx) {
      seen.push(ctx);
      return id === "?" ? ask({ question: "which?" }) : id;
    },
  });
  assert.equal(tool.execute({ id: "o-1" }), "o-1");
  assert.equal(seen[0]?.callId, "direct");
  assert.equal(seen[0]?.signal.aborted, false);
  const given = { callId: "c-1" } as ToolContext;
  await tool.execute({ id: "o-1" }, given);
  assert.equal(seen[1], given);
});

test("execute runs as a method of its definition", () => {
  const definition = {
    ...parts,
    input: { type: "object" },
    prefix: "o-",
    execute(input: unknown) {
      return this.prefix + String((input as { id: number }).id);
    },
  };
  assert.equal(defineTool(definition as Parameters<typeof defineTool>[0]).execute({ id: 1 }), "o-1");
});

test("arguments that are no object are refused whatever the schema says", async () => {
  const inputs = [z.object({}), z.looseObject({}), { type: "object" }, z.any(), countingSchema().schema];
  for (const input of inputs) {
    const tool = defineTool({ ...parts, input, execute: () => "x" });
    for (const [value, got] of [
      [[1], "array"],
      [5, "number"],
      ["text", "string"],
      [null, "null"],
      [undefined, "undefined"],
    ] as const) {
      const issues = [{ path: "", message: `expected object, got ${got}` }];
      assert.deepEqual(await tool.validateInput(value), { ok: false, issues });
    }
  }
});

test("bad values do not throw where the tool is defined", () => {
  for (const definition of [
    {},
    { name: 5, input: null, execute: "no" },
    { name: "a", input: 5, output: 7, timeout: 10 },
  ]) {
    assert.doesNotThrow(() => defineTool(definition as never));
  }
  assert.doesNotThrow(() => defineTool(undefined as never));
});

test("a default is not required on the wire, a description reaches the model, the output shows its parsed side", async () => {
  const tool = defineTool({
    ...parts,
    input: z.object({ id: z.string().describe("the order's id"), limit: z.number().default(3) }),
    output: z.object({ count: z.string().transform(Number).pipe(z.number()) }),
    execute: () => ({ count: "1" }),
  });
  assert.deepEqual(tool.inputSchema, {
    type: "object",
    properties: { id: { type: "string", description: "the order's id" }, limit: { type: "number", default: 3 } },
    required: ["id"],
  });
  assert.deepEqual((tool.outputSchema as { properties: unknown }).properties, { count: { type: "number" } });
  assert.deepEqual(tool.validateInput({ id: "a" }), { ok: true, value: { id: "a", limit: 3 } });
  assert.deepEqual(await tool.validateOutput?.({ count: "2" }), { ok: true, value: { count: 2 } });
});

test("a definition is what a model is told, without an application", () => {
  const tool = defineTool({ ...parts, input: { $schema: "x", type: "object" }, execute: () => 1 });
  assert.deepEqual(toolDefinitionOf(tool), { ...parts, inputSchema: { type: "object" } });
});

test("only defined tools have an anatomy", () => {
  const input = z.object({});
  assert.equal(anatomyOf(defineTool({ ...parts, input, execute: () => 1 }))?.input, input);
  assert.equal(anatomyOf({}), undefined);
});
