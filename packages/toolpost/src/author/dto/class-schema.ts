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
  const { options, shown } = field;
  return {
    ...(field.isNullable ? orNull(schema) : schema),
    ...(options.prompt !== undefined && { description: options.prompt }),
    ...(shown !== undefined && { default: shown }),
  };
}

function orNull(schema: JsonSchema): JsonSchema {
  const { description, ...rest } = schema;
  if (typeof rest.type !== "string")
    return { anyOf: [rest, { type: "null" }], ...(description !== undefined && { description }) };
  return { ...schema, type: [rest.type, "null"], ...(Array.isArray(rest.enum) && { enum: [...rest.enum, null] }) };
}
