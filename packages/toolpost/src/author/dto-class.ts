// A class given as a schema: it is compiled by the decorators it was made with, which bring their compiler along.
// So the code behind `toolpost/dto` is loaded by those who use it only, and this must not import it.

import { ToolpostError } from "../core/errors.ts";
import type { CompiledSchema, DtoClass } from "../core/schema.ts";
import { dtoName, dtoNotes } from "./dto/dto-note.ts";
import type { SchemaDirection } from "./library-json-schema.ts";
import { unvalidated } from "./schema-issues.ts";
import { showValue } from "./show-value.ts";

/** True for a class with decorated fields, its own or inherited. */
export function isDtoClass(schema: unknown): schema is DtoClass & { readonly name: string } {
  return dtoNotes(schema).length > 0;
}

/** The compiled class. A function that is none has no JSON Schema and refuses every value. */
export function compileClass(type: DtoClass, direction: SchemaDirection): CompiledSchema {
  const note = dtoNotes(type).at(-1);
  return note === undefined ? undecorated(type) : note.compile(type, direction);
}

/** The class's name as its author wrote it; `undefined` for other schemas. */
export function dtoClassName(schema: unknown): string | undefined {
  return isDtoClass(schema) ? dtoName(schema) : undefined;
}

function undecorated(type: DtoClass): CompiledSchema {
  const problem = new ToolpostError(
    "tool.schema-unusable",
    `the class \`${showValue(type)}\` has no decorated fields: decorate its fields with @Text() and the like from toolpost/dto`,
  );
  return {
    get jsonSchema(): never {
      throw problem;
    },
    validate: () => unvalidated(problem),
  };
}
