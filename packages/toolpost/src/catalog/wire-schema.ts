// The one place where a tool's JSON Schema becomes what a provider takes.
// It must not change what is validated: arguments are always checked against the original.

import type { Dialect } from "../core/catalog.ts";
import type { JsonSchema } from "../core/schema.ts";

/** The input schema as the dialect has it. Does not change `schema`. */
export function toWireSchema(schema: JsonSchema, _dialect: Dialect): JsonSchema {
  // It tells a model nothing, and some providers refuse it.
  const { $schema: _, ...shown } = schema;
  return shown;
}
