// The quick look that decides whether a value needs the mapping of json-form.ts at all; most results do not.
// It must say no wherever JSON.stringify would throw or write something else than that mapping, and not throw.

import { maxDepth, maxParts, partsOf } from "./json-limits.ts";

/** JSON data: what JSON.parse can return, without keys named `__proto__`, and well-formed. */
export type PlainData = null | boolean | number | string | PlainData[] | { [key: string]: PlainData };

/**
 * Whether JSON.stringify writes the value as the mapping would. Undefined is allowed, as both treat it alike.
 * Strings are not looked at: a lone surrogate shows in the text afterwards, where one search finds it.
 */
export function isPlainText(value: unknown): boolean {
  return isPlain(value, maxDepth, false);
}

/** Whether the value is JSON data of at most `levels` levels. */
export function isPlainData(value: unknown, levels: number): value is PlainData {
  return isPlain(value, levels, true);
}

function isPlain(value: unknown, levels: number, isData: boolean): boolean {
  try {
    return remaining(value, maxParts, levels, isData) >= 0;
  } catch {
    // A getter or a proxy threw.
    return false;
  }
}

/**
 * How many of `left` parts are left to look at after this one; negative when it is not plain, or too large.
 * A cycle runs out of levels at once, a small graph that unfolds to a giant tree runs out of parts.
 */
function remaining(value: unknown, left: number, levels: number, isData: boolean): number {
  switch (typeof value) {
    case "string":
      return isData && !value.isWellFormed() ? -1 : left - partsOf(value);
    case "number":
      return Number.isFinite(value) ? left - 1 : -1;
    case "boolean":
      return left - 1;
    case "undefined":
      return isData ? -1 : left - 1;
    case "object":
      if (value === null) return left - 1;
      return levels > 0 ? remainingAfterParts(value, left - 1, levels - 1, isData) : -1;
    default:
      return -1;
  }
}

function remainingAfterParts(value: object, left: number, levels: number, isData: boolean): number {
  if ((value as { readonly toJSON?: unknown }).toJSON !== undefined) return -1;
  let rest = left;
  if (Array.isArray(value)) {
    for (let index = 0; index < value.length && rest >= 0; index++) {
      rest = remaining(value[index], rest, levels, isData);
    }
    return rest;
  }
  const prototype: unknown = Object.getPrototypeOf(value);
  if (prototype !== Object.prototype && (prototype !== null || isData)) return -1;
  for (const key in value) {
    if (key === "__proto__" || (isData && !key.isWellFormed())) return -1;
    rest = remaining((value as Record<string, unknown>)[key], rest, levels, isData);
    if (rest < 0) return rest;
  }
  return rest;
}
