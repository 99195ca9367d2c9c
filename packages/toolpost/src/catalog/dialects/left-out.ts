// Takes back what a strict schema made a model write: `null` in place of a field that it left out.
// It must not touch a `null` that the tool's own schema takes, and changes nothing but fields that may be absent.

import type { JsonSchema } from "../../core/schema.ts";
import { isRecord } from "../../std/is-record.ts";
import type { Json } from "../../std/json.ts";
import { acceptsNull } from "./or-null.ts";
import { recordsOf, requiredOf, resolved } from "./schema-parts.ts";

/** The arguments as the tool's own schema has them; the same value where there is nothing to take back. */
export function withoutNulls(root: JsonSchema, value: Json): Json {
  return visit(root, root, value);
}

function visit(root: JsonSchema, schema: unknown, value: Json): Json {
  if (!isRecord(schema) || typeof value !== "object" || value === null) return value;
  const found = alternativeFor(root, resolved(root, schema), value);
  if (Array.isArray(value)) {
    const items = value.map((item) => visit(root, found.items, item));
    return items.every((item, index) => item === value[index]) ? value : items;
  }
  const properties = isRecord(found.properties) ? found.properties : {};
  const required = new Set(requiredOf(found));
  let isChanged = false;
  const entries: [string, Json][] = [];
  for (const [name, field] of Object.entries(value)) {
    const property = Object.hasOwn(properties, name) ? properties[name] : undefined;
    if (field === null && property !== undefined && !required.has(name) && !acceptsNull(root, property))
      isChanged = true;
    else {
      const visited = visit(root, property, field as Json);
      if (visited !== field) isChanged = true;
      entries.push([name, visited]);
    }
  }
  return isChanged ? Object.fromEntries(entries) : value;
}

/** The alternative that a value was written for, told by its literals; with the fields that all of them share. */
function alternativeFor(root: JsonSchema, schema: JsonSchema, value: object): JsonSchema {
  const choices = [...recordsOf(schema.anyOf), ...recordsOf(schema.oneOf)].map((choice) => resolved(root, choice));
  const parts = recordsOf(schema.allOf).map((part) => resolved(root, part));
  const chosen = choices.find((choice) => isFor(choice, value));
  const merged = [...parts, ...(chosen === undefined ? [] : [chosen])];
  if (merged.length === 0) return schema;
  return {
    ...schema,
    items: schema.items ?? merged.find((part) => part.items !== undefined)?.items,
    properties: Object.assign({}, ...[...merged, schema].map((part) => part.properties)),
    required: [...requiredOf(schema), ...merged.flatMap(requiredOf)],
  };
}

function isFor(choice: JsonSchema, value: object): boolean {
  if (Array.isArray(value)) return choice.items !== undefined;
  if (!isRecord(choice.properties)) return false;
  const { properties } = choice;
  if (!Object.keys(value).every((name) => Object.hasOwn(properties, name) || value[name as never] === null))
    return false;
  return Object.entries(properties).every(([name, property]) => {
    if (!isRecord(property) || !Object.hasOwn(value, name)) return true;
    const literals = property.const === undefined ? property.enum : [property.const];
    return !Array.isArray(literals) || literals.includes(value[name as never]) || value[name as never] === null;
  });
}
