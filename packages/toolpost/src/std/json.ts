// JSON out and in: an encoder that has an answer for every value there is, a canonical form, a safe parser.
// What a tool returns must become one text whatever it is: a crash here would lose a result after its effect.
// It must not write a lone surrogate, nor let a key named `__proto__` through in either direction.

import { jsonForm } from "./json-form.ts";
import { maxDepth } from "./json-limits.ts";
import { isPlainData, isPlainText } from "./json-plain.ts";
import { oneLine, wellFormed } from "./text.ts";

export type Json = null | boolean | number | string | Json[] | { [key: string]: Json };

/** What parsing gave: a value, or why not in one line of at most 200 characters. */
export type JsonParse = { readonly ok: true; readonly value: Json } | { readonly ok: false; readonly message: string };

/**
 * The value as well-formed JSON text. Never throws. Beyond plain data:
 *
 * - bigint: its decimal digits as a string; NaN and infinities: their names as strings
 * - undefined, functions, symbols: left out of objects, `null` elsewhere
 * - Date: ISO string, `null` when invalid; RegExp, URL: string; boxed primitives: the primitive
 * - Map: an object when every key is a string, else an array of `[key, value]`; Set: an array
 * - Error: `name`, `message`, own enumerable fields, a `cause` that is an Error. Its `toJSON` is not asked, as
 *   those of well-known clients write stack and headers
 * - binary data: `{ type, bytes }`, not the bytes themselves
 * - any other object: what its `toJSON` returns, else its own enumerable fields
 * - lone surrogates: U+FFFD; keys named `__proto__`: left out
 * - `"[circular]"` for what lies within itself, `"[unreadable]"` for what throws when read, `"[nested too deep]"`
 *   below 500 levels, `"[too large]"` after five million parts or beyond the longest string
 */
export function encodeJson(value: unknown): string {
  try {
    if (isPlainText(value)) {
      const text = JSON.stringify(value) ?? "null";
      // The trace of a lone surrogate; a backslash before "ud" in the data looks the same and is merely slower.
      if (!text.includes("\\ud")) return text;
    }
  } catch {
    // A getter or proxy that has changed its mind since the check, or a text too long for a string.
  }
  try {
    return JSON.stringify(jsonForm(value));
  } catch {
    return '"[too large]"';
  }
}

/**
 * The same mapping as data instead of text. Never throws. A value that is JSON data already is returned itself,
 * not a copy.
 */
export function toJson(value: unknown): Json {
  return isPlainData(value, maxDepth) ? value : (jsonForm(value) as Json);
}

/**
 * The same mapping as text with sorted keys and no white space, for hashing (RFC 8785). What `parseJson` gave is
 * told apart whole, to its deepest level; of other values, those that differ only in what the mapping loses have
 * the same form.
 * @throws RangeError when the text would not fit in a string: a wrong hash would be worse
 */
export function canonicalJson(value: unknown): string {
  return canonicalText(isPlainData(value, maxReadDepth) ? value : toJson(value));
}

/** JSON.parse without its dangers: no throw, no `__proto__` key at any depth, at most 1,000 levels. */
export function parseJson(text: string): JsonParse {
  try {
    const value: Json = JSON.parse(text);
    const isSuspicious = suspicious.test(text);
    // A text this short has no room for too many levels.
    if (!isSuspicious && text.length < 2 * maxReadDepth) return { ok: true, value };
    const canNameProto = isSuspicious && (text.includes("__proto__") || escapeInProto.test(text));
    const isFine = (!canNameProto && text.length < 2 * maxReadDepth) || clean(value, maxReadDepth, canNameProto);
    if (!isFine) return { ok: false, message: `nested deeper than ${maxReadDepth} levels` };
    return { ok: true, value: isSuspicious && canHoldSurrogate(text) ? mended(value) : value };
  } catch (error) {
    return { ok: false, message: wellFormed(oneLine((error as Error).message).slice(0, 200)) };
  }
}

/** One quick look for all that may name `__proto__` or stand for a lone surrogate: a surrogate, an escape, the name. */
const suspicious = /[\\\ud800-\udfff]|__proto__/;

/** Each lone surrogate is U+FFFD, in keys too; all else is as it was read. */
function mended(value: Json): Json {
  if (typeof value === "string") return wellFormed(value);
  if (value === null || typeof value !== "object") return value;
  if (Array.isArray(value)) return value.map(mended);
  return Object.fromEntries(Object.entries(value).map(([key, part]) => [wellFormed(key), mended(part)]));
}

/** A lone surrogate comes as it is or as an escape. */
function canHoldSurrogate(text: string): boolean {
  return !text.isWellFormed() || /\\u[dD][89a-fA-F]/.test(text);
}

/** An escape for one of the characters that `__proto__` is made of. */
const escapeInProto = /\\u00(?:5f|6f|7[024])/i;
/** Twice what is written, so that what was written can be read back when something was wrapped around it. */
const maxReadDepth = 1_000;

function canonicalText(value: Json): string {
  if (typeof value === "string") return JSON.stringify(value);
  if (value === null || typeof value !== "object") return String(value);
  let text = "";
  if (Array.isArray(value)) {
    for (const item of value) text += `,${canonicalText(item)}`;
    return `[${text.slice(1)}]`;
  }
  // The default order compares UTF-16 code units.
  for (const key of Object.keys(value).sort()) text += `,${JSON.stringify(key)}:${canonicalText(value[key]!)}`;
  return `{${text.slice(1)}}`;
}

/** Takes out keys named `__proto__`; false when the value has more than `levels` levels. */
function clean(value: Json, levels: number, canNameProto: boolean): boolean {
  if (value === null || typeof value !== "object") return true;
  if (levels === 0) return false;
  if (canNameProto && Object.hasOwn(value, "__proto__")) Reflect.deleteProperty(value, "__proto__");
  const parts: Json[] = Array.isArray(value) ? value : Object.values(value);
  // Leaves are most of what there is; the look at their type here saves a call for each.
  return parts.every((part) => typeof part !== "object" || clean(part, levels - 1, canNameProto));
}
