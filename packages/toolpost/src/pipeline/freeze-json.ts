// Freezes plain data, instances of DTO classes included: what was decided, approved or is held by others stays what it is.
// Other instances (dates, objects of classes) are left alone: they belong to the schema library and the author.

import { isMarked, plainDataMark } from "../core/mark.ts";

/** The value with all that is in it, also where the value itself is frozen already. */
export function freezeJson(value: unknown): void {
  if (!isData(value)) return;
  Object.freeze(value);
  freezeParts(value);
}

/**
 * Valid arguments, so that nobody exchanges one between decision and execution. What a schema made anew is the tool's own;
 * what stands in `written` too, as the model wrote it, is frozen with all that is in it.
 */
export function freezeArguments(input: unknown, written: unknown): void {
  if (input === written) return freezeJson(input);
  if (written !== undefined) freezeSameParts(input, written);
  if (isData(input)) Object.freeze(input);
}

/** Of the value what is the very thing that stands at the same place in `other`, with all that is in it. */
function freezeSameParts(value: unknown, other: unknown): void {
  if (typeof other !== "object" || other === null || !isData(value)) return;
  if (value === other) freezeJson(value);
  else if (!Array.isArray(value)) {
    for (const key in value) {
      const part: unknown = value[key];
      if (typeof part === "object") freezeSameParts(part, (other as Parts)[key]);
    }
  } else if (Array.isArray(other)) {
    for (let index = 0; index < value.length; index++)
      if (typeof value[index] === "object") freezeSameParts(value[index], other[index]);
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

/** What is frozen is not looked at again: it may hold itself. */
function freezeObject(value: Parts): void {
  if (Object.isFrozen(value)) return;
  Object.freeze(value);
  freezeParts(value);
}

function freezeParts(value: Parts): void {
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
