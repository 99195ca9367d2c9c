// A schema made ready for use: its JSON Schema for the model and its validator, each made when first needed.
// Takes any Standard Schema, DTO classes and raw JSON Schema; neither caller nor pipeline needs to know which it was.
// It must not throw for a value, and not let one through that could not be validated.

import type { StandardSchemaV1 } from "@standard-schema/spec";
import { markPassive } from "../core/passive-validator.ts";
import type {
  CompiledSchema,
  DtoClass,
  JsonSchema,
  Schema,
  SchemaParsed,
  Validate,
  Validation,
} from "../core/schema.ts";
import { isPromiseLike } from "../std/soon.ts";
import { compileClass } from "./dto-class.ts";
import { lazyValidate } from "./lazy-validate.ts";
import type { SchemaDirection } from "./library-json-schema.ts";
import { libraryJsonSchema } from "./library-json-schema.ts";
import { withoutMarks } from "./native-values.ts";
import type { Revival } from "./revive-natives.ts";
import { planRevival } from "./revive-natives.ts";
import { toIssues, unvalidated } from "./schema-issues.ts";
import { jsonSchemaValidator } from "./validate-json-schema.ts";
import { isPlainZod, zodValidate } from "./zod-validate.ts";

/**
 * The compiled form of a schema; the same object for the same schema and direction. Cheap: nothing is converted yet.
 * `input` is for what a model writes: JSON Schema shows the side before transforms, and text at the place of a date
 * becomes a `Date` before it is validated. `output` is for what a handler returns: JSON Schema shows what comes out.
 * Reading `jsonSchema` throws `ToolpostError` (`tool.schema-unusable`) for a schema that has none.
 */
export function compileSchema<S extends Schema>(
  schema: S,
  direction: SchemaDirection,
): CompiledSchema<SchemaParsed<S>> {
  const kept = compiled[direction].get(schema as object);
  if (kept !== undefined) return kept as CompiledSchema<SchemaParsed<S>>;
  const made = makeSchema(schema, direction);
  if (isObject(schema)) compiled[direction].set(schema, made);
  return made as CompiledSchema<SchemaParsed<S>>;
}

/** True for schemas of any library with the Standard Schema interface; such a schema may be a function. */
export function isStandardSchema(schema: unknown): schema is StandardSchemaV1 {
  return isObject(schema) && isObject((schema as Partial<StandardSchemaV1>)["~standard"]);
}

function makeSchema(schema: Schema, direction: SchemaDirection): CompiledSchema {
  if (isStandardSchema(schema)) return new LibrarySchema(schema, direction);
  return typeof schema === "function"
    ? compileClass(schema as DtoClass, direction)
    : new RawSchema(schema as JsonSchema);
}

const compiled: Readonly<Record<SchemaDirection, WeakMap<object, CompiledSchema>>> = {
  input: new WeakMap(),
  output: new WeakMap(),
};

class LibrarySchema implements CompiledSchema {
  readonly #schema: StandardSchemaV1;
  readonly #direction: SchemaDirection;
  #marked: JsonSchema | undefined = undefined;
  #wire: JsonSchema | undefined = undefined;
  readonly validate: Validate;

  constructor(schema: StandardSchemaV1, direction: SchemaDirection) {
    this.#schema = schema;
    this.#direction = direction;
    this.validate = lazyValidate(() => this.#makeValidator());
  }

  get jsonSchema(): JsonSchema {
    this.#wire ??= withoutRootKeys(withoutMarks(this.#markedSchema()));
    return this.#wire;
  }

  #markedSchema(): JsonSchema {
    this.#marked ??= libraryJsonSchema(this.#schema, this.#direction);
    return this.#marked;
  }

  #makeValidator(): Validate {
    // What a handler returns is native already.
    return libraryValidator(this.#schema, this.#direction === "input" ? this.#revival() : undefined);
  }

  #revival(): Revival | undefined {
    try {
      return planRevival(this.#markedSchema());
    } catch {
      // Without JSON Schema nobody was told to write text in place of a date.
      return undefined;
    }
  }
}

class RawSchema implements CompiledSchema {
  readonly #schema: JsonSchema;
  #shown: JsonSchema | undefined = undefined;
  readonly validate: Validate;

  constructor(schema: JsonSchema) {
    this.#schema = schema;
    this.validate = jsonSchemaValidator(schema);
    markPassive(this.validate);
  }

  get jsonSchema(): JsonSchema {
    this.#shown ??= withoutRootKeys(this.#schema);
    return this.#shown;
  }
}

/** `$schema` tells a model nothing, and some providers refuse it. */
function withoutRootKeys(schema: JsonSchema): JsonSchema {
  if (!isObject(schema) || !("$schema" in schema)) return schema;
  const { $schema: _, ...shown } = schema;
  return shown;
}

function libraryValidator(schema: StandardSchemaV1, revival: Revival | undefined): Validate {
  const standard = schema["~standard"];
  const ownCode = zodValidate(schema);
  const conclude = (result: StandardSchemaV1.Result<unknown>, written: unknown): Validation => {
    if (result.issues === undefined) return { ok: true, value: result.value };
    return { ok: false, issues: toIssues(result.issues, { written, revival }) };
  };
  const ofLibrary: Validate = (value) => {
    try {
      const given = revival === undefined ? value : revival.revive(value);
      const result = ownCode === undefined ? standard.validate(given) : ownCode(given);
      if (!isPromiseLike(result)) return conclude(result, value);
      return Promise.resolve(result)
        .then((settled) => conclude(settled, value))
        .catch(unvalidated);
    } catch (error) {
      return unvalidated(error);
    }
  };
  if (isPlainZod(schema)) markPassive(ofLibrary);
  return ofLibrary;
}

function isObject(value: unknown): value is object {
  return (typeof value === "object" && value !== null) || typeof value === "function";
}
