// Validates values against raw JSON Schema (drafts 4, 7, 2019-09, 2020-12), as sources and documents bring it.
// The validator is loaded at the first validation: most processes never need it.
// It must not fetch anything, nor change the schema, nor let a value through that it could not check.

import type { Schema as LibraryNode, OutputUnit } from "@cfworker/json-schema";
import type { JsonSchema, Validate, Validation } from "../core/schema.ts";
import { toJson } from "../std/json.ts";
import { explainErrors } from "./json-schema/explain-errors.ts";
import type { PreparedSchema } from "./json-schema/prepare-schema.ts";
import { prepareSchema } from "./json-schema/prepare-schema.ts";
import { unvalidated } from "./schema-issues.ts";
import { isTooDeep } from "./too-deep.ts";

/**
 * A validator of the schema, prepared at its first call. In a process the first call of all answers with a promise,
 * while the library loads; later ones answer at once. Every value of a schema that cannot be followed is refused.
 */
export function jsonSchemaValidator(schema: JsonSchema): Validate {
  let check: Check | undefined;
  const validate = (library: Library, value: unknown): Validation => {
    check ??= makeCheck(library, schema);
    return check(value);
  };
  return (value) =>
    loaded === undefined ? load().then((library) => validate(library, value), unvalidated) : validate(loaded, value);
}

/** Throws `ToolpostError` (`tool.schema-unusable`) for a schema whose every value would be refused. */
export function checkJsonSchema(schema: unknown): void {
  prepareSchema(schema);
}

type Library = typeof import("@cfworker/json-schema");
type Check = (value: unknown) => Validation;

let loaded: Library | undefined;

async function load(): Promise<Library> {
  loaded ??= await import("@cfworker/json-schema");
  return loaded;
}

function makeCheck(library: Library, schema: unknown): Check {
  let prepared: PreparedSchema;
  try {
    prepared = prepareSchema(schema);
  } catch (cause) {
    return () => unvalidated(cause);
  }
  return (value) => {
    try {
      return validateJson(library, prepared, value);
    } catch (cause) {
      // A value of a program may hold what JSON has not, `undefined` above all: its JSON form is what counts.
      return isTooDeep(cause) ? unvalidated(cause) : validateForm(library, prepared, value);
    }
  };
}

function validateForm(library: Library, prepared: PreparedSchema, value: unknown): Validation {
  try {
    return validateJson(library, prepared, toJson(value));
  } catch (cause) {
    return unvalidated(cause);
  }
}

function validateJson(library: Library, prepared: PreparedSchema, value: unknown): Validation {
  const errors = errorsOf(library, prepared, value, true);
  if (errors === undefined) return { ok: true, value };
  return {
    ok: false,
    issues: explainErrors(allErrors(library, prepared, value) ?? errors, { schema: prepared, value }),
  };
}

/** All of them, where their number allows it; `undefined` where not. */
function allErrors(library: Library, prepared: PreparedSchema, value: unknown): readonly OutputUnit[] | undefined {
  try {
    return errorsOf(library, prepared, value, false);
  } catch {
    return undefined;
  }
}

function errorsOf(
  library: Library,
  prepared: PreparedSchema,
  value: unknown,
  stopsAtFirst: boolean,
): readonly OutputUnit[] | undefined {
  const root = prepared.root as LibraryNode | boolean;
  const references = prepared.references as Record<string, LibraryNode | boolean>;
  const { valid, errors } = library.validate(value, root, prepared.draft, references, stopsAtFirst);
  return valid ? undefined : errors;
}
