// Validates values against raw JSON Schema (drafts 4, 7, 2019-09, 2020-12), as sources and documents bring it.
// The validator is loaded at the first validation: most processes never need it.
// A value that came while it could not be loaded is refused.

import type { JsonSchema, Validate, Validation } from "../core/schema.ts";
import type { Check } from "./json-schema/make-check.ts";
import { prepareSchema } from "./json-schema/prepare-schema.ts";
import { unvalidated } from "./schema-issues.ts";

/**
 * A validator of the schema, prepared at its first call. In a process the first call of all answers with a promise,
 * while the library loads; later ones answer at once. Every value of a schema that cannot be followed is refused.
 */
export function jsonSchemaValidator(schema: JsonSchema): Validate {
  let check: Check | undefined;
  const validate = ({ makeCheck }: Checks, value: unknown): Validation => {
    check ??= makeCheck(schema);
    return check(value);
  };
  return (value) =>
    loaded === undefined ? load().then((checks) => validate(checks, value), unvalidated) : validate(loaded, value);
}

/** Throws `ToolpostError` (`tool.schema-unusable`) for a schema whose every value would be refused. */
export function checkJsonSchema(schema: unknown): void {
  prepareSchema(schema);
}

type Checks = typeof import("./json-schema/make-check.ts");

let loaded: Checks | undefined;

async function load(): Promise<Checks> {
  loaded ??= await import("./json-schema/make-check.ts");
  return loaded;
}
