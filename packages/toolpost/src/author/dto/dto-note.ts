// What the decorators of fields note on a class, and the class found by it.
// It must stay small: everything that takes a schema asks this, while the rest is loaded with `toolpost/dto` only.

import type { CompiledSchema, DtoClass } from "../../core/schema.ts";
import { notesOf } from "../classes/class-notes.ts";
import type { SchemaDirection } from "../library-json-schema.ts";
import type { FieldType } from "./field-type.ts";

export interface DtoNote {
  /** The class's own, in the order they are written. */
  readonly fields: Map<string, FieldNote>;
  /** Mistakes seen while decorating, without the class's name. */
  readonly problems: string[];
  /** The compiler that came with the decorators. */
  readonly compile: (type: DtoClass, direction: SchemaDirection) => CompiledSchema;
}

export interface FieldNote {
  /** One, but for a mistake. */
  readonly types: FieldType[];
  isOptional: boolean;
  isNullable: boolean;
}

/** Registered, so that classes decorated by another copy of the package are understood. */
export const dtoNoteKey: unique symbol = Symbol.for("toolpost.dto");

/** The notes of a class and of those it extends, the topmost first; none for anything else. */
export function dtoNotes(type: unknown): readonly DtoNote[] {
  return typeof type === "function" ? notesOf<DtoNote>(type, dtoNoteKey) : [];
}

/** The class's name as its author wrote it: compilers put `_` before that of a class that names itself. */
export function dtoName(type: { readonly name: string }): string {
  return type.name.replace(/^_+(?=.)/, "");
}
