// Entries of real and of odd lists of tools: what is offered, under which promises, and why the rest is not.
import assert from "node:assert/strict";
import { test } from "node:test";
import type { AnyTool } from "../../core/tool.ts";
import { seconds } from "../../std/units.ts";
import { type McpToolOptions, readMcpTool } from "./mcp-tool.ts";

const options: McpToolOptions = { server: "tiny", trust: false, timeout: undefined, call: async () => "called" };
const inputSchema = { type: "object", properties: { city: { type: "string" } }, required: ["city"] };

function toolOf(entry: object, more: Partial<McpToolOptions> = {}): AnyTool {
  const reading = readMcpTool({ name: "weather", inputSchema, ...entry }, { ...options, ...more });
  assert.ok(reading.ok);
  return reading.tool;
}

test("name, description and schemas are the server's own", () => {
  const outputSchema = { type: "object" };
  const { execute, ...tool } = toolOf({ name: "admin.tools/list", description: "Lists", outputSchema, _meta: {} });
  assert.equal(typeof execute, "function");
  assert.deepEqual(tool, {
    name: "admin.tools/list",
    description: "Lists",
    inputSchema,
    outputSchema,
    source: "mcp",
    annotations: {},
  });
});

test("a call goes to the server with its tool, arguments and context", async () => {
  const tool: AnyTool = toolOf({}, { timeout: seconds(5), call: async (...given) => given });
  assert.deepEqual(await tool.execute({ city: "Oslo" } as never), [tool, { city: "Oslo" }, undefined]);
  assert.deepEqual(tool.timeout, seconds(5));
});

test("a tool without a description says what is known of it", () => {
  const known = "(a tool of the MCP server tiny, which does not describe it)";
  assert.equal(toolOf({ description: " " }).description, `weather ${known}`);
  assert.equal(toolOf({ title: "The weather" }).description, `The weather ${known}`);
  assert.equal(toolOf({ annotations: { title: "Weather now" }, description: 5 }).description, `Weather now ${known}`);
});

test("hints of a server nobody trusts tighten and never loosen", () => {
  const loose = { readOnlyHint: true, idempotentHint: true, destructiveHint: false, openWorldHint: false };
  assert.deepEqual(toolOf({ annotations: loose }).annotations, {});
  const tight = { readOnlyHint: false, destructiveHint: true, openWorldHint: true, title: "T" };
  assert.deepEqual(toolOf({ annotations: tight }).annotations, { title: "T", destructive: true, openWorld: true });
});

test("hints of a trusted server are believed, where they are hints", () => {
  const annotations = { readOnlyHint: true, idempotentHint: true, destructiveHint: false, openWorldHint: "yes" };
  assert.deepEqual(toolOf({ annotations }, { trust: true }).annotations, {
    readOnly: true,
    idempotent: true,
    destructive: false,
  });
  assert.deepEqual(toolOf({ annotations: "all" }, { trust: true }).annotations, {});
});

test("an unusable output schema is left out, its tool is not", () => {
  for (const outputSchema of [true, null, [], { type: "string" }, { type: "object", properties: [] }])
    assert.equal(toolOf({ outputSchema }).outputSchema, undefined);
});

const unusable: ReadonlyArray<[entry: unknown, name: string, reason: string]> = [
  [null, "", "it is not an object"],
  [{ inputSchema }, "", "it has no name"],
  [{ name: 5, inputSchema }, "", "it has no name"],
  [{ name: " ", inputSchema }, " ", "it has no name"],
  [{ name: "a" }, "a", "it has no input schema"],
  [{ name: "a", inputSchema: [] }, "a", "it has no input schema"],
  [{ name: "a", inputSchema: {} }, "a", 'its input schema has no root `type: "object"`'],
  [{ name: "a", inputSchema: { type: "string" } }, "a", 'its input schema has no root `type: "object"`'],
  [{ name: "a", inputSchema, execution: { taskSupport: "required" } }, "a", "it can only be called as a task"],
];

for (const [entry, name, reason] of unusable) {
  test(`set aside: ${JSON.stringify(entry)}`, () =>
    assert.deepEqual(readMcpTool(entry, options), { ok: false, name, reason }));
}

test("set aside: a schema that nothing could be validated with", () => {
  const parts = [{ $ref: "https://example.com/schema" }, { pattern: "(" }, { type: "text" }, { properties: [] }];
  for (const part of parts) {
    const reading = readMcpTool({ name: "a", inputSchema: { type: "object", properties: { x: part } } }, options);
    assert.ok(!reading.ok);
    assert.match(reading.reason, /^its input schema cannot be used: .*#\/properties\/x/);
  }
});
