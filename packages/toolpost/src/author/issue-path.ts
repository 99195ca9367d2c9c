// The path of a validation issue as people and models read it: `jobs[2].url`, `["a b"]`, empty at the root.
// It must not resolve anything: a path is made of the segments it is given.

import type { StandardSchemaV1 } from "@standard-schema/spec";

type Segment = PropertyKey | StandardSchemaV1.PathSegment;

/** Whole numbers become `[2]`, identifiers `.url`, all else `["a b"]`. */
export function toIssuePath(segments: readonly Segment[] | undefined): string {
  let path = "";
  for (const segment of segments ?? []) {
    const key = typeof segment === "object" && segment !== null ? segment.key : segment;
    if (typeof key === "number") path += `[${key}]`;
    else if (typeof key === "symbol") path += `[${String(key)}]`;
    else if (isIdentifier(key)) path += path === "" ? key : `.${key}`;
    else path += `[${JSON.stringify(key)}]`;
  }
  return path;
}

function isIdentifier(key: string): boolean {
  // Not read on loading: Unicode classes take longer than all else here.
  return /^[\p{ID_Start}$_][\p{ID_Continue}$]*$/u.test(key);
}
