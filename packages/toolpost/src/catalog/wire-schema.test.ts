// What each dialect makes of schemas that providers refuse, and what it says about that.
import assert from "node:assert/strict";
import { test } from "node:test";
import type { JsonSchema } from "../core/schema.ts";
import type { WireSchema } from "./wire-schema.ts";
import { toWireSchema } from "./wire-schema.ts";

function object(properties: JsonSchema, ...required: string[]): JsonSchema {
  return { type: "object", properties, ...(required.length > 0 && { required }) };
}

function fieldOf({ schema }: WireSchema, name: string): unknown {
  return (schema.properties as JsonSchema)[name];
}

function gemini(property: JsonSchema): { field: unknown; losses: string[] } {
  const wire = toWireSchema(object({ x: property }, "x"), "gemini");
  return { field: fieldOf(wire, "x"), losses: wire.losses.map(({ path, what }) => `${path}: ${what}`) };
}

test("without a dialect a schema goes as it is, but for $schema", () => {
  const schema = { $schema: "x", ...object({ a: { const: 1 } }), anyOf: [{ required: ["a"] }] };
  const { $schema: _, ...shown } = schema;
  assert.deepEqual(toWireSchema(schema, "json-schema"), { schema: shown, strict: undefined, losses: [] });
});

test("no dialect changes the schema that arguments are validated against", () => {
  const schema = object({ a: { type: ["string", "null"] }, b: { enum: [1, 2] } }, "a");
  const before = structuredClone(schema);
  for (const dialect of ["openai", "anthropic", "gemini"] as const) toWireSchema(schema, dialect, true);
  assert.deepEqual(schema, before);
});

test("alternatives at the root become one object with every field; required is what all require", () => {
  const schema = {
    type: "object",
    oneOf: [
      object({ kind: { const: "a" }, x: { type: "string" } }, "kind", "x"),
      object({ kind: { const: "b" }, x: { type: "number" } }, "kind"),
    ],
  };
  for (const dialect of ["openai", "anthropic", "gemini"] as const) {
    const wire = toWireSchema(schema, dialect);
    assert.deepEqual(wire.schema, {
      type: "object",
      properties: {
        kind: { type: "string", enum: ["a", "b"] },
        x: { anyOf: [{ type: "string" }, { type: "number" }] },
      },
      required: ["kind"],
    });
    assert.deepEqual(wire.losses, [
      { path: "", what: "`oneOf` at the root: all fields are offered as those of one object" },
    ]);
  }
});

test("parts at the root that all must fit are one object that requires what any requires", () => {
  const schema = {
    type: "object",
    allOf: [object({ a: { type: "string" } }, "a"), { $ref: "#/$defs/b" }],
    $defs: { b: object({ b: {} }, "b") },
  };
  const { schema: wire } = toWireSchema(schema, "anthropic");
  assert.deepEqual(
    [Object.keys(wire.properties as object), wire.required],
    [
      ["a", "b"],
      ["a", "b"],
    ],
  );
});

test("openai, strict: every field is required, and null where it may be left out", () => {
  const schema = object(
    {
      id: { type: "string" },
      q: { type: "string", description: "the query" },
      kind: { type: "string", enum: ["a", "b"] },
      always: { const: 1 },
      ref: { $ref: "#/$defs/n" },
      nullable: { type: ["string", "null"] },
      nested: object({ deep: { type: "number" } }),
    },
    "id",
  );
  const wire = toWireSchema({ ...schema, $defs: { n: { type: "number" } } }, "openai", true);
  assert.equal(wire.strict, true);
  assert.deepEqual(wire.schema, {
    type: "object",
    properties: {
      id: { type: "string" },
      q: { type: ["string", "null"], description: "the query" },
      kind: { type: ["string", "null"], enum: ["a", "b", null] },
      always: { anyOf: [{ const: 1 }, { type: "null" }] },
      ref: { anyOf: [{ $ref: "#/$defs/n" }, { type: "null" }] },
      nullable: { type: ["string", "null"] },
      nested: {
        type: ["object", "null"],
        properties: { deep: { type: ["number", "null"] } },
        required: ["deep"],
        additionalProperties: false,
      },
    },
    required: ["id", "q", "kind", "always", "ref", "nullable", "nested"],
    additionalProperties: false,
    $defs: { n: { type: "number" } },
  });
});

test("openai, strict: a schema that contains itself keeps its references", () => {
  const node = object({ children: { type: "array", items: { $ref: "#" } } }, "children");
  assert.deepEqual(toWireSchema(node, "openai", true).schema, { ...node, additionalProperties: false });
});

test("what has no strict form makes a plain tool, with the place and the reason", () => {
  const cases: [JsonSchema, string, string][] = [
    [{ type: "object", additionalProperties: { type: "string" } }, "a", "`strict` is off: it takes any key there"],
    [{}, "a", "`strict` is off: any value is taken there"],
    [{ type: "array" }, "a[]", "`strict` is off: any value is taken there"],
    [{ type: "array", prefixItems: [{ type: "string" }] }, "a", "`strict` is off: it is a tuple"],
    [{ $ref: "#/nowhere" }, "a", "`strict` is off: `#/nowhere` leads nowhere"],
  ];
  for (const [property, path, what] of cases) {
    const schema = object({ a: property });
    assert.deepEqual(toWireSchema(schema, "openai", true), { schema, strict: false, losses: [{ path, what }] });
  }
  const node = object({ children: { type: "array", items: { $ref: "#" } } });
  assert.deepEqual(toWireSchema(node, "anthropic", true).losses, [
    { path: "children[]", what: "`strict` is off: it contains itself" },
  ]);
});

test("strict: words that are not taken are left out and told, per provider", () => {
  const schema = object(
    { a: { type: "string", minLength: 1, format: "iri", default: "x" }, n: { type: "number", minimum: 1 } },
    "a",
    "n",
  );
  const openai = toWireSchema(schema, "openai", true);
  assert.deepEqual(fieldOf(openai, "a"), { type: "string" });
  assert.deepEqual(fieldOf(openai, "n"), { type: "number", minimum: 1 });
  assert.deepEqual(openai.losses, [
    { path: "a", what: "`minLength` is not sent" },
    { path: "a", what: "`format: iri` is not sent" },
  ]);
  const anthropic = toWireSchema(schema, "anthropic", true);
  assert.deepEqual([fieldOf(anthropic, "n"), anthropic.schema.additionalProperties], [{ type: "number" }, false]);
});

test("gemini: several types, null among them, are alternatives with nothing beside them", () => {
  assert.deepEqual(gemini({ type: ["string", "null"], description: "d", minLength: 2 }), {
    field: { anyOf: [{ type: "string", minLength: 2, description: "d" }, { type: "null" }] },
    losses: [],
  });
  assert.deepEqual(
    gemini({ anyOf: [{ type: "string" }, { type: "number", description: "own" }], description: "d" }).field,
    {
      anyOf: [
        { type: "string", description: "d" },
        { type: "number", description: "own" },
      ],
    },
  );
});

test("gemini: literals that are no texts are told in the description, so that numbers come back as numbers", () => {
  const told = ["x: literals that are no texts are told in the description only"];
  assert.deepEqual(gemini({ type: "integer", enum: [1, 2] }), {
    field: { type: "integer", description: "one of 1, 2" },
    losses: told,
  });
  assert.deepEqual(gemini({ const: 5 }), { field: { type: "number", description: "always 5" }, losses: told });
  assert.deepEqual(gemini({ const: "a" }), { field: { type: "string", enum: ["a"] }, losses: [] });
  assert.deepEqual(gemini({ enum: ["a", null] }), {
    field: { anyOf: [{ type: "string", enum: ["a"] }, { type: "null" }] },
    losses: [],
  });
  assert.deepEqual(gemini({ type: "string", enum: ["", "a"] }).field, {
    type: "string",
    enum: ["a"],
    description: "may be empty",
  });
});

test("gemini: additionalProperties, formats, bounds and tuples go into words or nearest forms, each loss told", () => {
  const cases: [JsonSchema, unknown, string[]][] = [
    [
      { type: "object", properties: { a: { type: "string" } }, additionalProperties: false },
      { type: "object", properties: { a: { type: "string" } } },
      ["x: `additionalProperties` is not sent"],
    ],
    [
      { type: "object", additionalProperties: { type: "number" } },
      { type: "object", description: 'any keys, each with a value like {"type":"number"}' },
      ["x: `additionalProperties` is not sent"],
    ],
    [
      { type: "string", format: "email" },
      { type: "string", description: "format: email" },
      ["x: `format: email` is told in the description only"],
    ],
    [{ type: "string", format: "date-time" }, { type: "string", format: "date-time" }, []],
    [{ type: "integer", exclusiveMinimum: 0 }, { type: "integer", minimum: 1 }, []],
    [
      { type: "number", exclusiveMinimum: 0 },
      { type: "number", description: "greater than 0" },
      ["x: `exclusiveMinimum` is told in the description only"],
    ],
    [{ type: "string", not: { const: "a" } }, { type: "string" }, ["x: `not` is not sent"]],
    [
      { type: "array", prefixItems: [{ type: "string" }, { type: "number" }] },
      {
        type: "array",
        items: { anyOf: [{ type: "string" }, { type: "number" }] },
        minItems: 2,
        maxItems: 2,
        description: 'in this order: {"type":"string"}, {"type":"number"}',
      },
      ["x: the order in a tuple is told in the description only"],
    ],
    [
      { allOf: [object({ a: { type: "string" } }, "a"), object({ b: { type: "string" } })] },
      object({ a: { type: "string" }, b: { type: "string" } }, "a"),
      ["x: `allOf` is sent as one schema"],
    ],
  ];
  for (const [property, field, losses] of cases) assert.deepEqual(gemini(property), { field, losses });
});

test("gemini: a value of any kind is offered as alternatives, never as {}", () => {
  const kinds = ["string", "number", "boolean", "object"].map((type) => ({ type }));
  for (const anything of [{}, true] as JsonSchema[]) assert.deepEqual(gemini(anything).field, { anyOf: kinds });
  assert.deepEqual((gemini({ type: "array" }).field as JsonSchema).items, { anyOf: kinds });
});

test("gemini: references are written out; a schema that contains itself to a depth, and then an object", () => {
  assert.deepEqual(gemini({ $ref: "#/properties/x" }).losses, [
    "x: the schema contains itself: it is written out to a depth and then an object of any kind",
  ]);
  const node = object({ name: { type: "string" }, children: { type: "array", items: { $ref: "#" } } }, "name");
  const text = JSON.stringify(toWireSchema(node, "gemini").schema);
  assert.equal(text.split('"name":{').length - 1, 2);
  assert.equal(text.includes("$ref"), false);
  assert.equal(text.includes("{}"), false);
});

test("gemini: definitions that all lead to all others stay within bounds", () => {
  const names = Array.from({ length: 12 }, (_, index) => `d${index}`);
  const all = Object.fromEntries(names.map((name) => [name, { $ref: `#/$defs/${name}` }]));
  const schema = { ...object(all), $defs: Object.fromEntries(names.map((name) => [name, object(all)])) };
  assert.ok(JSON.stringify(toWireSchema(schema, "gemini").schema).length < 2_000_000);
});

test("openai: rules for names of keys and patterns that look around are taken out at every depth and told", () => {
  const names = { type: "string", maxLength: 3 };
  const inner = { type: "string", pattern: "^(?!x)" };
  const schema = {
    ...object({
      sizes: { type: "object", propertyNames: { type: "string" }, additionalProperties: { type: "number" } },
      short: { type: "object", propertyNames: names, additionalProperties: inner },
      list: { type: "array", items: { anyOf: [inner, { type: "string", pattern: "^x$" }] } },
      pattern: { type: "string" },
    }),
    $defs: { Word: inner },
  };
  const text = { type: "string" };
  for (const strict of [undefined, false]) {
    const wire = toWireSchema(schema, "openai", strict);
    assert.deepEqual(wire.schema, {
      ...object({
        sizes: { type: "object", additionalProperties: { type: "number" } },
        short: { type: "object", additionalProperties: text },
        list: { type: "array", items: { anyOf: [text, { type: "string", pattern: "^x$" }] } },
        pattern: text,
      }),
      $defs: { Word: text },
    });
    assert.deepEqual(
      wire.losses.map(({ path, what }) => `${path}: ${what}`),
      [
        "short: `propertyNames` is not sent",
        "short: a `pattern` that looks around is not sent",
        "list[]: a `pattern` that looks around is not sent",
        "Word: a `pattern` that looks around is not sent",
      ],
    );
  }
  const { losses } = toWireSchema(object({ word: inner }, "word"), "openai", true);
  assert.deepEqual(losses, [{ path: "word", what: "a `pattern` that looks around is not sent" }]);
  assert.deepEqual(toWireSchema(object({ word: inner }), "anthropic").losses, []);
});
