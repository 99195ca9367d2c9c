// What OpenAI's APIs refuse in any schema, and leave to be checked afterwards: rules for the names of keys, and patterns
// that look around. Newer packages take them out by themselves, older ones send a request that fails.
// Source: "Supported schemas" of OpenAI's structured outputs.

import type { JsonSchema } from "../../core/schema.ts";
import { isRecord } from "../../std/is-record.ts";
import type { NoteLoss } from "./schema-parts.ts";
import { propertyPath } from "./schema-parts.ts";

/** The same schema without them; itself where it has none. */
export function toOpenAISchema(schema: JsonSchema, noteLoss: NoteLoss): JsonSchema {
  const text = JSON.stringify(schema);
  if (!text.includes('"propertyNames"') && !lookAround.test(text)) return schema;
  return rewrite(schema, "", noteLoss) as JsonSchema;
}

function rewrite(schema: unknown, path: string, noteLoss: NoteLoss): unknown {
  if (Array.isArray(schema)) return schema.map((part) => rewrite(part, path, noteLoss));
  if (!isRecord(schema)) return schema;
  const kept: Record<string, unknown> = {};
  for (const [key, value] of Object.entries(schema)) {
    if (key === "propertyNames") {
      if (!isAnyText(value)) noteLoss(path, "`propertyNames` is not sent");
    } else if (key === "pattern" && typeof value === "string" && lookAround.test(value))
      noteLoss(path, "a `pattern` that looks around is not sent");
    else if (named.has(key) && isRecord(value)) {
      const inside = (name: string): string => (key === "properties" ? propertyPath(path, name) : name);
      const entries = Object.entries(value).map(([name, part]) => [name, rewrite(part, inside(name), noteLoss)]);
      kept[key] = Object.fromEntries(entries);
    } else if (nested.has(key)) kept[key] = rewrite(value, key === "items" ? `${path}[]` : path, noteLoss);
    else kept[key] = value;
  }
  return kept;
}

/** Every name of a key is a text. */
function isAnyText(schema: unknown): boolean {
  return isRecord(schema) && schema.type === "string" && Object.keys(schema).length === 1;
}

const lookAround = /\(\?<?[=!]/;

/** Hold schemas by name. */
const named: ReadonlySet<string> = new Set(["properties", "patternProperties", "$defs", "definitions"]);

/** Hold a schema or a list of them. */
const nested: ReadonlySet<string> = new Set([
  "items",
  "prefixItems",
  "additionalProperties",
  "anyOf",
  "oneOf",
  "allOf",
  "not",
  "contains",
]);
