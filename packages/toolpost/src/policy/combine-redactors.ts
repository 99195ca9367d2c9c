// Several redactors as one.
// A guard never vanishes: one that throws, or gives back no text, makes the whole throw.

import type { Redact } from "../core/govern.ts";
import { swallow } from "../std/soon.ts";

/** A redactor that passes the text through all of them, in order. Without any it gives the text as it is. */
export function combineRedactors(...redactors: readonly Redact[]): Redact {
  return (text, isComplete) => {
    let masked = text;
    for (const redact of redactors) {
      const next: unknown = redact(masked, isComplete);
      if (typeof next !== "string") {
        swallow(next);
        throw new TypeError(`a redactor returned \`${typeof next}\`: it must return the masked text, synchronously`);
      }
      masked = next;
    }
    return masked;
  };
}
