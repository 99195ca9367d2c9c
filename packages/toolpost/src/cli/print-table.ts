// A table on standard output: a bold head, columns as wide as they must be, cut to the line at a terminal.
// Cells are printed as they are given: visible text on one line.

import type { CommandCall } from "./command.ts";
import { formatTable } from "./table.ts";

/** The first row is the head. */
export async function printTable(
  rows: readonly (readonly string[])[],
  { io, terminal }: Pick<CommandCall, "io" | "terminal">,
): Promise<void> {
  // Some terminals say 0 where they do not know.
  const [head = "", ...lines] = formatTable(rows, io.isTerminal.stdout ? io.columns || 80 : undefined);
  await terminal.print(
    `${[terminal.paint(head.trimEnd(), "bold"), ...lines.map((line) => line.trimEnd())].join("\n")}\n`,
  );
}
