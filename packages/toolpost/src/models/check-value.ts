// Small checks of data somebody wrote by hand, put together to a form: each says where the first slip is.
// A check gives the value as code takes it, or throws Unfit; nothing is coerced.

import { closestName } from "../std/closest-name.ts";

/** `path` is like `replies[2].calls[0].name`, empty for the whole. */
export type Check = (value: unknown, path: string) => unknown;

/** The value that does not fit. Its message is one sentence that names the path. */
export class Unfit extends Error {}

export const text: Check = (value, path) => (typeof value === "string" ? value : refuse(path, "a text", value));

/** `true`; `false` is as good as left out. */
export const yes: Check = (value, path) =>
  typeof value === "boolean" ? value || undefined : refuse(path, "true", value);

/** A text that must be contained, or `/…/flags` as a RegExp. */
export const pattern: Check = (value, path) => {
  const source = text(value, path) as string;
  const expression = /^\/(.+)\/([a-z]*)$/s.exec(source);
  if (expression === null) return source;
  try {
    return new RegExp(expression[1]!, expression[2]);
  } catch {
    return refuse(path, "a text or a regular expression like /refund/i", value);
  }
};

export function wholeNumber(least: number): Check {
  return (value, path) =>
    Number.isSafeInteger(value) && (value as number) >= least
      ? value
      : refuse(path, `a whole number from ${least}`, value);
}

export function oneOf(...values: readonly string[]): Check {
  return (value, path) =>
    values.includes(value as string) ? value : refuse(path, `one of ${values.join(", ")}`, value);
}

export function list(item: Check): Check {
  return (value, path) => {
    if (!Array.isArray(value)) return refuse(path, "a list", value);
    return value.map((each, index) => item(each, `${path}[${index}]`));
  };
}

/** A mapping of these keys and no others, each checked; those in `required` must be there. */
export function fields(keys: Readonly<Record<string, Check>>, required: readonly string[] = []): Check {
  const known = Object.keys(keys);
  return (value, path) => {
    if (typeof value !== "object" || value === null || Array.isArray(value)) return refuse(path, "a mapping", value);
    const place = (key: string): string => (path === "" ? key : `${path}.${key}`);
    const checked = Object.entries(value).map(([key, each]) => {
      if (!Object.hasOwn(keys, key)) throw unknownKey(place(key), key, known);
      return [key, keys[key]!(each, place(key))];
    });
    for (const key of required) if (!Object.hasOwn(value, key)) keys[key]!(undefined, place(key));
    return Object.fromEntries(checked);
  };
}

export function refuse(path: string, wanted: string, value: unknown): never {
  const found = value === undefined ? "missing" : value === null ? "empty" : JSON.stringify(value).slice(0, 80);
  throw new Unfit(`${path === "" ? "the file" : `\`${path}\``} should be ${wanted} and is ${found}`);
}

function unknownKey(path: string, key: string, known: readonly string[]): Unfit {
  const closest = closestName(key, known);
  const fix = closest === undefined ? `known are ${known.join(", ")}` : `did you mean \`${closest}\`?`;
  return new Unfit(`\`${path}\` is not a known key; ${fix}`);
}
