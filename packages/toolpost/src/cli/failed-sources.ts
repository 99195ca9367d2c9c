// Sources that gave no tools: what is missing in a list, and may be why a tool is unknown.
// Whether it is an error is for the command to say.

import type { SourceStatus } from "../core/source.ts";
import type { Terminal } from "./terminal.ts";

/** A line for each failed source, with its reason. */
export function tellFailedSources(failed: readonly SourceStatus[], terminal: Terminal): void {
  for (const { name, kind, problem } of failed) {
    terminal.tell(`no tools from \`${name}\` (${kind}): ${problem ?? "it does not say why"}`, "yellow");
  }
}
