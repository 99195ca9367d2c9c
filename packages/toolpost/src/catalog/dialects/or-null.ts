// Whether a schema takes `null`, and the same schema taking it too.
// It must not say no where nothing is said: a schema without a word takes anything.

import type { JsonSchema } from "../../core/schema.ts";
import { isRecord } from "../../std/is-record.ts";
import { recordsOf, resolved, typesOf } from "./schema-parts.ts";

export function acceptsNull(root: JsonSchema, schema: unknown): boolean {
  return takesNull(root, schema, 0);
}

function takesNull(root: JsonSchema, schema: unknown, depth: number): boolean {
  if (schema === true) return true;
  if (!isRecord(schema) || depth > deepest) return false;
  const found = resolved(root, schema);
  if (found.const !== undefined) return found.const === null;
  if (Array.isArray(found.enum)) return found.enum.includes(null);
  const types = typesOf(found);
  if (types.length > 0) return types.includes("null");
  const choices = [...recordsOf(found.anyOf), ...recordsOf(found.oneOf)];
  if (choices.length > 0) return choices.some((choice) => takesNull(root, choice, depth + 1));
  // Without any of these words everything fits.
  return found.properties === undefined && found.allOf === undefined && found.items === undefined;
}

const deepest = 6;

/** In the shortest form; what is said about the value stands outside of the choice. */
export function orNull(schema: JsonSchema): JsonSchema {
  const { description, ...rest } = schema;
  const said = description === undefined ? {} : { description };
  if (Array.isArray(rest.anyOf) && Object.keys(rest).length === 1) {
    return { ...said, anyOf: [...rest.anyOf, { type: "null" }] };
  }
  const types = typesOf(rest);
  if (types.length === 0 || rest.const !== undefined) return { ...said, anyOf: [rest, { type: "null" }] };
  const values = Array.isArray(rest.enum) ? { enum: [...rest.enum, null] } : {};
  return { ...schema, type: [...types, "null"], ...values };
}
