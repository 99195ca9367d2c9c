// Decorates a field that holds one instance of a DTO class, or of one that is declared later.
// For lists and maps of them the class is given to `ListOf` and `MapOf` directly.

import type { DtoClass } from "../../core/schema.ts";
import { checkKnown } from "./field-bounds.ts";
import type { FieldDecorator } from "./field-decorator.ts";
import { fieldDecorator } from "./field-decorator.ts";
import type { FieldOptions, ItemValue } from "./field-type.ts";

/** @example class Issue { @Nested(Author) author!: Author; @Optional() @Nested(() => Issue) parent?: Issue } */
export function NestedField<Type extends DtoClass | (() => DtoClass)>(
  type: Type,
  options: FieldOptions<ItemValue<Type>> = {},
): FieldDecorator<ItemValue<Type>> {
  return fieldDecorator<ItemValue<Type>>({
    label: "@Nested()",
    options,
    plan(work) {
      checkKnown("@Nested()", options, [], work);
      return work.item(type, "@Nested()");
    },
  });
}
