// Freezes plain data to its depths, instances of DTO classes included: arguments stay what was validated, decided and
// approved. Other instances (dates, objects of classes) are left alone: they belong to the schema library and the author.

import { isMarked, plainDataMark } from "../core/mark.ts";

export function freezeJson(value: unknown): void {
  if (typeof value !== "object" || value === null || Object.isFrozen(value)) return;
  const prototype: unknown = Object.getPrototypeOf(value);
  const isPlain = prototype === Object.prototype || prototype === Array.prototype || prototype === null;
  // Asked of the prototype: a value could carry the mark itself.
  if (!isPlain && !isMarked(prototype, plainDataMark)) return;
  Object.freeze(value);
  for (const key of Object.keys(value)) freezeJson((value as Record<string, unknown>)[key]);
}
