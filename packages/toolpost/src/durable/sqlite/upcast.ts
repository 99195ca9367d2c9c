// Stored values carry their version; what older versions wrote is read as today's. Today there is one.
// A value of a newer version, or none at all, is refused in words: nothing is guessed.

import { ToolpostError } from "../../core/errors.ts";
import type { Json } from "../../std/json.ts";

/** Of the values, each on its own: old ones stay as they are. */
export const valueVersion = 1;

/** What a stored value holds: `type` says what it is of, such as `step` or `request`. */
export interface StoredValue {
  readonly v: number;
  readonly type: string;
  readonly value: Json;
}

export function upcast(stored: unknown): StoredValue {
  const { v } = (stored ?? {}) as Partial<StoredValue>;
  if (v === valueVersion) return stored as StoredValue;
  throw new ToolpostError(
    "engine.unreadable",
    typeof v === "number" && v > valueVersion
      ? `a stored value is of version ${v}, and this Toolpost knows ${valueVersion}: it was written by a newer one`
      : "a stored value is not of the form `{ v, type, value }`",
  );
}
