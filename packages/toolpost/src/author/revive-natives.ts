// Turns what a model wrote into what a library's schema takes: text at the places marked in its JSON Schema becomes
// a `Date` or a `bigint`, inside objects, arrays, records, alternatives and references.
// It must not touch anything else, nor judge the value: the library does, afterwards.

import type { JsonSchema } from "../core/schema.ts";
import { isRecord } from "../std/is-record.ts";
import { localTarget } from "./json-schema/references.ts";
import type { NativeKind } from "./native-values.ts";
import { markOf, readNative } from "./native-values.ts";

/** Conversion of values of one schema. */
export interface Revival {
  /** The value with native values at marked places. Parts without such places are not copied. */
  revive(value: unknown): unknown;
  /** What native value belongs at a path of keys, if one does. */
  kindAt(path: readonly PropertyKey[]): NativeKind | undefined;
}

/** How to convert values of a marked schema; `undefined` where nothing is marked. */
export function planRevival(schema: JsonSchema): Revival | undefined {
  const places = new Map<JsonSchema, Place>();
  const root = placeOf(schema, schema, places);
  const marked = markedPlaces(places.values());
  if (marked.size === 0) return undefined;
  return { revive: (value) => revive(root, value, marked), kindAt: (path) => kindAt(root, path) };
}

/** A node of the schema, with what else says something about the same value, and what lies below it. */
interface Place {
  readonly schema: JsonSchema;
  readonly kind: NativeKind | undefined;
  /** A reference and the parts of `allOf`. */
  readonly also: Place[];
  readonly choices: Place[][];
  readonly properties: Map<string, Place>;
  readonly patterns: [RegExp, Place][];
  readonly others: Place[];
  readonly prefix: Place[];
  readonly items: Place[];
}

function newPlace(schema: JsonSchema): Place {
  const none = { also: [], choices: [], properties: new Map(), patterns: [], others: [], prefix: [], items: [] };
  return { schema, kind: markOf(schema), ...none };
}

/** What says nothing. */
const anything: Place = newPlace({});

function placeOf(root: JsonSchema, schema: JsonSchema, places: Map<JsonSchema, Place>): Place {
  const known = places.get(schema);
  if (known !== undefined) return known;
  const place = newPlace(schema);
  places.set(schema, place);
  const one = (part: unknown): Place => (isRecord(part) ? placeOf(root, part, places) : anything);
  const all = (parts: unknown): Place[] => (Array.isArray(parts) ? parts.map(one) : []);
  const given = (part: unknown): Place[] => (part === undefined ? [] : [one(part)]);
  place.also.push(...all(schema.allOf), ...given(localTarget(root, schema.$ref)));
  for (const choice of [schema.anyOf, schema.oneOf]) if (Array.isArray(choice)) place.choices.push(all(choice));
  for (const [key, part] of entriesOf(schema.properties)) place.properties.set(key, one(part));
  for (const [pattern, part] of entriesOf(schema.patternProperties))
    place.patterns.push([new RegExp(pattern, "u"), one(part)]);
  place.others.push(...given(schema.additionalProperties));
  place.prefix.push(...all(schema.prefixItems));
  place.items.push(...given(schema.items));
  return place;
}

/** Every place that is marked, or from which a marked one can be reached. */
function markedPlaces(places: Iterable<Place>): ReadonlySet<Place> {
  const leadingTo = new Map<Place, Place[]>();
  const marked = new Set<Place>();
  for (const place of places) {
    if (place.kind !== undefined) marked.add(place);
    const below = [
      ...place.properties.values(),
      ...place.patterns.map(([, part]) => part),
      ...place.others,
      ...place.prefix,
      ...place.items,
    ];
    for (const target of [...place.also, ...place.choices.flat(), ...below])
      leadingTo.set(target, [...(leadingTo.get(target) ?? []), place]);
  }
  // A set that grows while it is walked is walked to its end.
  for (const place of marked) for (const before of leadingTo.get(place) ?? []) marked.add(before);
  return marked;
}

function revive(place: Place, value: unknown, marked: ReadonlySet<Place>): unknown {
  if (!marked.has(place)) return value;
  if (place.kind !== undefined) return readNative(place.kind, value);
  let revived = value;
  for (const part of place.also) revived = revive(part, revived, marked);
  for (const choice of place.choices) {
    // As libraries do: the first alternative that takes the value.
    const taken = choice.find((part) => takes(part, revived, 0));
    if (taken !== undefined) revived = revive(taken, revived, marked);
  }
  if (Array.isArray(revived)) return reviveItems(place, revived, marked);
  return isRecord(revived) ? reviveProperties(place, revived, marked) : revived;
}

function reviveItems(place: Place, items: readonly unknown[], marked: ReadonlySet<Place>): readonly unknown[] {
  let copy: unknown[] | undefined;
  for (let index = 0; index < items.length; index++) {
    const part = itemPlace(place, index);
    const item = part === undefined ? items[index] : revive(part, items[index], marked);
    if (item === items[index]) continue;
    copy ??= [...items];
    copy[index] = item;
  }
  return copy ?? items;
}

function reviveProperties(place: Place, record: JsonSchema, marked: ReadonlySet<Place>): JsonSchema {
  let copy: Record<string, unknown> | undefined;
  for (const key of Object.keys(record)) {
    const part = propertyPlace(place, key);
    const item = part === undefined ? record[key] : revive(part, record[key], marked);
    if (item === record[key]) continue;
    copy ??= { ...record };
    // Not by assignment, which would take `__proto__` for something else.
    Object.defineProperty(copy, key, { value: item, enumerable: true, writable: true, configurable: true });
  }
  return copy ?? record;
}

/** Whether an alternative takes the value, as far as types, constants and keys tell. */
function takes(place: Place, value: unknown, depth: number): boolean {
  const { schema, kind } = place;
  if (kind !== undefined)
    return kind === "date" ? readNative(kind, value) instanceof Date : typeof readNative(kind, value) === "bigint";
  // A recursive schema is looked at so far down; the library itself has the last word.
  if (depth > 16) return true;
  if ("const" in schema && schema.const !== value) return false;
  if (Array.isArray(schema.enum) && !schema.enum.includes(value)) return false;
  if (schema.type !== undefined && ![schema.type].flat().some((type) => isOfType(type, value))) return false;
  const look = (part: Place): boolean => takes(part, value, depth + 1);
  if (!place.also.every(look) || !place.choices.every((choice) => choice.some(look))) return false;
  if (Array.isArray(value))
    return value.every((item, index) => takes(itemPlace(place, index) ?? anything, item, depth + 1));
  if (!isRecord(value)) return true;
  const required = Array.isArray(schema.required) ? schema.required : [];
  if (!required.every((key) => Object.hasOwn(value, key))) return false;
  return Object.keys(value).every((key) => takes(propertyPlace(place, key) ?? anything, value[key], depth + 1));
}

function isOfType(type: unknown, value: unknown): boolean {
  if (type === "null") return value === null;
  if (type === "array") return Array.isArray(value);
  if (type === "object") return isRecord(value);
  if (type === "integer") return Number.isInteger(value);
  return typeof value === type;
}

function kindAt(root: Place, path: readonly PropertyKey[]): NativeKind | undefined {
  let at = new Set([root]);
  for (const key of [...path, undefined]) {
    // With all that stands for the same value.
    for (const place of at) for (const same of [place.also, ...place.choices].flat()) at.add(same);
    if (key === undefined) break;
    at = new Set(
      [...at].flatMap(
        (place) => (typeof key === "number" ? itemPlace(place, key) : propertyPlace(place, String(key))) ?? [],
      ),
    );
  }
  for (const place of at) if (place.kind !== undefined) return place.kind;
  return undefined;
}

function itemPlace(place: Place, index: number): Place | undefined {
  return index < place.prefix.length ? place.prefix[index] : place.items[0];
}

function propertyPlace(place: Place, key: string): Place | undefined {
  return place.properties.get(key) ?? place.patterns.find(([pattern]) => pattern.test(key))?.[1] ?? place.others[0];
}

function entriesOf(map: unknown): [string, unknown][] {
  return isRecord(map) ? Object.entries(map) : [];
}
