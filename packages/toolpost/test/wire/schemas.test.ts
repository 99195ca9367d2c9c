// Schemas of each kind as every provider package sends them, read from the request: nothing in them that its API refuses.
import assert from "node:assert/strict";
import { test } from "node:test";
import { z } from "zod";
import { defineTool } from "../../src/author/define-tool.ts";
import type { AnyTool } from "../../src/core/tool.ts";
import type { Api } from "./lib/providers.ts";
import { providers } from "./lib/providers.ts";
import type { Json } from "./lib/read-request.ts";
import { wireBench } from "./lib/wire-bench.ts";

const Line = z.object({ sku: z.string(), count: z.number().int().positive(), note: z.string().optional() });
const Folder = z.object({
  name: z.string(),
  get folders() {
    return z.array(Folder);
  },
});

const kinds: Readonly<Record<string, z.ZodObject | z.ZodDiscriminatedUnion>> = {
  nothing: z.object({}),
  nested: z.object({ lines: z.array(Line).min(1), note: z.string().describe("a note").nullable(), at: z.date() }),
  optional: z.object({ q: z.string().optional(), limit: z.number().default(10) }),
  choices: z.object({
    kind: z.enum(["a", "b"]),
    level: z.union([z.literal(1), z.literal(2)]),
    always: z.literal("x"),
    place: z.union([z.object({ city: z.string() }), z.object({ lat: z.number() })]).describe("where"),
  }),
  alternatives: z.discriminatedUnion("by", [
    z.object({ by: z.literal("id"), id: z.string() }),
    z.object({ by: z.literal("name"), name: z.string() }),
  ]),
  map: z.object({ labels: z.record(z.string(), z.string()), pair: z.tuple([z.string(), z.number()]), value: z.any() }),
  tree: z.object({ root: Folder }),
};

function toolsOf(strict: boolean): AnyTool[] {
  return Object.entries(kinds).map(([name, input]) =>
    defineTool({ name, description: name, input, execute: () => "ok", ...(strict && { strict }) }),
  );
}

/** Calls `visit` with every schema in a schema. */
function walk(schema: Json, visit: (schema: Json) => void): void {
  if (typeof schema !== "object" || schema === null) return;
  visit(schema);
  for (const [key, value] of Object.entries<Json>(schema)) {
    if (key === "properties" || key === "$defs") for (const part of Object.values(value)) walk(part, visit);
    else if (["anyOf", "oneOf", "allOf", "prefixItems"].includes(key)) for (const part of value) walk(part, visit);
    else if (["items", "additionalProperties"].includes(key)) walk(value, visit);
  }
}

function checkRoot(schema: Json): void {
  assert.equal(schema.type, "object");
  for (const key of ["anyOf", "oneOf", "allOf", "enum", "not", "$ref", "$schema"])
    assert.equal(schema[key], undefined, key);
}

/** Source: "Supported schemas" of OpenAI's structured outputs. */
function checkStrict(schema: Json): void {
  if (schema.type === "object" || schema.properties !== undefined) {
    assert.equal(schema.additionalProperties, false);
    assert.deepEqual(schema.required, Object.keys(schema.properties));
  }
  for (const key of ["oneOf", "allOf", "not", "prefixItems", "minLength", "default"])
    assert.equal(schema[key], undefined, key);
}

/** Source: `Schema` of the Gemini API. */
function checkGemini(schema: Json): void {
  for (const key of [
    "$ref",
    "$defs",
    "const",
    "oneOf",
    "allOf",
    "prefixItems",
    "additionalProperties",
    "exclusiveMinimum",
  ])
    assert.equal(schema[key], undefined, `${key} in ${JSON.stringify(schema)}`);
  assert.equal(Array.isArray(schema.type), false);
  if (schema.anyOf === undefined) assert.equal(typeof schema.type, "string", JSON.stringify(schema));
  else for (const key of Object.keys(schema)) assert.match(key, /^(anyOf|nullable)$/);
  if (schema.enum !== undefined) for (const value of schema.enum) assert.equal(typeof value, "string");
  if (schema.type === "array") assert.notEqual(schema.items, undefined);
  if (schema.format !== undefined) assert.equal(schema.format, "date-time");
}

const nodeChecks: Readonly<Record<Api, ((schema: Json) => void) | undefined>> = {
  responses: undefined,
  chat: undefined,
  anthropic: undefined,
  gemini: checkGemini,
};

for (const provider of providers) {
  const { name, api } = provider;

  test(`${name}: schemas of every kind are offered as the API takes them, none is set aside`, async () => {
    const bench = await wireBench(provider, [{ content: "Hi." }], { tools: toolsOf(false) });
    await bench.run();
    const tools = bench.requests[0]?.tools ?? [];
    assert.deepEqual(
      tools.map((tool) => tool.name),
      Object.keys(kinds),
    );
    for (const tool of tools) {
      // Older packages for Gemini leave out the schema of a tool without fields.
      if (tool.schema === undefined) assert.deepEqual([api, tool.name], ["gemini", "nothing"]);
      else checkRoot(tool.schema);
      walk(tool.schema, nodeChecks[api] ?? (() => undefined));
    }
    const tree = JSON.stringify(tools.find((tool) => tool.name === "tree")?.schema);
    assert.ok(tree.split('"name":{').length > 1 && !tree.includes('"items":{}'));
    const losses = bench.log.filter(({ message }) => message.includes(", as "));
    assert.equal(
      losses.some(({ message }) => message.startsWith("tool `alternatives`, as ")),
      true,
    );
    if (api === "gemini")
      assert.equal(
        losses.some(({ message }) => message.startsWith("tool `choices`, `level`, as gemini takes it: ")),
        true,
      );
  });

  if (api === "responses" || api === "chat") {
    test(`${name}: strict tools have every field required, what cannot be strict is plain, and null comes back as absent`, async () => {
      const inputs: unknown[] = [];
      const optional = defineTool({
        name: "find",
        description: "Finds",
        strict: true,
        input: z.object({ q: z.string().optional(), lines: z.array(Line).optional(), by: z.string().nullable() }),
        execute: (input) => inputs.push(input),
      });
      const written = { q: null, lines: [{ sku: "s", count: 1, note: null }], by: null };
      const answers = [{ toolCalls: [{ name: "find", arguments: JSON.stringify(written) }] }, { content: "Done." }];
      const bench = await wireBench(provider, answers, { tools: [...toolsOf(true), optional] });
      await bench.run();
      for (const { name: tool, schema, strict } of bench.requests[0]?.tools ?? []) {
        if (tool === "map") assert.notEqual(strict, true);
        else {
          checkRoot(schema);
          walk(schema, checkStrict);
        }
      }
      assert.equal(
        bench.log.some(
          ({ message }) => message.includes("tool `map`, `labels`") && message.includes("`strict` is off"),
        ),
        true,
      );
      assert.deepEqual(inputs, [{ lines: [{ sku: "s", count: 1 }], by: null }]);
    });
  }
}
