// A check of values against raw JSON Schema, by the validator library.
// It must not fetch anything, nor change the schema, nor let a value through that it could not check.

import type { Schema as LibraryNode, OutputUnit } from "@cfworker/json-schema";
import { validate } from "@cfworker/json-schema";
import type { Validation } from "../../core/schema.ts";
import { toJson } from "../../std/json.ts";
import { unvalidated } from "../schema-issues.ts";
import { isTooDeep } from "../too-deep.ts";
import { explainErrors } from "./explain-errors.ts";
import type { PreparedSchema } from "./prepare-schema.ts";

/** Refuses every value that could not be validated. */
export function checkValue(prepared: PreparedSchema, value: unknown): Validation {
  try {
    return validateJson(prepared, value);
  } catch (cause) {
    // A value of a program may hold what JSON has not, `undefined` above all: its JSON form is what counts.
    return isTooDeep(cause) ? unvalidated(cause) : validateForm(prepared, value);
  }
}

function validateForm(prepared: PreparedSchema, value: unknown): Validation {
  try {
    return validateJson(prepared, toJson(value));
  } catch (cause) {
    return unvalidated(cause);
  }
}

function validateJson(prepared: PreparedSchema, value: unknown): Validation {
  const errors = errorsOf(prepared, value, true);
  if (errors === undefined) return { ok: true, value };
  return {
    ok: false,
    issues: explainErrors(allErrors(prepared, value) ?? errors, { schema: prepared, value }),
  };
}

/** All of them, where their number allows it; `undefined` where not. */
function allErrors(prepared: PreparedSchema, value: unknown): readonly OutputUnit[] | undefined {
  try {
    return errorsOf(prepared, value, false);
  } catch {
    return undefined;
  }
}

function errorsOf(prepared: PreparedSchema, value: unknown, stopsAtFirst: boolean): readonly OutputUnit[] | undefined {
  const root = prepared.root as LibraryNode | boolean;
  const references = prepared.references as Record<string, LibraryNode | boolean>;
  const { valid, errors } = validate(value, root, prepared.draft, references, stopsAtFirst);
  return valid ? undefined : errors;
}
