// One error of the validator in words: what was expected at its place.
// It must not show strings of the value, which may be long or secret; numbers and sizes it does.

import { kindOf } from "./kinds.ts";
import type { LocatedError } from "./locate-error.ts";

/** One thing wrong. Findings of kind `type` and `value` can be joined over alternatives. */
export interface Finding {
  readonly kind: "type" | "value" | "other";
  readonly path: readonly (string | number)[];
  /** Types, or values as JSON, any of which would do. */
  readonly expected: readonly string[];
  /** The kind of the value, for `type`. */
  readonly got: string;
  readonly message: string;
}

/** @param container keyword of the error before this one, which contains it if this is a schema `false` */
export function describeError(error: LocatedError, container: string | undefined): readonly Finding[] {
  const { keyword, node, path, value } = error;
  const limit = node[keyword];
  if (keyword === "type")
    return [
      { ...plainFinding(path, ""), kind: "type", expected: [limit].flat().map(String), got: gotOf(value, limit) },
    ];
  if (keyword === "const") return [{ ...plainFinding(path, ""), kind: "value", expected: [JSON.stringify(limit)] }];
  if (keyword === "enum")
    return [{ ...plainFinding(path, ""), kind: "value", expected: [limit].flat().map((one) => JSON.stringify(one)) }];
  if (keyword === "required") return missing(path, limit, value, "required");
  if (keyword === "dependentRequired" || keyword === "dependencies") return dependents(error);
  if (keyword === "false") return [plainFinding(path, refusals[container ?? ""] ?? "not allowed")];
  return [plainFinding(path, (messages[keyword] ?? (() => "invalid value"))(limit, value, node))];
}

/** A finding that says itself what is wrong. */
export function plainFinding(path: Finding["path"], message: string): Finding {
  return { kind: "other", path, expected: [], got: "", message };
}

/** A finding as the model reads it. */
export function wordsOf({ kind, expected, message, got }: Finding): string {
  if (kind === "other") return message;
  if (kind === "type") return `expected ${eitherOf(expected)}, got ${got}`;
  if (expected.length === 1) return `must be ${expected[0]}`;
  const rest = expected.length - mostShown;
  return `must be one of ${expected.slice(0, mostShown).join(", ")}${rest > 0 ? ` and ${rest} more` : ""}`;
}

function eitherOf(types: readonly string[]): string {
  return types.length < 2 ? types.join() : `${types.slice(0, -1).join(", ")} or ${types.at(-1)}`;
}

const mostShown = 20;

/** A number that is no integer, or no number of JSON, shows itself; of all else the kind is enough. */
function gotOf(value: unknown, types: unknown): string {
  const isShown = typeof value === "number" && (!Number.isFinite(value) || [types].flat().includes("integer"));
  return isShown ? String(value) : kindOf(value);
}

function missing(path: Finding["path"], names: unknown, value: unknown, message: string): Finding[] {
  const absent = [names].flat().filter((name) => !Object.hasOwn(value as object, String(name)));
  return absent.map((name) => plainFinding([...path, String(name)], message));
}

function dependents({ keyword, node, path, value }: LocatedError): Finding[] {
  const given = Object.entries(node[keyword] as object).filter(([key]) => Object.hasOwn(value as object, key));
  return given.flatMap(([key, names]) =>
    Array.isArray(names) ? missing(path, names, value, `required beside ${JSON.stringify(key)}`) : [],
  );
}

/** What a schema `false` means, by the keyword it stands under. */
const refusals: Readonly<Record<string, string>> = {
  additionalProperties: "unknown property",
  unevaluatedProperties: "unknown property",
  additionalItems: "one item too many",
  items: "one item too many",
  unevaluatedItems: "one item too many",
};

type Words = (limit: unknown, value: unknown, node: LocatedError["node"]) => string;

const characters = (value: unknown): string => String([...String(value)].length);
const items = (value: unknown): string => String((value as unknown[]).length);
const properties = (value: unknown): string => String(Object.keys(value as object).length);
const plural = (count: unknown, word: string, words = `${word}s`): string => `${count} ${count === 1 ? word : words}`;

const messages: Readonly<Record<string, Words>> = {
  contains: () => "expected an item of the kind the schema asks for, got none",
  exclusiveMaximum: (limit, value) => `expected less than ${limit}, got ${value}`,
  exclusiveMinimum: (limit, value) => `expected more than ${limit}, got ${value}`,
  format: (limit) => `expected a string of the format ${limit}`,
  maxContains: (limit) => `expected at most ${plural(limit, "item")} of the kind the schema asks for`,
  maximum: (limit, value) => `expected at most ${limit}, got ${value}`,
  maxItems: (limit, value) => `expected at most ${plural(limit, "item")}, got ${items(value)}`,
  maxLength: (limit, value) => `expected at most ${plural(limit, "character")}, got ${characters(value)}`,
  maxProperties: (limit, value) =>
    `expected at most ${plural(limit, "property", "properties")}, got ${properties(value)}`,
  minContains: (limit) => `expected at least ${plural(limit, "item")} of the kind the schema asks for`,
  minimum: (limit, value) => `expected at least ${limit}, got ${value}`,
  minItems: (limit, value) => `expected at least ${plural(limit, "item")}, got ${items(value)}`,
  minLength: (limit, value) => `expected at least ${plural(limit, "character")}, got ${characters(value)}`,
  minProperties: (limit, value) =>
    `expected at least ${plural(limit, "property", "properties")}, got ${properties(value)}`,
  multipleOf: (limit, value) => `expected a multiple of ${limit}, got ${value}`,
  not: () => "has a form the schema forbids",
  pattern: (limit) => `must match the pattern ${limit}`,
  propertyNames: () => "a property of this name is not allowed",
  uniqueItems: () => "expected items that all differ",
};
