// A default as the model is shown it: JSON, of instances their fields only, as what else they hold is their author's.
// It must not show a part of a default, which would be another one.

import type { Json } from "../../std/json.ts";
import { dtoNotes } from "./dto-note.ts";

/** The value as it was read, if all of it is JSON; else `undefined`. */
export function shownJson(value: unknown): Json | undefined {
  if (value === null || typeof value === "string" || typeof value === "boolean") return value;
  if (typeof value === "number") return Number.isFinite(value) ? value : undefined;
  if (typeof value !== "object" || value instanceof Date) return undefined;
  if (Array.isArray(value)) {
    const items = value.map(shownJson);
    return items.every((item) => item !== undefined) ? items : undefined;
  }
  const isShown = fieldsOf(value);
  const parts: [string, Json][] = [];
  for (const [key, part] of Object.entries(value)) {
    if (part === undefined || !isShown(key)) continue;
    const shown = shownJson(part);
    if (shown === undefined) return undefined;
    parts.push([key, shown]);
  }
  return Object.fromEntries(parts);
}

function fieldsOf(value: object): (key: string) => boolean {
  const notes = dtoNotes((Object.getPrototypeOf(value) as { constructor?: unknown } | null)?.constructor);
  return (key) => notes.length === 0 || notes.some(({ fields }) => fields.has(key));
}
