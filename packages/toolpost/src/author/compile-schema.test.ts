// Schemas of libraries, compiled: what the model is told, and what the handler gets of what the model wrote.

import assert from "node:assert/strict";
import { test } from "node:test";
import { scope, type } from "arktype";
import * as v from "valibot";
import { z } from "zod";
import * as mini from "zod/mini";
import { isToolpostError } from "../core/errors.ts";
import type { Schema } from "../core/schema.ts";
import { compileSchema, isStandardSchema } from "./compile-schema.ts";
import { defineTool } from "./define-tool.ts";

const dateOnWire = { type: "string", format: "date-time" };
const bigintOnWire = { type: "string", pattern: "^-?\\d+$" };
const noon = "2026-01-31T12:00:00Z";

function wireOf(schema: Schema): Record<string, unknown> {
  return compileSchema(schema, "input").jsonSchema as Record<string, unknown>;
}

async function parsed(schema: Schema, written: unknown): Promise<unknown> {
  const result = await compileSchema(schema, "input").validate(written);
  if (!result.ok) assert.fail(JSON.stringify(result.issues));
  return result.value;
}

async function issues(schema: Schema, written: unknown): Promise<string[]> {
  const result = await compileSchema(schema, "input").validate(written);
  assert.ok(!result.ok, "should be refused");
  return result.issues.map(({ path, message }) => `${path}: ${message}`);
}

for (const [library, schema] of [
  ["zod", z.object({ at: z.date().describe("when"), n: z.bigint().optional() })],
  ["zod/mini", mini.object({ at: mini.date().check(mini.describe("when")), n: mini.optional(mini.bigint()) })],
  ["arktype", type({ at: type("Date").describe("when", "self"), "n?": "bigint" })],
  ["valibot", v.object({ at: v.pipe(v.date(), v.description("when")), n: v.optional(v.bigint()) })],
] as const) {
  test(`dates and bigints of ${library} are text on the wire and native in the handler`, async () => {
    const { properties, required } = wireOf(schema) as { properties: { at: object; n: object }; required: unknown };
    assert.deepEqual({ ...dateOnWire, ...properties.at }, properties.at);
    assert.deepEqual(properties.n, bigintOnWire);
    assert.deepEqual(required, ["at"]);
    assert.deepEqual(await parsed(schema, { at: noon, n: "-42" }), { at: new Date(noon), n: -42n });
    assert.deepEqual(await parsed(schema, { at: "2026-01-31", n: 42 }), { at: new Date("2026-01-31"), n: 42n });
    // What a program gives is native already.
    assert.deepEqual(await parsed(schema, { at: new Date(noon), n: 1n }), { at: new Date(noon), n: 1n });
  });

  test(`text that is no date is refused by ${library} with what was expected`, async () => {
    const notDates = [
      "tomorrow",
      "2026-02-30",
      "2026-13-01",
      "2026-01-31T12:00",
      "12:00",
      "",
      "2026-01-31T25:00:00Z",
    ].concat(
      ["24:00:00Z", "23:60:00Z", "23:59:60Z", "10:00:00+24:00", "10:00:00-05:60"].map((time) => `2026-01-31T${time}`),
    );
    for (const at of notDates) {
      const [issue, ...others] = await issues(schema, { at });
      assert.match(issue ?? "", /^at: expected a date such as 2026-01-31, or a date and time with its offset/);
      assert.deepEqual(others, []);
    }
    for (const n of ["4.2", "4 2", "", "9".repeat(2000), 2 ** 60, 0.5]) {
      assert.deepEqual(await issues(schema, { at: noon, n }), [
        'n: expected an integer written as digits, such as "42"',
      ]);
    }
  });
}

test("native places are found in arrays, tuples, records, unions, intersections, literals and behind references", async () => {
  const Day = z.date().meta({ id: "Day" });
  const schema = z.object({
    list: z.array(z.object({ at: Day })),
    pair: z.tuple([z.string(), Day]).rest(z.bigint()),
    byName: z.record(z.string(), Day),
    byPattern: z.looseRecord(z.string().regex(/^x/), z.bigint()),
    orNull: Day.nullable(),
    orNumber: z.union([z.number(), z.bigint()]),
    both: z.intersection(z.object({ a: Day }), z.looseObject({ b: z.bigint() })),
    literal: z.literal([5n, "x"]),
    wrapped: Day.optional().readonly().default(new Date(0)),
  });
  const written = {
    list: [{ at: noon }, { at: noon }],
    pair: [noon, noon, "1", "2"],
    byName: { "a b": noon },
    byPattern: { xa: "1", b: "1" },
    orNull: noon,
    orNumber: "7",
    both: { a: noon, b: "1" },
    literal: "5",
  };
  const at = new Date(noon);
  assert.deepEqual(await parsed(schema, written), {
    list: [{ at }, { at }],
    pair: [noon, at, 1n, 2n],
    byName: { "a b": at },
    byPattern: { xa: 1n, b: "1" },
    orNull: at,
    orNumber: 7n,
    both: { a: at, b: 1n },
    literal: 5n,
    wrapped: new Date(0),
  });
  assert.deepEqual(await parsed(schema, { ...written, orNull: null, orNumber: 7, literal: "x" }), {
    ...((await parsed(schema, written)) as object),
    orNull: null,
    orNumber: 7,
    literal: "x",
  });
  assert.ok(!JSON.stringify(wireOf(schema)).includes("x-toolpost"));
});

test("literal bigints are digits on the wire, in every library", async () => {
  const choice = (...values: string[]) => ({ enum: values });
  for (const [schema, wire] of [
    [z.object({ n: z.literal(5n) }), choice("5")],
    [type({ n: "5n" }), choice("5")],
    [v.object({ n: v.literal(5n) }), choice("5")],
    [v.object({ n: v.picklist([5n, 6n]) }), choice("5", "6")],
  ] as const) {
    assert.deepEqual((wireOf(schema).properties as { n: unknown }).n, wire);
    assert.deepEqual(await parsed(schema, { n: "5" }), { n: 5n });
    assert.equal((await issues(schema, { n: "7" })).length, 1);
  }
});

test("of alternatives the first that takes the value decides what is converted", async () => {
  const dateFirst = z.object({ x: z.union([z.date(), z.string()]) });
  const textFirst = z.object({ x: z.union([z.string(), z.date()]) });
  assert.deepEqual(await parsed(dateFirst, { x: noon }), { x: new Date(noon) });
  assert.deepEqual(await parsed(dateFirst, { x: "noon" }), { x: "noon" });
  assert.deepEqual(await parsed(textFirst, { x: noon }), { x: noon });
  const event = z.discriminatedUnion("kind", [
    z.object({ kind: z.literal("note"), at: z.string() }),
    z.object({ kind: z.literal("visit"), at: z.date() }),
  ]);
  assert.deepEqual(await parsed(event, { kind: "note", at: noon }), { kind: "note", at: noon });
  assert.deepEqual(await parsed(event, { kind: "visit", at: noon }), { kind: "visit", at: new Date(noon) });
  const byKeys = z.union([z.object({ a: z.string(), at: z.string() }), z.object({ b: z.string(), at: z.date() })]);
  assert.deepEqual(await parsed(byKeys, { b: "", at: noon }), { b: "", at: new Date(noon) });
});

test("a preprocess gets what was written", async () => {
  const seen: unknown[] = [];
  const read = (written: unknown): Date => {
    seen.push(written);
    return new Date(String(written));
  };
  const schema = z.object({ at: z.preprocess(read, z.date()) });
  assert.deepEqual(wireOf(schema).properties, { at: dateOnWire });
  assert.deepEqual(await parsed(schema, { at: noon }), { at: new Date(noon) });
  assert.deepEqual(seen, [noon]);
});

test("a schema without native places is handed the value itself", () => {
  const seen: unknown[] = [];
  const schema = z.unknown().refine((value) => seen.push(value) > 0);
  const value = { at: noon };
  compileSchema(schema, "input").validate(value);
  assert.equal(seen[0], value);
});

test("parts without native places are not copied, and the value is not changed", async () => {
  const schema = z.object({ at: z.date(), rest: z.custom<object>() });
  const written = Object.freeze({ at: noon, rest: Object.freeze({ a: 1 }) });
  assert.equal(((await parsed(schema, written)) as { rest: unknown }).rest, written.rest);
});

test("recursive schemas have references, convert at every level and do not overflow", async () => {
  const Node = z.object({
    at: z.date(),
    get children() {
      return z.array(Node);
    },
  });
  type Lazy = { at: Date; children: Lazy[] };
  const LazyNode: z.ZodType<Lazy> = z.lazy(() => z.object({ at: z.date(), children: z.array(LazyNode) }));
  const ValibotNode: v.GenericSchema<Lazy> = v.object({ at: v.date(), children: v.array(v.lazy(() => ValibotNode)) });
  const ArkNode = scope({ Node: { at: "Date", children: "Node[]" } }).export().Node;
  for (const schema of [Node, LazyNode, ValibotNode, ArkNode]) {
    const tool = defineTool({ name: "t", description: "d", input: schema as Schema, execute: () => 1 });
    const text = JSON.stringify(tool.inputSchema);
    assert.match(text, /"\$ref":"#/);
    assert.equal(tool.inputSchema.type, "object");
    assert.equal(tool.inputSchema.$ref, undefined);
    const written = { at: noon, children: [{ at: noon, children: [] }] };
    const at = new Date(noon);
    assert.deepEqual(await tool.validateInput(written), { ok: true, value: { at, children: [{ at, children: [] }] } });
    assert.equal((await tool.validateInput({ at: noon, children: [{ at: "x", children: [] }] })).ok, false);
  }
});

test("a value that lies within itself is refused, not followed for ever", async () => {
  const Node = z.object({
    at: z.date(),
    get children() {
      return z.array(Node);
    },
  });
  const loop: Record<string, unknown> = { at: noon };
  loop.children = [loop];
  assert.deepEqual(await issues(Node, loop), [": nested too deeply to be validated"]);
});

test("one field without JSON Schema is offered as anything; its neighbours and the other tools are not affected", async () => {
  const odd = z.object({
    map: z.map(z.string(), z.number()).optional(),
    set: z.set(z.string()).optional(),
    id: z.string(),
  });
  const tools = Array.from({ length: 40 }, (_, index) =>
    defineTool({
      name: `t${index}`,
      description: "d",
      input: index === 7 ? odd : z.object({ at: z.date() }),
      execute: () => 1,
    }),
  );
  for (const tool of tools) assert.equal(tool.inputSchema.type, "object");
  assert.deepEqual(tools[7]?.inputSchema.properties, { map: {}, set: {}, id: { type: "string" } });
  assert.deepEqual(await parsed(odd, { id: "a" }), { id: "a" });
});

test("a schema that cannot be converted says so when it is read, and validates all the same", async () => {
  const clash = z.object({ a: z.string().meta({ id: "X" }), b: z.number().meta({ id: "X" }) });
  assert.throws(
    () => wireOf(clash),
    (error) =>
      isToolpostError(error) && error.code === "tool.schema-unusable" && /^zod cannot convert/.test(error.message),
  );
  assert.deepEqual(await parsed(clash, { a: "", b: 1 }), { a: "", b: 1 });
  const foreign = { "~standard": { version: 1, vendor: "acme", validate: (value: unknown) => ({ value }) } } as const;
  assert.throws(
    () => wireOf(foreign),
    /schemas of `acme` have no JSON Schema: give the tool a raw JSON Schema, or a schema of zod 4, valibot or arktype/,
  );
  const zod3 = { "~standard": { version: 1, vendor: "zod", validate: (value: unknown) => ({ value }) } } as const;
  assert.throws(() => wireOf(zod3), /schemas of `zod` have no JSON Schema: update to zod 4/);
});

test("async refinements work; sync schemas answer at once", async () => {
  const free = z.object({ id: z.string().refine(async (id) => id !== "taken", "is taken") });
  assert.deepEqual(await issues(free, { id: "taken" }), ["id: is taken"]);
  assert.deepEqual(await parsed(free, { id: "a" }), { id: "a" });
  for (const schema of [z.object({}), v.object({}), type({})])
    assert.ok(!(compileSchema(schema, "input").validate({}) instanceof Promise));
});

test("code of the author runs once for a good value, and its rejection ends nothing", async (t) => {
  const unhandled = t.mock.fn();
  process.on("unhandledRejection", unhandled);
  t.after(() => process.off("unhandledRejection", unhandled));
  const check = t.mock.fn(async (id: string) => {
    if (id === "down") throw new Error("the database is down");
    return id !== "taken";
  });
  for (const id of [
    z.string().refine(check),
    z.union([z.number(), z.string().check(z.refine((text) => check(text)))]),
    z.string().transform(async (text) => ((await check(text)) ? text : z.NEVER)),
    z.lazy(() => z.array(z.string().refine(check)).transform((list) => list[0])).or(z.string().refine(check)),
    mini.string().check(mini.refine((text) => check(text))),
  ]) {
    const schema = z.object({ id: id as z.ZodType, other: z.string().default("x") });
    check.mock.resetCalls();
    assert.deepEqual(await parsed(schema, { id: "free" }), { id: "free", other: "x" });
    assert.equal(check.mock.callCount(), 1);
    assert.deepEqual(await issues(schema, { id: "down" }), [": the value could not be validated"]);
  }
  await new Promise((resolve) => setImmediate(resolve));
  assert.equal(unhandled.mock.callCount(), 0);
});

test("a synchronous refinement answers at once, in zod's words", () => {
  const schema = z.object({ a: z.string().refine((a) => a !== "", "is empty"), n: z.number() });
  const { validate } = compileSchema(schema, "input");
  assert.deepEqual(validate({ a: "x", n: 1 }), { ok: true, value: { a: "x", n: 1 } });
  assert.deepEqual(validate({ a: "", n: 1 }), { ok: false, issues: [{ path: "a", message: "is empty" }] });
});

test("a validator that cannot run refuses, and what it threw is for the log only", async () => {
  const secret = new Error("pg://user:pw@host/db");
  const fails = (): never => {
    throw secret;
  };
  const standard = (validate: () => never) => ({ "~standard": { version: 1, vendor: "acme", validate } }) as const;
  for (const schema of [
    z.object({ a: z.string().refine(fails) }),
    z.object({ a: z.string().refine(async () => fails()) }),
    z.object({ a: z.string().transform(fails) }),
    standard(fails),
    standard((() => Promise.reject(secret)) as never),
    standard((() => null) as never),
  ]) {
    const result = await compileSchema(schema, "input").validate({ a: "x" });
    assert.ok(!result.ok);
    assert.deepEqual(result.issues, [{ path: "", message: "the value could not be validated" }]);
    assert.ok(result.cause === secret || result.cause instanceof TypeError);
  }
});

test("a failure without issues is a failure", async () => {
  const schema = { "~standard": { version: 1, vendor: "acme", validate: () => ({ issues: [] }) } } as const;
  assert.deepEqual(await issues(schema, {}), [": invalid value"]);
});

test("paths lead to the place; a message is told once", async () => {
  const schema = z.object({
    jobs: z.array(z.object({ url: z.url() })),
    "a b": z.object({ "2": z.string() }),
    "": z.string(),
  });
  const found = await issues(schema, { jobs: [{ url: "http://a.b" }, {}, { url: "x" }], "a b": { "2": 1 }, "": 1 });
  assert.deepEqual(
    found.map((issue) => issue.split(": ")[0]),
    ["jobs[1].url", "jobs[2].url", '["a b"]["2"]', '[""]'],
  );
  const twice = z.object({
    a: z
      .string()
      .refine(() => false, "no")
      .refine(() => false, "no"),
  });
  assert.deepEqual(await issues(twice, { a: "" }), ["a: no"]);
});

test("of a union the issue is the one of the alternative that was meant", async () => {
  const shape = z.union([
    z.object({ kind: z.literal("circle"), r: z.number() }),
    z.object({ kind: z.literal("square"), w: z.number() }),
  ]);
  const schema = z.object({ shape, either: z.union([z.string(), z.number()]).optional() });
  assert.deepEqual(await issues(schema, { shape: { kind: "square", w: "1" } }), [
    "shape.w: Invalid input: expected number, received string",
  ]);
  assert.deepEqual(await issues(schema, { shape: { kind: "circle", r: 1 }, either: true }), [
    "either: Invalid input: expected string or number, received boolean",
  ]);
  const nested = z.object({ list: z.array(z.union([z.object({ at: z.date() }), z.null()])) });
  assert.match((await issues(nested, { list: [{ at: "x" }] }))[0] ?? "", /^list\[0\]\.at: expected a date such as/);
});

test("arktype's messages do not repeat the path", async () => {
  assert.deepEqual(await issues(type({ q: "string" }), { q: 1 }), ["q: must be a string (was a number)"]);
});

test("extra keys are as the schema says", async () => {
  assert.deepEqual(await parsed(z.object({ a: z.string() }), { a: "", b: 1 }), { a: "" });
  assert.deepEqual(await parsed(z.looseObject({ a: z.string() }), { a: "", b: 1 }), { a: "", b: 1 });
  assert.match((await issues(z.strictObject({ a: z.string() }), { a: "", b: 1 }))[0] ?? "", /Unrecognized key: "b"/);
});

test("an output is not converted: what a handler returns is native", () => {
  const schema = z.object({ at: z.date() });
  const output = compileSchema(schema, "output");
  assert.equal((output.validate({ at: noon }) as { ok: boolean }).ok, false);
  assert.deepEqual(output.validate({ at: new Date(noon) }), { ok: true, value: { at: new Date(noon) } });
  assert.deepEqual((output.jsonSchema as { properties: unknown }).properties, { at: dateOnWire });
});

test("a schema is compiled once per direction; validate can be taken off", () => {
  const schema = z.object({ at: z.date() });
  assert.equal(compileSchema(schema, "input"), compileSchema(schema, "input"));
  assert.notEqual(compileSchema(schema, "input") as unknown, compileSchema(schema, "output"));
  const { validate } = compileSchema(schema, "input");
  assert.deepEqual(validate({ at: noon }), { ok: true, value: { at: new Date(noon) } });
});

test("schemas of libraries are told from raw ones, also those that are functions", () => {
  for (const schema of [z.object({}), v.object({}), type({})]) assert.ok(isStandardSchema(schema));
  for (const schema of [{ type: "object" }, {}, true, null, undefined, "x", () => 1])
    assert.ok(!isStandardSchema(schema));
});
