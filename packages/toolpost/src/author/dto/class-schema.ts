// JSON Schema (draft 2020-12) of a planned class. Classes are written out where they are used; only those that recur
// are definitions that are referred to.
// The root must not be a reference, as providers refuse one.

import { sanitizeName } from "../../core/name.ts";
import type { JsonSchema } from "../../core/schema.ts";
import type { SchemaDirection } from "../library-json-schema.ts";
import type { ClassPlan, PlannedField, SchemaWriter } from "./field-type.ts";

export function classSchema(plan: ClassPlan, direction: SchemaDirection): JsonSchema {
  const names = new Map<ClassPlan, string>();
  const definitions: Record<string, JsonSchema> = {};
  const writer: SchemaWriter = {
    ofClass(held) {
      if (!held.recurs) return objectSchema(held, direction, writer);
      let name = names.get(held);
      if (name === undefined) {
        name = freeName(held, definitions);
        names.set(held, name);
        // Taken before it is written, as it refers to itself.
        definitions[name] = {};
        definitions[name] = objectSchema(held, direction, writer);
      }
      return { $ref: `#/$defs/${name}` };
    },
  };
  const root = objectSchema(plan, direction, writer);
  return Object.keys(definitions).length === 0 ? root : { ...root, $defs: definitions };
}

function freeName({ name }: ClassPlan, taken: object): string {
  const wish = sanitizeName(name);
  let free = wish;
  for (let count = 2; Object.hasOwn(taken, free); count++) free = `${wish}${count}`;
  return free;
}

function objectSchema({ fields }: ClassPlan, direction: SchemaDirection, writer: SchemaWriter): JsonSchema {
  const properties: Record<string, JsonSchema> = {};
  const required: string[] = [];
  for (const field of fields) {
    properties[field.key] = fieldSchema(field, writer);
    // A default is always there in what comes out.
    if (field.isRequired || (direction === "output" && field.initial !== undefined)) required.push(field.key);
  }
  return {
    type: "object",
    properties,
    ...(required.length > 0 && { required }),
    ...(direction === "output" && { additionalProperties: false }),
  };
}

function fieldSchema(field: PlannedField, writer: SchemaWriter): JsonSchema {
  const schema = field.schema(writer);
  const { prompt } = field.options;
  const shown = field.isSteady ? jsonOf(field.initial) : undefined;
  return {
    ...(field.isNullable ? orNull(schema) : schema),
    ...(prompt !== undefined && { description: prompt }),
    ...(shown !== undefined && { default: shown }),
  };
}

function orNull(schema: JsonSchema): JsonSchema {
  const { description, ...rest } = schema;
  if (typeof rest.type !== "string")
    return { anyOf: [rest, { type: "null" }], ...(description !== undefined && { description }) };
  return { ...schema, type: [rest.type, "null"], ...(Array.isArray(rest.enum) && { enum: [...rest.enum, null] }) };
}

/** The value if it is JSON, also inside instances; `undefined` if anything in it is not. */
function jsonOf(value: unknown): unknown {
  if (value === null || typeof value === "string" || typeof value === "boolean") return value;
  if (typeof value === "number") return Number.isFinite(value) ? value : undefined;
  if (typeof value !== "object" || value instanceof Date) return undefined;
  if (Array.isArray(value)) {
    const items = value.map(jsonOf);
    return items.includes(undefined) ? undefined : items;
  }
  const entries = Object.entries(value).filter(([, part]) => part !== undefined);
  const parts = entries.map(([key, part]) => [key, jsonOf(part)] as const);
  return parts.some(([, part]) => part === undefined) ? undefined : Object.fromEntries(parts);
}
