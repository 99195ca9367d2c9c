// The words in which messages speak of JSON values and of schemas that cannot be used.
// It must not judge: callers say what was expected.

import { ToolpostError } from "../../core/errors.ts";

/** The JSON type of a value; beyond JSON what `typeof` says. */
export function kindOf(value: unknown): string {
  if (value === null) return "null";
  return Array.isArray(value) ? "array" : typeof value;
}

/** @param place a JSON pointer into the schema, for example `#/properties/a/type` */
export function unusableSchema(place: string, expected: string): ToolpostError {
  const shown = place.length <= 100 ? place : `…${place.slice(-100)}`;
  return new ToolpostError("tool.schema-unusable", `the schema at \`${shown}\`: expected ${expected}`);
}
