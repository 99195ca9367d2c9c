// Raw JSON Schema, as strangers write it: what is refused, in which words, and that nothing a schema says can hurt.

import assert from "node:assert/strict";
import { test } from "node:test";
import { isToolpostError } from "../core/errors.ts";
import { checkJsonSchema, jsonSchemaValidator } from "./validate-json-schema.ts";

async function accepts(schema: unknown, ...values: unknown[]): Promise<void> {
  for (const value of values) assert.deepEqual(await jsonSchemaValidator(schema as never)(value), { ok: true, value });
}

async function issues(schema: unknown, value: unknown): Promise<string[]> {
  const result = await jsonSchemaValidator(schema as never)(value);
  assert.ok(!result.ok, "should be refused");
  return result.issues.map(({ path, message }) => `${path}: ${message}`);
}

async function refusesAll(schema: unknown, why: RegExp): Promise<void> {
  assert.throws(
    () => checkJsonSchema(schema),
    (error) => isToolpostError(error) && error.code === "tool.schema-unusable" && why.test(error.message),
  );
  const result = await jsonSchemaValidator(schema as never)({});
  assert.ok(!result.ok);
  assert.deepEqual(result.issues, [{ path: "", message: "the value could not be validated" }]);
  assert.match(String(result.cause), why);
}

const job = {
  type: "object",
  required: ["url"],
  properties: { url: { type: "string", format: "uri" }, tries: { type: "integer", minimum: 1 } },
  additionalProperties: false,
};

test("an answer is a promise while the library loads, which a plainly valid value does not need", async () => {
  const plain = { type: "object", required: ["n"], properties: { n: { type: "integer" } } };
  assert.deepEqual(jsonSchemaValidator(plain)({ n: 1 }), { ok: true, value: { n: 1 } });
  const first = jsonSchemaValidator(plain)({});
  assert.ok(first instanceof Promise);
  assert.deepEqual(await first, { ok: false, issues: [{ path: "n", message: "required" }] });
  assert.deepEqual(jsonSchemaValidator({ minProperties: 0 })({}), { ok: true, value: {} });
});

test("issues say place and expectation, the deepest only", async () => {
  const schema = {
    type: "object",
    required: ["jobs"],
    properties: { jobs: { type: "array", items: job, minItems: 1 } },
  };
  await accepts(schema, { jobs: [{ url: "http://a.b" }], more: 1 });
  assert.deepEqual(await issues(schema, {}), ["jobs: required"]);
  assert.deepEqual(await issues(schema, { jobs: "x" }), ["jobs: expected array, got string"]);
  assert.deepEqual(await issues(schema, { jobs: [] }), ["jobs: expected at least 1 item, got 0"]);
  assert.deepEqual(await issues(schema, { jobs: [{ url: "http://a.b" }, {}, { url: 5, tries: 0, x: 1, "a b": 2 }] }), [
    "jobs[1].url: required",
    "jobs[2].url: expected string, got number",
    "jobs[2].tries: expected at least 1, got 0",
    "jobs[2].x: unknown property",
    'jobs[2]["a b"]: unknown property',
  ]);
});

for (const [keyword, schema, value, ...expected] of [
  ["type", { type: ["string", "null"] }, 5, ": expected string or null, got number"],
  ["type", { type: "integer" }, 1.5, ": expected integer, got 1.5"],
  ["enum", { type: "string", enum: ["a", "b"] }, 5, ': must be one of "a", "b"'],
  ["const", { const: null }, "a", ": must be null"],
  ["pattern", { pattern: "^a" }, "b", ": must match the pattern ^a"],
  ["format", { format: "date-time" }, "b", ": expected a string of the format date-time"],
  ["minLength", { minLength: 2 }, "😀", ": expected at least 2 characters, got 1"],
  ["maxLength", { maxLength: 1 }, "ab", ": expected at most 1 character, got 2"],
  ["maximum", { maximum: 2 }, 3, ": expected at most 2, got 3"],
  ["exclusiveMinimum", { exclusiveMinimum: 2 }, 2, ": expected more than 2, got 2"],
  ["exclusiveMaximum", { exclusiveMaximum: 2 }, 2, ": expected less than 2, got 2"],
  ["multipleOf", { multipleOf: 0.1 }, 0.25, ": expected a multiple of 0.1, got 0.25"],
  ["maxItems", { maxItems: 1 }, [1, 2], ": expected at most 1 item, got 2"],
  ["uniqueItems", { uniqueItems: true }, [1, 1], ": expected items that all differ"],
  [
    "contains",
    { contains: { type: "string" } },
    [1, 2],
    ": expected an item of the kind the schema asks for, got none",
  ],
  ["minProperties", { minProperties: 1 }, {}, ": expected at least 1 property, got 0"],
  ["maxProperties", { maxProperties: 1 }, { a: 1, b: 1 }, ": expected at most 1 property, got 2"],
  ["propertyNames", { propertyNames: { pattern: "^a" } }, { a: 1, b: 1 }, "b: a property of this name is not allowed"],
  [
    "patternProperties",
    { patternProperties: { "^x": { type: "number" } } },
    { x1: "" },
    "x1: expected number, got string",
  ],
  ["dependentRequired", { dependentRequired: { a: ["b"] } }, { a: 1 }, 'b: required beside "a"'],
  [
    "dependencies",
    { dependencies: { a: ["b"], c: { required: ["d"] } } },
    { a: 1, c: 1 },
    'b: required beside "a"',
    "d: required",
  ],
  ["dependentSchemas", { dependentSchemas: { a: { required: ["b"] } } }, { a: 1 }, "b: required"],
  ["not", { not: { required: ["x"] } }, { x: 1 }, ": has a form the schema forbids"],
  ["prefixItems", { prefixItems: [{ type: "string" }], items: false }, ["a", 1], "[1]: one item too many"],
  [
    "items as a list",
    { items: [{ type: "string" }], additionalItems: false },
    [1, 1],
    "[0]: expected string, got number",
    "[1]: one item too many",
  ],
  [
    "unevaluatedProperties",
    { allOf: [{ properties: { a: true } }], unevaluatedProperties: false },
    { a: 1, b: 2 },
    "b: unknown property",
  ],
  ["oneOf", { oneOf: [{ type: "number" }, { minimum: 2 }] }, 5, ": fits 2 of the alternatives, expected exactly one"],
  ["false", { properties: { a: false } }, { a: 1 }, "a: not allowed"],
  ["false", false, {}, ": not allowed"],
] as const) {
  test(`what ${keyword} refuses: ${JSON.stringify(schema)}`, async () => {
    assert.deepEqual(await issues(schema, value), expected);
  });
}

test("conditions: what then and else ask for", async () => {
  const schema = JSON.parse('{"if":{"required":["a"]},"then":{"required":["b"]},"else":{"required":["c"]}}');
  await accepts(schema, { a: 1, b: 1 }, { c: 1 });
  assert.deepEqual(await issues(schema, { a: 1 }), ["b: required"]);
  assert.deepEqual(await issues(schema, {}), ["c: required"]);
});

test("of alternatives the issue is the one of the alternative that was meant", async () => {
  const circle = {
    type: "object",
    properties: { kind: { const: "circle" }, r: { type: "number" } },
    required: ["kind", "r"],
  };
  const square = {
    type: "object",
    properties: { kind: { const: "square" }, w: { type: "number" } },
    required: ["kind", "w"],
  };
  for (const choice of ["anyOf", "oneOf"]) {
    const schema = {
      properties: { shape: { [choice]: [{ type: "string" }, { type: "null" }, circle, { $ref: "#/$defs/square" }] } },
      $defs: { square },
    };
    assert.deepEqual(await issues(schema, { shape: { kind: "square", w: "1" } }), [
      "shape.w: expected number, got string",
    ]);
    assert.deepEqual(await issues(schema, { shape: { kind: "circle" } }), ["shape.r: required"]);
    assert.deepEqual(await issues(schema, { shape: { kind: "line" } }), [
      'shape.kind: must be one of "circle", "square"',
    ]);
    assert.deepEqual(await issues(schema, { shape: true }), ["shape: expected string, null or object, got boolean"]);
  }
  assert.deepEqual(await issues({ anyOf: [{ const: "a" }, { enum: ["b", "c"] }] }, "d"), [
    ': must be one of "a", "b", "c"',
  ]);
  assert.deepEqual(await issues({ anyOf: [false, { type: "array", items: { anyOf: [{ type: "string" }] } }] }, [1]), [
    "[0]: expected string, got number",
  ]);
});

test("long lists of values and of issues are cut", async () => {
  const many = Array.from({ length: 500 }, (_, index) => index);
  const [issue] = await issues({ enum: many }, "x");
  assert.match(issue ?? "", /18, 19 and 480 more$/);
  assert.equal((await issues({ items: { type: "string" } }, many)).length, 50);
  assert.ok(
    (
      await issues(
        { items: { anyOf: [{ type: "string" }, { type: "null" }] } },
        Array.from({ length: 20_000 }, () => 1),
      )
    ).length <= 50,
  );
});

test("strings of the value are not shown", async () => {
  const secret = "sk-123456";
  const schema = {
    properties: {
      a: { type: "number" },
      b: { enum: ["x"] },
      c: { pattern: "^x" },
      d: { maxLength: 1 },
      e: { format: "email" },
    },
  };
  const found = await issues(schema, { a: secret, b: secret, c: secret, d: secret, e: secret });
  assert.equal(found.length, 5);
  assert.ok(!found.join().includes(secret));
});

test("a recursive schema", async () => {
  const Node = {
    type: "object",
    required: ["name"],
    properties: { name: { type: "string" }, children: { type: "array", items: { $ref: "#" } } },
  };
  await accepts(Node, { name: "a", children: [{ name: "b", children: [] }] });
  assert.deepEqual(await issues(Node, { name: "a", children: [{ name: "b", children: [{ nam: 1 }] }] }), [
    "children[0].children[0].name: required",
  ]);
  let deep: unknown = { name: "leaf" };
  for (let level = 0; level < 5_000; level++) deep = { name: "x", children: [deep] };
  assert.deepEqual(await issues(Node, deep), [": nested too deeply to be validated"]);
  const loop: Record<string, unknown> = { name: "loop" };
  loop.children = [loop];
  assert.deepEqual(await issues(Node, loop), [": nested too deeply to be validated"]);
});

test("a schema object that lies within itself", async () => {
  const folder: Record<string, unknown> = { type: "object" };
  folder.properties = { folder };
  await accepts(folder, { folder: { folder: {} } });
  assert.deepEqual(await issues(folder, { folder: { folder: 1 } }), ["folder.folder: expected object, got number"]);
});

test("references by pointer, anchor, $id and dynamic anchor, also under keywords nobody knows", async () => {
  const schema = {
    $id: "https://example.com/a/b",
    properties: {
      pointer: { $ref: "#/$defs/odd~1name%20x" },
      anchor: { $ref: "#text" },
      other: { $ref: "other#/$defs/number" },
      own: { $ref: "https://example.com/a/other" },
      within: { $ref: "https://example.com/a/b#text" },
      components: { $ref: "#/components/schemas/Flag" },
      dynamic: { $dynamicRef: "#text" },
      recursive: { $recursiveRef: "#" },
    },
    $defs: {
      "odd/name x": { type: "number" },
      text: { $anchor: "text", type: "string" },
      other: {
        $id: "other",
        type: "object",
        $defs: { number: { type: "number" } },
        properties: { n: { $ref: "#/$defs/number" } },
      },
    },
    components: { schemas: { Flag: { type: "boolean" } } },
  };
  const good = {
    pointer: 1,
    anchor: "",
    other: 1,
    own: { n: 1 },
    within: "",
    components: true,
    dynamic: "",
    recursive: { pointer: 1 },
  };
  await accepts(schema, good);
  for (const key of Object.keys(good)) {
    const bad = key === "recursive" ? { pointer: null } : null;
    assert.equal((await issues(schema, { [key]: bad })).length, 1, key);
  }
});

test("draft 4: exclusive limits are flags, ids are called id", async () => {
  const schema = {
    $schema: "http://json-schema.org/draft-04/schema#",
    id: "http://example.com/s",
    properties: {
      a: { type: "number", minimum: 1, exclusiveMinimum: true },
      b: { $ref: "http://example.com/s#/definitions/b", type: "number" },
    },
    definitions: { b: { type: "string" } },
  };
  await accepts(schema, { a: 2, b: "beside a reference nothing counts" });
  assert.deepEqual(await issues(schema, { a: 1 }), ["a: expected more than 1, got 1"]);
  await accepts({ properties: { id: { type: "string" } }, id: 5 }, { id: "x" });
});

test("unknown keywords and formats are tolerated, null keywords are not there", async () => {
  const schema = {
    type: "object",
    "x-order": 3,
    deprecated: true,
    enum: null,
    required: null,
    properties: { a: { format: "acme", nullable: true, discriminator: { id: 5 } } },
  };
  await accepts(schema, { a: "x" });
});

test("a text that is too long is not matched, however costly the pattern", async () => {
  const costly = { maxLength: 8, pattern: "^(a+)+$", format: "email" };
  assert.deepEqual(await issues({ ...costly, type: "string" }, `${"a".repeat(60)}!`), [
    ": expected at most 8 characters, got 61",
  ]);
  assert.deepEqual(await issues(costly, "b"), [
    ": must match the pattern ^(a+)+$",
    ": expected a string of the format email",
  ]);
  await accepts({ maxLength: 8, pattern: "^(a+)+$", allOf: [{ minLength: 2 }] }, "aa", 5);
  assert.deepEqual(await issues({ maxLength: 8, pattern: "^a", allOf: [{ minLength: 2 }] }, "b"), [
    ": expected at least 2 characters, got 1",
    ": must match the pattern ^a",
  ]);
  assert.deepEqual(await issues({ propertyNames: { maxLength: 2, pattern: "^a" } }, { b: 1 }), [
    "b: a property of this name is not allowed",
  ]);
});

test("patterns of laxer engines keep their meaning", async () => {
  const patterns = {
    lax: "^[\\w-.]+\\@\\_\\-$",
    brace: "^\\d{2}}$",
    open: "^a{,3}$",
    anchors: "\\Aab\\z",
    strict: "^\\p{L}[^\\]-]$",
  };
  const schema = {
    properties: Object.fromEntries(Object.entries(patterns).map(([key, pattern]) => [key, { pattern }])),
  };
  await accepts(schema, { lax: "a-b.c@_-", brace: "12}", open: "a{,3}", anchors: "ab", strict: "éx" });
  for (const [key, value] of Object.entries({ lax: "!@_-", brace: "12", open: "aaa", anchors: "xab", strict: "é]" })) {
    assert.equal((await issues(schema, { [key]: value })).length, 1, key);
  }
});

for (const [what, schema, why] of [
  ["a reference to itself", { $ref: "#" }, /references that end, got one that leads back to itself/],
  [
    "a loop of references",
    { allOf: [{ $ref: "#/$defs/a" }], $defs: { a: { anyOf: [{ $ref: "#" }] } } },
    /leads back to itself/,
  ],
  [
    "a remote reference",
    { properties: { a: { $ref: "https://example.com/x.json" } } },
    /at `#\/properties\/a\/\$ref`: .*got https:\/\/example.com\/x.json: references are not fetched/,
  ],
  ["a dangling reference", { $ref: "#/$defs/constructor", $defs: {} }, /references are not fetched/],
  ["a reference to no schema", { $ref: "#/$defs/a", $defs: { a: 5 } }, /expected a schema or boolean, got number/],
  [
    "a broken pattern",
    { properties: { a: { pattern: "(" } } },
    /at `#\/properties\/a\/pattern`: expected a regular expression, got "\("/,
  ],
  ["a broken property pattern", { patternProperties: { "[": true } }, /expected a regular expression/],
  [
    "a type nobody knows",
    { properties: { a: { type: "any" } } },
    /at `#\/properties\/a\/type`: expected the name of a JSON type/,
  ],
  [
    "required as a flag",
    { properties: { a: { required: true } } },
    /at `#\/properties\/a\/required`: expected a list of names, got true/,
  ],
  ["properties as a list", { properties: [] }, /at `#\/properties`: expected an object, got array/],
  ["anyOf as an object", { anyOf: {} }, /expected a list of schemas, got object/],
  ["a limit that is no number", { maximum: "5" }, /expected a number, got "5"/],
  ["a count below 0", { minItems: -1 }, /expected a whole number from 0, got -1/],
  ["no schema at all", 5, /expected a schema or boolean, got number/],
] as const) {
  test(`${what} makes every value refused, and says why to the log`, () => refusesAll(schema, why));
}

test("hostile schemas end: deep, doubling, long chains", async () => {
  let deep: unknown = {};
  for (let level = 0; level < 100_000; level++) deep = { properties: { a: deep } };
  await refusesAll(deep, /expected at most 200 levels/);
  const double: Record<string, unknown> = { a40: {} };
  for (let level = 0; level < 40; level++)
    double[`a${level}`] = { allOf: [{ $ref: `#/$defs/a${level + 1}` }, { $ref: `#/$defs/a${level + 1}` }] };
  await refusesAll({ $ref: "#/$defs/a0", $defs: double }, /at most 10000 steps for one value/);
  const shared: unknown[] = [{}];
  for (let level = 0; level < 150; level++) shared.push({ properties: { a: shared.at(-1), b: shared.at(-1) } });
  await accepts(shared.at(-1), { a: { b: {} } });
  const chain: Record<string, unknown> = { a5000: { type: "string" } };
  for (let level = 0; level < 5_000; level++)
    chain[`a${level}`] = { properties: { x: { $ref: `#/$defs/a${level + 1}` } } };
  await accepts({ $ref: "#/$defs/a0", $defs: chain }, { x: { x: {} } });
});

test("keys of Object.prototype are keys like others", async () => {
  const schema = JSON.parse(
    '{"properties":{"__proto__":{"type":"string"},"constructor":{"type":"number"}},"required":["constructor"],"additionalProperties":false}',
  );
  assert.deepEqual(await issues(schema, {}), ["constructor: required"]);
  assert.deepEqual(await issues(schema, JSON.parse('{"__proto__":1,"constructor":1}')), [
    "__proto__: expected string, got number",
  ]);
  assert.deepEqual(await issues(schema, { constructor: 1, toString: 1 }), ["toString: unknown property"]);
  await accepts({ required: [] }, JSON.parse('{"__proto__":{"admin":true}}'));
  assert.equal(({} as { admin?: boolean }).admin, undefined);
});

test("the schema is left as it is, frozen or not", async () => {
  const schema = Object.freeze({
    $id: "https://example.com/x",
    properties: Object.freeze({ a: { $ref: "#/$defs/a" } }),
    $defs: { a: { type: "string" } },
  });
  await accepts(schema, { a: "" });
  assert.deepEqual(Reflect.ownKeys(schema.$defs.a), ["type"]);
});

test("values of programs count by their JSON form", async () => {
  const schema = { type: "object", properties: { a: { type: "string" } }, required: ["a"] };
  const result = await jsonSchemaValidator(schema)({ a: "x", b: undefined, at: new Date(0) });
  assert.ok(result.ok);
  assert.deepEqual(await issues(schema, { a: undefined }), ["a: required"]);
  assert.deepEqual(await jsonSchemaValidator({ properties: { n: { type: "string" } } })({ n: 5n }), {
    ok: true,
    value: { n: "5" },
  });
});

test("a hundred thousand wrong items are refused in reasonable time", async () => {
  const wrong = Array.from({ length: 100_000 }, () => "x");
  const start = performance.now();
  assert.equal((await issues({ items: { type: "number" } }, wrong)).length > 0, true);
  assert.ok(performance.now() - start < 3_000);
});
