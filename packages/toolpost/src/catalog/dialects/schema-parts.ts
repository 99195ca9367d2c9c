// What every dialect needs of JSON Schema: to look at a part, to follow a reference, to say where something was lost.
// Schemas come from outside, so a part may be anything.

import type { JsonSchema } from "../../core/schema.ts";
import { isRecord } from "../../std/is-record.ts";

/** Something of a schema that a dialect has no word for. Arguments are still validated against the whole schema. */
export interface SchemaLoss {
  /** Like `jobs[].url`, empty at the root. */
  readonly path: string;
  /** One sentence. */
  readonly what: string;
}

/** Takes losses while a schema is rewritten. */
export type NoteLoss = (path: string, what: string) => void;

export function recordsOf(value: unknown): JsonSchema[] {
  return Array.isArray(value) ? value.filter(isRecord) : [];
}

/** The names in `required`. */
export function requiredOf(schema: JsonSchema): string[] {
  return Array.isArray(schema.required) ? schema.required.filter((name) => typeof name === "string") : [];
}

/** The types a schema allows by its `type`; none where it says nothing. */
export function typesOf(schema: JsonSchema): string[] {
  return [schema.type].flat().filter((type) => typeof type === "string");
}

export function propertyPath(path: string, name: string): string {
  return path === "" ? name : `${path}.${name}`;
}

/** What a local reference leads to (RFC 6901 in a fragment); `undefined` for any other. */
export function targetOf(root: JsonSchema, reference: unknown): JsonSchema | undefined {
  if (typeof reference !== "string" || !reference.startsWith("#")) return undefined;
  let place: unknown = root;
  for (const step of reference.slice(1).split("/").slice(1)) {
    const key = decodeURIComponent(step).replaceAll("~1", "/").replaceAll("~0", "~");
    if (typeof place !== "object" || place === null || !Object.hasOwn(place, key)) return undefined;
    place = (place as JsonSchema)[key];
  }
  return isRecord(place) ? place : undefined;
}

/** The schema behind a chain of references, with what stands beside them. */
export function resolved(root: JsonSchema, schema: JsonSchema): JsonSchema {
  let found = schema;
  for (let hops = 0; found.$ref !== undefined && hops < mostHops; hops++) {
    const { $ref, ...siblings } = found;
    const target = targetOf(root, $ref);
    if (target === undefined) return siblings;
    found = { ...target, ...siblings };
  }
  return found;
}

const mostHops = 8;
