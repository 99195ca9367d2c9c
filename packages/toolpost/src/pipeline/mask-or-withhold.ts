// Masking where there is no other answer: a text that cannot be masked is not shown.
// For texts beside the result: a result that cannot be masked makes its call fail.

import type { CallScope } from "./call-scope.ts";

/** Masks a text before its line breaks go: some secrets end where their line does. */
export function maskOrWithhold(scope: CallScope): (text: string) => string {
  return (text) => {
    try {
      return scope.slots.redact(text, true);
    } catch {
      return "";
    }
  };
}
