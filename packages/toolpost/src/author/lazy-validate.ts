// A validator that is made at its first call.
// It must not let a value through because making it failed: then it refuses every one.

import type { Validate } from "../core/schema.ts";
import { unvalidated } from "./schema-issues.ts";

/** `make` is called once, again only after it threw. */
export function lazyValidate<T>(make: () => Validate<T>): Validate<T> {
  let validate: Validate<T> | undefined;
  return (value) => {
    try {
      validate ??= make();
    } catch (error) {
      return unvalidated(error);
    }
    return validate(value);
  };
}
