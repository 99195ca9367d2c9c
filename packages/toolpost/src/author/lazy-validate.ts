// A validator that is made at its first call.
// It must not let a value through because making it failed: then it refuses every one.

import { markWrapper } from "../core/passive-validator.ts";
import type { Validate } from "../core/schema.ts";
import { unvalidated } from "./schema-issues.ts";

/** `make` is called once, again only after it threw. */
export function lazyValidate<T>(make: () => Validate<T>): Validate<T> {
  let made: Validate<T> | undefined;
  const lazy: Validate<T> = (value) => {
    try {
      made ??= make();
    } catch (error) {
      return unvalidated(error);
    }
    return made(value);
  };
  markWrapper(lazy, () => {
    try {
      made ??= make();
    } catch {
      // The first value that is to be validated is told why.
    }
    return made;
  });
  return lazy;
}
