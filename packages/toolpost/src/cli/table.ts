// Rows of text as columns, two spaces apart. The last column is as wide as it is, or is cut to the line.
// It must not colour or escape: what it is given is measured as it is.

/** One line per row. `columns`: characters in a line, unbounded without. Cells must be visible text on one line. */
export function formatTable(rows: readonly (readonly string[])[], columns?: number): string[] {
  const widths: number[] = [];
  for (const row of rows)
    for (const [index, cell] of row.entries()) widths[index] = Math.max(widths[index] ?? 0, lengthOf(cell));
  return rows.map((row) => {
    const line = row
      .map((cell, index) => (index === row.length - 1 ? cell : cell + " ".repeat(widths[index]! - lengthOf(cell))))
      .join("  ");
    return columns === undefined ? line : cut(line, columns);
  });
}

function lengthOf(text: string): number {
  return [...text].length;
}

function cut(line: string, columns: number): string {
  const characters = [...line];
  return characters.length <= columns ? line : `${characters.slice(0, Math.max(columns - 1, 1)).join("")}…`;
}
