// Raw JSON Schema made safe to validate with: a copy that holds known keywords of the right kind only, its references
// resolved, its patterns compilable. Schemas come from strangers: nothing is fetched, nothing recurses without bound.
// It must not be lenient about a keyword it knows: one that cannot be followed would let anything through.
// Accepted risk: a `pattern` that backtracks exponentially, or parts that double at each level of the value.

import type { JsonSchema } from "../../core/schema.ts";
import { isRecord } from "../../std/is-record.ts";
import { boundCost } from "./bound-cost.ts";
import { kindOf, unusableSchema } from "./kinds.ts";
import type { References } from "./references.ts";
import { referencesOf } from "./references.ts";
import { unicodePattern } from "./unicode-pattern.ts";

/** Which rules of `$ref` hold. Draft 4 is brought into the form of draft 7. */
export type Draft = "7" | "2019-09" | "2020-12";

/** A schema of the copy. `$ref` in it is a key of `PreparedSchema.references`. */
export type PreparedNode = boolean | JsonSchema;

export interface PreparedSchema {
  readonly draft: Draft;
  readonly root: PreparedNode;
  readonly references: Readonly<Record<string, PreparedNode>>;
}

/** Throws `ToolpostError` (`tool.schema-unusable`) that names the place and what is wrong there. Keeps the original. */
export function prepareSchema(schema: unknown): PreparedSchema {
  const draft = draftOf(schema);
  const prepared: Record<string, PreparedNode> = Object.create(null);
  const work: Work = { lookUp: referencesOf(schema), copies: new Map(), keys: new Map(), open: [] };
  const root = copySchema(work, schema, "#", 0);
  // What is referred to is copied one after the other, so that a long chain of references is no deep recursion.
  for (let next = work.open.pop(); next !== undefined; next = work.open.pop()) {
    prepared[next.key] = copySchema(work, next.target, next.place, 0);
  }
  boundCost([root, ...work.copies.values()], prepared);
  return { draft, root, references: prepared };
}

interface Work {
  readonly lookUp: References;
  /** By original, so that parts that are shared or lie within themselves are copied once. */
  readonly copies: Map<object, JsonSchema>;
  /** The key of everything a reference leads to. */
  readonly keys: Map<unknown, string>;
  readonly open: { readonly key: string; readonly target: unknown; readonly place: string }[];
}

/** Reads a keyword's value; what it gives goes into the copy, `undefined` leaves the keyword out. */
type Reader = (value: unknown, place: string, copy: (schema: unknown, place: string) => PreparedNode) => unknown;

const mostLevels = 200;

function draftOf(schema: unknown): Draft {
  const named = isRecord(schema) && typeof schema.$schema === "string" ? schema.$schema : "";
  if (/draft-0?[3-7]\b/.test(named)) return "7";
  return named.includes("2019-09") ? "2019-09" : "2020-12";
}

function copySchema(work: Work, schema: unknown, place: string, level: number): PreparedNode {
  if (typeof schema === "boolean") return schema;
  if (!isRecord(schema)) throw unusableSchema(place, `a schema or boolean, got ${kindOf(schema)}`);
  const known = work.copies.get(schema);
  if (known !== undefined) return known;
  if (level > mostLevels) throw unusableSchema(place, `at most ${mostLevels} levels`);
  const copy: Record<string, unknown> = {};
  work.copies.set(schema, copy);
  const inner = (part: unknown, at: string): PreparedNode => copySchema(work, part, at, level + 1);
  for (const [keyword, value] of Object.entries(schema)) {
    // Null is how some servers write that a keyword is not there.
    if (!Object.hasOwn(readers, keyword) || (value === null && keyword !== "const")) continue;
    const read = readers[keyword]!(value, `${place}/${keyword}`, inner);
    if (read !== undefined) copy[keyword] = read;
  }
  excludeLimits(schema, copy);
  matchBounded(copy);
  const reference = schema.$ref ?? schema.$dynamicRef ?? schema.$recursiveRef;
  if (typeof reference === "string") copy.$ref = referenceKey(work, schema, reference, place);
  return copy;
}

function referenceKey(work: Work, from: JsonSchema, reference: string, place: string): string {
  const target = work.lookUp(reference, from);
  if (target === undefined)
    throw unusableSchema(`${place}/$ref`, `a place in the schema itself, got ${reference}: references are not fetched`);
  let key = work.keys.get(target);
  if (key === undefined) {
    key = `${work.keys.size}`;
    work.keys.set(target, key);
    work.open.push({ key, target, place: reference });
  }
  return key;
}

/** Draft 4 wrote `exclusiveMinimum: true` beside `minimum`; so do some schemas that name a later draft. */
function excludeLimits(schema: JsonSchema, copy: Record<string, unknown>): void {
  for (const [exclusive, limit] of [
    ["exclusiveMinimum", "minimum"],
    ["exclusiveMaximum", "maximum"],
  ] as const) {
    if (schema[exclusive] !== true || copy[limit] === undefined) continue;
    copy[exclusive] = copy[limit];
    delete copy[limit];
  }
}

/** A text that is too long is not matched, as patterns may cost more than their text's length. */
function matchBounded(copy: Record<string, unknown>): void {
  const { maxLength, pattern, format, allOf } = copy;
  if (maxLength === undefined || (pattern === undefined && format === undefined)) return;
  delete copy.pattern;
  delete copy.format;
  const match = { ...(pattern !== undefined && { pattern }), ...(format !== undefined && { format }) };
  // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema; nothing awaits this
  copy.allOf = [...((allOf as PreparedNode[] | undefined) ?? []), { if: { maxLength }, then: match }];
}

const schemaReader: Reader = (value, place, copy) => copy(value, place);

const schemasReader: Reader = (value, place, copy) => {
  if (!Array.isArray(value)) throw unusableSchema(place, `a list of schemas, got ${kindOf(value)}`);
  return value.map((part, index) => copy(part, `${place}/${index}`));
};

/** A map whose values are read one by one. Without a prototype, as its keys are anybody's. */
function mapReader(read: Reader, readKey: (key: string, place: string) => string = (key) => key): Reader {
  return (value, place, copy) => {
    if (!isRecord(value)) throw unusableSchema(place, `an object, got ${kindOf(value)}`);
    const map: Record<string, unknown> = Object.create(null);
    for (const [key, part] of Object.entries(value)) map[readKey(key, place)] = read(part, `${place}/${key}`, copy);
    return map;
  };
}

function plainReader(expected: string, isRight: (value: unknown) => boolean): Reader {
  return (value, place) => {
    if (!isRight(value))
      throw unusableSchema(
        place,
        `${expected}, got ${typeof value === "object" ? kindOf(value) : JSON.stringify(value)}`,
      );
    return value;
  };
}

const types: ReadonlySet<unknown> = new Set(["array", "boolean", "integer", "null", "number", "object", "string"]);
const isNames = (value: unknown): boolean => Array.isArray(value) && value.every((name) => typeof name === "string");
const names: Reader = plainReader("a list of names", isNames);
const count: Reader = plainReader(
  "a whole number from 0",
  (value) => Number.isInteger(value) && (value as number) >= 0,
);
const finite: Reader = plainReader("a number", Number.isFinite);
// A boolean is draft 4's, see excludeLimits.
const exclusive: Reader = (value, place, copy) => (typeof value === "boolean" ? undefined : finite(value, place, copy));
const pattern: Reader = (value, place) => unicodePattern(value, place);

const readers: Readonly<Record<string, Reader>> = {
  additionalItems: schemaReader,
  additionalProperties: schemaReader,
  contains: schemaReader,
  else: schemaReader,
  if: schemaReader,
  // A list was the way to write `prefixItems` before 2020-12.
  items: (value, place, copy) => (Array.isArray(value) ? schemasReader : schemaReader)(value, place, copy),
  not: schemaReader,
  propertyNames: schemaReader,
  // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema; nothing awaits this table
  then: schemaReader,
  unevaluatedItems: schemaReader,
  unevaluatedProperties: schemaReader,
  allOf: schemasReader,
  anyOf: schemasReader,
  oneOf: schemasReader,
  prefixItems: schemasReader,
  dependentSchemas: mapReader(schemaReader),
  patternProperties: mapReader(schemaReader, (key, place) => unicodePattern(key, place)),
  properties: mapReader(schemaReader),
  dependencies: mapReader((value, place, copy) => (Array.isArray(value) ? names : schemaReader)(value, place, copy)),
  dependentRequired: mapReader(names),
  const: (value) => value,
  enum: plainReader("a list of values", Array.isArray),
  exclusiveMaximum: exclusive,
  exclusiveMinimum: exclusive,
  format: plainReader("a name", (value) => typeof value === "string"),
  maxContains: count,
  maximum: finite,
  maxItems: count,
  maxLength: count,
  maxProperties: count,
  minContains: count,
  minimum: finite,
  minItems: count,
  minLength: count,
  minProperties: count,
  multipleOf: plainReader("a number above 0", (value) => Number.isFinite(value) && (value as number) > 0),
  pattern,
  required: names,
  type: plainReader("the name of a JSON type, or a list of them", (value) =>
    [value].flat().every((name) => types.has(name)),
  ),
  uniqueItems: plainReader("a boolean", (value) => typeof value === "boolean"),
};
