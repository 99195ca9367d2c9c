// How large a value may be before the JSON encoder gives a mark for the rest of it.
// Without limits a few shared references could unfold to more than any memory holds, and a cycle to more yet.

/** Levels of nesting that are written: far below what overflows the stack of a recursive reader. */
export const maxDepth = 500;

/** Parts that are written; each value counts one, a string one more for every 128 UTF-16 units. */
export const maxParts = 5_000_000;

export function partsOf(text: string): number {
  return 1 + (text.length >>> 7);
}
