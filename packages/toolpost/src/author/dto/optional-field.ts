// Decorators that change a field of any kind: it may be left out, or be null.
// The field's type must say so too, or it does not compile.

import type { FieldModifier } from "./field-decorator.ts";
import { fieldModifier } from "./field-decorator.ts";

/**
 * The field may be left out: it is `undefined` then. A null counts as left out, unless the field is `Nullable`.
 * @example class Search { @Optional() @Text() author?: string }
 */
export function OptionalField(): FieldModifier<undefined> {
  return fieldModifier<undefined>("@Optional()", (field) => {
    field.isOptional = true;
  });
}

/**
 * The field may be null, and the model is told so.
 * @example class Change { @Nullable() @Text({ prompt: "null: nobody" }) assignee!: string | null }
 */
export function NullableField(): FieldModifier<null> {
  return fieldModifier<null>("@Nullable()", (field) => {
    field.isNullable = true;
  });
}
