// Alternatives as one object: APIs refuse `anyOf`, `oneOf` and `allOf` at the root of a tool's schema.
// Every field of every alternative is offered; required is what all of them require. Which fields go together is only
// in the original, which arguments are validated against.

import type { JsonSchema } from "../../core/schema.ts";
import { isRecord } from "../../std/is-record.ts";
import type { NoteLoss } from "./schema-parts.ts";
import { recordsOf, requiredOf, resolved } from "./schema-parts.ts";

/** The same schema where its root is a plain object. */
export function asOneObject(schema: JsonSchema, noteLoss: NoteLoss): JsonSchema {
  const root = resolved(schema, schema);
  const odd = rootOnly.filter((key) => root[key] !== undefined);
  if (odd.length === 0) return root;
  const { properties, required } = fieldsOf(schema, root, 0);
  const rest = Object.fromEntries(Object.entries(root).filter(([key]) => !rootOnly.includes(key)));
  const names = odd.map((key) => `\`${key}\``).join(", ");
  noteLoss("", `${names} at the root: all fields are offered as those of one object`);
  return {
    ...rest,
    type: "object",
    properties: Object.fromEntries([...properties].map(([name, schemas]) => [name, oneOfThem(schemas)])),
    ...(required.size > 0 && { required: [...required] }),
  };
}

const rootOnly: readonly string[] = ["anyOf", "oneOf", "allOf", "not", "enum", "const", "if", "then", "else"];

interface Fields {
  readonly properties: Map<string, unknown[]>;
  readonly required: Set<string>;
}

function fieldsOf(root: JsonSchema, schema: JsonSchema, depth: number): Fields {
  const own: Fields = { properties: new Map(), required: new Set(requiredOf(schema)) };
  if (isRecord(schema.properties)) {
    for (const [name, property] of Object.entries(schema.properties)) own.properties.set(name, [property]);
  }
  if (depth >= deepest) return own;
  const below = (part: JsonSchema): Fields => fieldsOf(root, resolved(root, part), depth + 1);
  for (const part of recordsOf(schema.allOf)) {
    const fields = below(part);
    addProperties(own, fields);
    for (const name of fields.required) own.required.add(name);
  }
  for (const choice of [schema.anyOf, schema.oneOf]) {
    const alternatives = recordsOf(choice).map(below);
    for (const fields of alternatives) addProperties(own, fields);
    for (const name of alternatives[0]?.required ?? []) {
      if (alternatives.every(({ required }) => required.has(name))) own.required.add(name);
    }
  }
  return own;
}

const deepest = 6;

function addProperties(to: Fields, from: Fields): void {
  for (const [name, schemas] of from.properties)
    to.properties.set(name, [...(to.properties.get(name) ?? []), ...schemas]);
}

/** One schema for a field that several alternatives have; the literals that tell them apart become one choice. */
function oneOfThem(schemas: readonly unknown[]): unknown {
  const different = [...new Map(schemas.map((schema) => [JSON.stringify(schema), schema])).values()];
  if (different.length === 1) return different[0];
  const literals = different.map(literalsOf);
  const values = literals.flatMap((found) => found ?? []);
  if (literals.includes(undefined) || new Set(values.map((value) => typeof value)).size !== 1)
    return { anyOf: different };
  return { type: typeof values[0], enum: [...new Set(values)] };
}

function literalsOf(schema: unknown): (string | number | boolean)[] | undefined {
  if (!isRecord(schema)) return undefined;
  const values = schema.const === undefined ? schema.enum : [schema.const];
  const isPlain = (value: unknown): boolean => ["string", "number", "boolean"].includes(typeof value);
  return Array.isArray(values) && values.every(isPlain) ? values : undefined;
}
