// Where an error of the validator stands: in the schema and in the value.
// Locations are JSON pointers, escaped as for a URL fragment (RFC 6901, section 6).

import type { OutputUnit } from "@cfworker/json-schema";
import type { JsonSchema } from "../../core/schema.ts";
import { isRecord } from "../../std/is-record.ts";
import type { PreparedSchema } from "./prepare-schema.ts";

/** What was validated, against what. */
export interface Validated {
  readonly schema: PreparedSchema;
  readonly value: unknown;
}

export interface LocatedError {
  readonly keyword: string;
  /** The schema the keyword stands in; empty where that cannot be told. */
  readonly node: JsonSchema;
  /** Keys from the root of the value; numbers in arrays. */
  readonly path: readonly (string | number)[];
  /** What is at `path`. */
  readonly value: unknown;
}

export function locateError(
  { keyword, keywordLocation, instanceLocation }: OutputUnit,
  { schema, value }: Validated,
): LocatedError {
  let node: unknown = schema.root;
  for (const key of keysOf(keywordLocation).slice(0, -1)) {
    const next = isRecord(node) || Array.isArray(node) ? (node as JsonSchema)[key] : undefined;
    node = key === "$ref" ? schema.references[String(next)] : next;
  }
  const path: (string | number)[] = [];
  let at = value;
  for (const key of keysOf(instanceLocation)) {
    path.push(Array.isArray(at) ? Number(key) : key);
    at = typeof at === "object" && at !== null && Object.hasOwn(at, key) ? (at as JsonSchema)[key] : undefined;
  }
  return { keyword, node: isRecord(node) ? node : {}, path, value: at };
}

function keysOf(pointer: string): string[] {
  return pointer
    .split("/")
    .slice(1)
    .map((part) => decodeURIComponent(part).replaceAll("~1", "/").replaceAll("~0", "~"));
}
