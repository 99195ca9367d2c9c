// Freezes plain data to its depths, instances of DTO classes included: what a person approved, or what somebody else holds
// too, stays what it is. Other instances (dates, objects of classes) are left alone: they belong to the schema library and
// the author.

import { isMarked, plainDataMark } from "../core/mark.ts";

/** The value with all that is in it. */
export function freezeJson(value: unknown): void {
  if (isData(value)) freezeObject(value);
}

/** The value itself, not what is in it. */
export function freezeTop(value: unknown): void {
  if (isData(value)) Object.freeze(value);
}

/** Of the value what is the very thing that stands at the same place in `other`, with all that is in it. */
export function freezeShared(value: unknown, other: unknown): void {
  if (typeof other !== "object" || other === null || !isData(value)) return;
  if (value === other) freezeObject(value);
  else if (!Array.isArray(value)) {
    for (const key in value) {
      const part: unknown = value[key];
      if (typeof part === "object") freezeShared(part, (other as Parts)[key]);
    }
  } else if (Array.isArray(other)) {
    for (let index = 0; index < value.length; index++)
      if (typeof value[index] === "object") freezeShared(value[index], other[index]);
  }
}

type Parts = Readonly<Record<string, unknown>>;

function isData(value: unknown): value is Parts {
  if (typeof value !== "object" || value === null) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  if (prototype === Object.prototype || prototype === Array.prototype || prototype === null) return true;
  // Asked of the prototype: a value could carry the mark itself.
  return isMarked(prototype, plainDataMark);
}

function freezeObject(value: Parts): void {
  if (Object.isFrozen(value)) return;
  Object.freeze(value);
  // A list's keys would be made as texts.
  if (Array.isArray(value)) {
    for (let index = 0; index < value.length; index++) if (isData(value[index])) freezeObject(value[index]);
  } else {
    for (const key in value) {
      const part = value[key];
      if (isData(part)) freezeObject(part);
    }
  }
}
