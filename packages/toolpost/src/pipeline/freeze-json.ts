// Freezes plain data to its depths, instances of DTO classes included: arguments stay what was validated, decided and
// approved. Other instances (dates, objects of classes) are left alone: they belong to the schema library and the author.

import { isMarked, plainDataMark } from "../core/mark.ts";

export function freezeJson(value: unknown): void {
  if (typeof value === "object" && value !== null) freezeObject(value);
}

function freezeObject(value: object): void {
  const prototype: unknown = Object.getPrototypeOf(value);
  const isPlain = prototype === Object.prototype || prototype === Array.prototype || prototype === null;
  // Asked of the prototype: a value could carry the mark itself.
  if ((!isPlain && !isMarked(prototype, plainDataMark)) || Object.isFrozen(value)) return;
  Object.freeze(value);
  // Most parts are no objects: to look at that here saves a call for each. A list's keys would be made as texts.
  if (Array.isArray(value)) {
    for (let index = 0; index < value.length; index++) {
      const part: unknown = value[index];
      if (typeof part === "object" && part !== null) freezeObject(part);
    }
  } else {
    for (const key in value) {
      const part: unknown = (value as Record<string, unknown>)[key];
      if (typeof part === "object" && part !== null) freezeObject(part);
    }
  }
}
