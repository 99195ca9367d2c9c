// The path of a validation issue as people and models read it: `jobs[2].url`, `["a b"]`, empty at the root.
// It must not resolve anything: a path is made of the segments it is given.

import type { StandardSchemaV1 } from "@standard-schema/spec";
import { once } from "../std/once.ts";

type Segment = PropertyKey | StandardSchemaV1.PathSegment;

/** Whole numbers become `[2]`, identifiers `.url`, all else `["a b"]`. */
export function toIssuePath(segments: readonly Segment[] | undefined): string {
  let path = "";
  for (const segment of segments ?? []) {
    const key = typeof segment === "object" && segment !== null ? segment.key : segment;
    if (typeof key === "number") path += `[${key}]`;
    else if (typeof key === "symbol") path += `[${String(key)}]`;
    else if (identifier().test(key)) path += path === "" ? key : `.${key}`;
    else path += `[${JSON.stringify(key)}]`;
  }
  return path;
}

/** Put together when first needed: a literal is read when its file is, and Unicode classes take longer than all else of it. */
const identifier = once(() => {
  const [start, further] = [String.raw`\p{ID_Start}`, String.raw`\p{ID_Continue}`];
  return new RegExp(`^[${start}$_][${further}$]*$`, "u");
});
