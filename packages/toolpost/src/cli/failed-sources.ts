// Sources that gave no tools, told on standard error, and what that means for a command.

import type { SourceStatus } from "../core/source.ts";
import type { Terminal } from "./terminal.ts";

/** Tells of each failed source. */
export function tellFailedSources(failed: readonly SourceStatus[], terminal: Terminal): void {
  for (const { name, kind, problem } of failed) {
    terminal.tell(`warning: the ${kind} source \`${name}\` gave no tools: ${problem ?? "it did not say why"}`, "yellow");
  }
}
