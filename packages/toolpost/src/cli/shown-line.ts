// Foreign text, a description for one, as a part of one line of output.
// It must not let the text move the cursor, hide itself or begin a line of its own.

import { visible } from "../std/text.ts";

/** White space of all kinds as single spaces, what cannot be seen as escapes. */
export function shownLine(text: string): string {
  return visible(text.replace(/\s+/g, " ").trim());
}
