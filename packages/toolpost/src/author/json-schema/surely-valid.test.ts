// The quick yes against the library's word: never another answer, and for what is plain and JSON never a missing one.

import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { checkValue } from "./check-value.ts";
import { prepareSchema } from "./prepare-schema.ts";
import { isPlainSchema, isSurelyValid } from "./surely-valid.ts";

const scalar = fc.constantFrom(null, true, false, 0, 1, 2, 2.5, -1, "", "a", "ab", "😀", "\ud800");
const name = fc.constantFrom("a", "b", "toString", "constructor", "__proto__");
const type = fc.constantFrom("array", "boolean", "integer", "null", "number", "object", "string");
const limit = fc.constantFrom(0, 1, 2);
const optional = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { nil: undefined, freq: 1 });

/** A field named `__proto__` as JSON has it. */
const record = <T>(values: fc.Arbitrary<T>): fc.Arbitrary<object> =>
  fc
    .array(fc.tuple(name, values), { maxLength: 3 })
    .map((entries) => JSON.parse(`{${entries.map(([key, value]) => `"${key}":${JSON.stringify(value)}`).join()}}`));

const { schema } = fc.letrec<{ schema: unknown }>((tie) => ({
  schema: fc.oneof(
    { maxDepth: 3, withCrossShrink: true },
    fc.boolean(),
    fc.record(
      {
        type: fc.oneof(type, fc.array(type, { minLength: 1, maxLength: 2 })),
        const: scalar,
        enum: fc.array(scalar, { maxLength: 3 }),
        ...{ minimum: limit, maximum: limit, exclusiveMinimum: limit, exclusiveMaximum: limit },
        ...{ minLength: limit, maxLength: limit, minItems: limit, maxItems: limit },
        required: fc.array(name, { maxLength: 1 }),
        properties: record(tie("schema")),
        additionalProperties: tie("schema"),
        items: tie("schema"),
        title: fc.constant("A title"),
      },
      { requiredKeys: [] },
    ),
  ),
}));

const value = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 3, withCrossShrink: true },
    scalar,
    fc.array(tie("value"), { maxLength: 3 }),
    record(tie("value")),
  ),
})).value;

test("of plain schemas and JSON it says what the library says", () => {
  fc.assert(
    fc.property(
      schema,
      value,
      optional(fc.constantFrom("http://json-schema.org/draft-07/schema#")),
      (any, json, draft) => {
        const whole = typeof any === "object" && any !== null && draft !== undefined ? { ...any, $schema: draft } : any;
        const prepared = prepareSchema(whole);
        assert.ok(isPlainSchema(prepared));
        assert.equal(isSurelyValid(prepared.root, json), checkValue(prepared, json).ok);
      },
    ),
    { numRuns: 2_000 },
  );
});

for (const [what, beyond] of Object.entries({
  "a reference": { properties: { a: { $ref: "#/$defs/a" } }, $defs: { a: {} } },
  "a format": { type: "string", format: "email" },
  "a pattern": { properties: { a: { pattern: "^a" } } },
  alternatives: { items: { anyOf: [{ type: "string" }] } },
  "a list of items": { items: [{ type: "string" }] },
  "a constant that is no scalar": { const: {} },
  "a choice that is no scalar": { additionalProperties: { enum: [1, []] } },
  "a multiple": { multipleOf: 2 },
  "unique items": { uniqueItems: true },
  "what holds where another does not": { not: { type: "string" } },
})) {
  test(`${what} is beyond it`, () => assert.equal(isPlainSchema(prepareSchema(beyond)), false));
}

for (const [what, odd] of Object.entries({
  "a field that is not there": { a: undefined },
  "no number": { a: Number.NaN },
  "a bigint": { a: 1n },
  "a function": { a: () => 1 },
  "a hole": { a: new Array(1) },
  "an object of a class": { a: new Date(0) },
})) {
  test(`of ${what} it says nothing, as JSON has not that`, () => {
    const { root } = prepareSchema({ properties: { a: { items: {} } } });
    assert.equal(isSurelyValid(root, odd), false);
  });
}

test("a schema that lies within itself is followed as deep as the value goes", () => {
  const node: Record<string, unknown> = { type: "object" };
  node.properties = { next: node };
  const prepared = prepareSchema(node);
  assert.ok(isPlainSchema(prepared));
  assert.ok(isSurelyValid(prepared.root, { next: { next: {} } }));
  assert.ok(!isSurelyValid(prepared.root, { next: { next: 1 } }));
});

test("a field that every object inherits is not there until it is written", () => {
  const { root } = prepareSchema({ required: ["toString"], additionalProperties: { type: "string" } });
  assert.ok(!isSurelyValid(root, {}));
  assert.ok(isSurelyValid(root, { toString: "a" }));
  assert.ok(
    !isSurelyValid(prepareSchema({ properties: { toString: { type: "string" } }, additionalProperties: false }).root, {
      constructor: 1,
    }),
  );
});
