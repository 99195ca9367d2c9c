// Plain tools in the form the pipeline calls.

import assert from "node:assert/strict";
import { test } from "node:test";
import { z } from "zod";
import { isToolpostError } from "../core/errors.ts";
import type { JsonSchema } from "../core/schema.ts";
import type { Tool } from "../core/tool.ts";
import { defineTool } from "./define-tool.ts";
import { toTool } from "./to-tool.ts";

const plain: Tool<{ a: string }> = {
  name: "plain",
  description: "d",
  source: "custom",
  inputSchema: { type: "object", properties: { a: { type: "string" } }, required: ["a"] },
  outputSchema: { type: "number" },
  execute: ({ a }) => a.length,
};

test("a plain tool validates its input and output by its schemas", async () => {
  const tool = toTool(plain);
  assert.deepEqual(await tool.validateInput({ a: "x" }), { ok: true, value: { a: "x" } });
  assert.deepEqual(await tool.validateInput({}), { ok: false, issues: [{ path: "a", message: "required" }] });
  assert.deepEqual(await tool.validateInput([1]), {
    ok: false,
    issues: [{ path: "", message: "expected object, got array" }],
  });
  assert.deepEqual(await tool.validateOutput?.(5), { ok: true, value: 5 });
  assert.deepEqual(await tool.validateOutput?.("5"), {
    ok: false,
    issues: [{ path: "", message: "expected number, got string" }],
  });
});

test("the same tool gives the same one; what validates already is taken as it is", () => {
  assert.equal(toTool(plain), toTool(plain));
  const defined = defineTool({
    name: "a",
    description: "d",
    input: z.object({}),
    output: z.string(),
    execute: () => "",
  });
  assert.equal(toTool(defined), defined);
  const own = { ...plain, outputSchema: undefined, validateInput: (value: unknown) => ({ ok: true, value }) as const };
  assert.equal(toTool(own), own);
  assert.equal(toTool(toTool(plain)), toTool(plain));
});

test("validators of its own win over schemas", async () => {
  const validateInput = () => ({ ok: true, value: "own" }) as const;
  const tool = toTool({ ...plain, validateInput });
  assert.deepEqual(await tool.validateInput({}), { ok: true, value: "own" });
  assert.deepEqual(await tool.validateOutput?.("x"), {
    ok: false,
    issues: [{ path: "", message: "expected number, got string" }],
  });
});

test("validators that are methods of a class run on it", async () => {
  class Counting implements Tool<unknown> {
    readonly name = "counting";
    readonly description = "d";
    readonly source = "custom";
    readonly inputSchema = { type: "object" };
    readonly outputSchema = { type: "number" };
    #calls = 0;
    validateInput(_value: unknown) {
      return { ok: true, value: ++this.#calls } as const;
    }
    execute() {
      return this.#calls;
    }
  }
  const tool = toTool(new Counting());
  assert.deepEqual(await tool.validateInput({}), { ok: true, value: 1 });
  assert.equal(tool.execute({} as never), 1);
  assert.equal((await tool.validateOutput?.("x"))?.ok, false);
});

test("a schema that cannot be read or followed refuses every call and says why when it is shown", async () => {
  const broken = (inputSchema: () => unknown): Tool => ({
    ...plain,
    get inputSchema(): JsonSchema {
      return inputSchema() as JsonSchema;
    },
  });
  const fails = (): never => {
    throw new Error("gone");
  };
  for (const schema of [fails, () => undefined, () => ({ type: "object", properties: { a: { type: "no" } } })]) {
    const result = await toTool(broken(schema)).validateInput({ a: "x" });
    assert.ok(!result.ok);
    assert.deepEqual(result.issues, [{ path: "", message: "the value could not be validated" }]);
  }
  const isUnusable = (error: unknown): boolean => isToolpostError(error) && error.code === "tool.schema-unusable";
  for (const schema of [{}, { properties: {} }, { type: "string" }, undefined, true]) {
    assert.throws(() => toTool(broken(() => schema)).inputSchema, isUnusable);
  }
  const output: Tool = {
    ...plain,
    get outputSchema(): JsonSchema {
      return fails();
    },
  };
  assert.equal((await toTool(output).validateOutput?.(5))?.ok, false);
});

test("a root that is an object in a roundabout way is shown as one", () => {
  const object = { type: "object", properties: { a: {} } };
  const $defs = {
    a: object,
    b: { $ref: "#/$defs/a" },
    node: { type: "object", properties: { kid: { $ref: "#/$defs/node" } } },
  };
  for (const [schema, shown] of [
    [
      { $ref: "#/$defs/b", $defs },
      { ...object, $defs },
    ],
    [
      { $ref: "#/$defs/node", $defs },
      { ...$defs.node, $defs },
    ],
    [{ allOf: [{ required: ["a"] }, { $ref: "#/$defs/a" }], $defs }, { type: "object" }],
    [{ anyOf: [object, { oneOf: [object, object] }] }, { type: "object" }],
    [{ type: ["object", "null"] }, { type: "object" }],
  ] as const) {
    const given = toTool({ ...plain, inputSchema: schema }).inputSchema;
    assert.deepEqual(given, { ...given, ...shown });
  }
  for (const schema of [{ anyOf: [object, { type: "string" }] }, { $ref: "#" }, { $ref: "#/nope" }, { anyOf: [] }]) {
    assert.throws(() => toTool({ ...plain, inputSchema: schema }).inputSchema, /expected an object/);
  }
});
