// Says yes to a value at once, for schemas of the plainest keywords, as those of most tools are: then the validator library
// is not even loaded, which costs more than all else of a first run.
// It only ever says yes. Whatever it does not say yes to is for the library: that decides, and has the words for it.

import { isRecord } from "../../std/is-record.ts";
import type { PreparedNode, PreparedSchema } from "./prepare-schema.ts";

/** Whether every keyword of the schema is one that {@link isSurelyValid} follows. */
export function isPlainSchema({ root, references }: PreparedSchema): boolean {
  return Object.keys(references).length === 0 && isPlain(root, new Set());
}

/** True for a value that the plain schema takes; false says nothing. */
export function isSurelyValid(node: PreparedNode, value: unknown): boolean {
  if (typeof node === "boolean") return node;
  const { type, enum: choices } = node;
  const kind = kindOf(value);
  if (kind === undefined) return false;
  if (type !== undefined && !(Array.isArray(type) ? type : [type]).some((name) => isOfType(kind, name, value)))
    return false;
  if (Object.hasOwn(node, "const") && value !== node.const) return false;
  if (Array.isArray(choices) && !choices.includes(value)) return false;
  if (kind === "number") return isInRange(node, value as number);
  if (kind === "string") return isOfLength(node, value as string);
  if (kind === "array") return areItemsValid(node, value as readonly unknown[]);
  return kind !== "object" || areFieldsValid(node, value as Readonly<Record<string, unknown>>);
}

type Node = Exclude<PreparedNode, boolean>;
type Kind = "array" | "boolean" | "null" | "number" | "object" | "string";

/** What the keyword's value must be, beyond being right. */
const plain: Readonly<Record<string, (value: unknown, seen: Set<unknown>) => boolean>> = {
  type: () => true,
  required: () => true,
  properties: (value, seen) => Object.values(value as object).every((part) => isPlain(part as PreparedNode, seen)),
  additionalProperties: (value, seen) => isPlain(value as PreparedNode, seen),
  items: (value, seen) => !Array.isArray(value) && isPlain(value as PreparedNode, seen),
  const: isScalar,
  enum: (value) => (value as readonly unknown[]).every(isScalar),
  minimum: () => true,
  maximum: () => true,
  exclusiveMinimum: () => true,
  exclusiveMaximum: () => true,
  minLength: () => true,
  maxLength: () => true,
  minItems: () => true,
  maxItems: () => true,
};

/** @param seen a schema of a program may lie within itself */
function isPlain(node: PreparedNode, seen: Set<unknown>): boolean {
  if (typeof node === "boolean" || seen.has(node)) return true;
  seen.add(node);
  return Object.entries(node).every(
    ([keyword, value]) => Object.hasOwn(plain, keyword) && plain[keyword]!(value, seen),
  );
}

function isScalar(value: unknown): boolean {
  return value === null || typeof value !== "object";
}

/** `undefined` for what JSON has not: what counts of it is its JSON form, and that is the library's side. */
function kindOf(value: unknown): Kind | undefined {
  if (value === null) return "null";
  if (Array.isArray(value)) return "array";
  if (typeof value === "number") return Number.isFinite(value) ? "number" : undefined;
  if (typeof value === "string" || typeof value === "boolean") return typeof value as Kind;
  return isRecord(value) && isPlainObject(value) ? "object" : undefined;
}

function isPlainObject(value: object): boolean {
  const prototype = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}

function isOfType(kind: Kind, name: unknown, value: unknown): boolean {
  return kind === name || (name === "integer" && Number.isInteger(value));
}

function isInRange({ minimum, maximum, exclusiveMinimum, exclusiveMaximum }: Node, value: number): boolean {
  return (
    (minimum === undefined || value >= (minimum as number)) &&
    (maximum === undefined || value <= (maximum as number)) &&
    (exclusiveMinimum === undefined || value > (exclusiveMinimum as number)) &&
    (exclusiveMaximum === undefined || value < (exclusiveMaximum as number))
  );
}

function isOfLength({ minLength, maxLength }: Node, value: string): boolean {
  if (minLength === undefined && maxLength === undefined) return true;
  let characters = 0;
  for (const _ of value) characters++;
  return isCount(characters, minLength, maxLength);
}

function isCount(count: number, least: unknown, most: unknown): boolean {
  return (least === undefined || count >= (least as number)) && (most === undefined || count <= (most as number));
}

function areItemsValid({ items, minItems, maxItems }: Node, value: readonly unknown[]): boolean {
  if (!isCount(value.length, minItems, maxItems)) return false;
  // Not `every`: it passes over holes.
  for (let index = 0; index < value.length; index++) {
    if (items !== undefined && !isSurelyValid(items as PreparedNode, value[index])) return false;
  }
  return true;
}

function areFieldsValid(node: Node, value: Readonly<Record<string, unknown>>): boolean {
  const {
    required = [],
    properties = {},
    additionalProperties = true,
  } = node as {
    readonly required?: readonly string[];
    readonly properties?: Readonly<Record<string, PreparedNode>>;
    readonly additionalProperties?: PreparedNode;
  };
  for (const name of required) if (!Object.hasOwn(value, name)) return false;
  for (const name of Object.keys(value)) {
    const part = Object.hasOwn(properties, name) ? properties[name]! : additionalProperties;
    if (part !== true && !isSurelyValid(part, value[name])) return false;
  }
  return true;
}
