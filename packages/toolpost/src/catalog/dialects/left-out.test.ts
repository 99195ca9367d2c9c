import assert from "node:assert/strict";
import { test } from "node:test";
import type { JsonSchema } from "../../core/schema.ts";
import type { Json } from "../../std/json.ts";
import { withoutNulls } from "./left-out.ts";

const line = { type: "object", properties: { sku: { type: "string" }, note: { type: "string" } }, required: ["sku"] };
const schema: JsonSchema = {
  type: "object",
  properties: {
    q: { type: "string" },
    kept: { type: ["string", "null"] },
    id: { type: "string" },
    lines: { type: "array", items: { $ref: "#/$defs/line" } },
    by: {
      anyOf: [
        { type: "object", properties: { kind: { const: "a" }, x: { type: "string" } } },
        { type: "object", properties: { kind: { const: "b" }, x: { type: ["string", "null"] } } },
      ],
    },
  },
  required: ["id"],
  $defs: { line },
};

test("null for a field that may be left out is left out, also within lists and references", () => {
  const written: Json = { q: null, id: "i", lines: [{ sku: "s", note: null }] };
  assert.deepEqual(withoutNulls(schema, written), { id: "i", lines: [{ sku: "s" }] });
});

test("null that the schema takes, or that stands for a required field or an unknown one, stays", () => {
  const written: Json = { kept: null, id: null, other: null };
  assert.equal(withoutNulls(schema, written), written);
});

test("of alternatives the one counts that the value was written for", () => {
  assert.deepEqual(withoutNulls(schema, { by: { kind: "a", x: null } }), { by: { kind: "a" } });
  assert.deepEqual(withoutNulls(schema, { by: { kind: "b", x: null } }), { by: { kind: "b", x: null } });
});

test("a value that fits as it is, or is no object, is the same value", () => {
  const written: Json = { id: "i", lines: [{ sku: "s" }] };
  assert.equal(withoutNulls(schema, written), written);
  for (const value of [null, 5, "text", true]) assert.equal(withoutNulls(schema, value), value);
});
