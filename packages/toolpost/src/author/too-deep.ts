// Tells values that are nested without measure from all else that throws: many things throw a RangeError.
// It must not take an author's own RangeError for one of these.

/** Thrown before the stack is used up, by what counts the levels of a value. */
export class TooDeepError extends RangeError {}

/** True for what the engine throws when calls are nested without end, and for a `TooDeepError`. */
export function isTooDeep(error: unknown): boolean {
  return error instanceof TooDeepError || (error instanceof RangeError && error.message.includes("call stack"));
}
