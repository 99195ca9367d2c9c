// Validates values against raw JSON Schema (drafts 4, 7, 2019-09, 2020-12), as sources and documents bring it.
// The validator is loaded at the first validation: most processes never need it.
// It must not fetch anything, and not let a value through that it could not check.

import type { OutputUnit, Schema as CfSchema, SchemaDraft } from "@cfworker/json-schema";
import type { JsonSchema, SchemaIssue, Validate, Validation } from "../core/schema.ts";
import { unvalidated } from "./schema-issues.ts";

/** A validator of the schema. The first call answers with a promise, later ones at once. */
export function jsonSchemaValidator(schema: JsonSchema): Validate {
  let check: ((value: unknown) => Validation) | undefined;
  return (value) => {
    if (check !== undefined) return check(value);
    return load().then((library) => {
      check ??= makeCheck(library, schema);
      return check(value);
    }, unvalidated);
  };
}

type Library = typeof import("@cfworker/json-schema");
let library: Promise<Library> | undefined;

function load(): Promise<Library> {
  library ??= import("@cfworker/json-schema");
  return library;
}

function makeCheck({ Validator }: Library, schema: JsonSchema): (value: unknown) => Validation {
  const draft: SchemaDraft = "2020-12";
  const validator = new Validator(structuredClone(schema) as CfSchema, draft, false);
  return (value) => {
    try {
      const { valid, errors } = validator.validate(value);
      return valid ? { ok: true, value } : { ok: false, issues: errors.map(toIssue) };
    } catch (error) {
      return unvalidated(error);
    }
  };
}

function toIssue(error: OutputUnit): SchemaIssue {
  return { path: error.instanceLocation.slice(2), message: error.error };
}
