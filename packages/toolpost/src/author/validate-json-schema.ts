// Validates values against raw JSON Schema (drafts 4, 7, 2019-09, 2020-12), as sources and documents bring it.
// The validator library is loaded when a value is not plainly valid: most processes never need it.
// A value that came while it could not be loaded is refused.

import type { JsonSchema, Validate } from "../core/schema.ts";
import type { PreparedSchema } from "./json-schema/prepare-schema.ts";
import { prepareSchema } from "./json-schema/prepare-schema.ts";
import { isPlainSchema, isSurelyValid } from "./json-schema/surely-valid.ts";
import { lazyValidate } from "./lazy-validate.ts";
import { unvalidated } from "./schema-issues.ts";

/**
 * A validator of the schema, prepared at its first call. It answers with a promise while the library loads, which is
 * once in a process and not before a value needs it. Every value of a schema that cannot be followed is refused.
 */
export function jsonSchemaValidator(schema: JsonSchema): Validate {
  return lazyValidate(() => preparedValidator(prepareSchema(schema)));
}

/** Throws `ToolpostError` (`tool.schema-unusable`) for a schema whose every value would be refused. */
export function checkJsonSchema(schema: unknown): void {
  prepareSchema(schema);
}

type Library = typeof import("./json-schema/check-value.ts");

let loaded: Library | undefined;

async function load(): Promise<Library> {
  loaded ??= await import("./json-schema/check-value.ts");
  return loaded;
}

function preparedValidator(prepared: PreparedSchema): Validate {
  const isPlain = isPlainSchema(prepared);
  return (value) => {
    if (isPlain && isPlainlyValid(prepared, value)) return { ok: true, value };
    return loaded === undefined
      ? load().then(({ checkValue }) => checkValue(prepared, value), unvalidated)
      : loaded.checkValue(prepared, value);
  };
}

function isPlainlyValid({ root }: PreparedSchema, value: unknown): boolean {
  try {
    return isSurelyValid(root, value);
  } catch {
    // A value may throw when it is read, or be too deep: the library's side says so.
    return false;
  }
}
