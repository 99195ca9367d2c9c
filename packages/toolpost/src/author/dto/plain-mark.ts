// Marks DTO classes as plain data: their instances are frozen with the arguments they stand in, like objects and lists.
// It must not fail for a class whose prototype is frozen: its instances are then left alone.

import { mark, plainDataMark } from "../../core/mark.ts";
import type { DtoClass } from "../../core/schema.ts";

export function markPlain(type: DtoClass): void {
  try {
    mark(type.prototype as object, plainDataMark);
  } catch {
    // Frozen by its author.
  }
}
