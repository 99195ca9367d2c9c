// The table of error codes as `docs/errors.md` shows it, made from the one in `src/core/error-table.ts`.
export type ErrorTable = Readonly<Record<string, { readonly meaning: string; readonly fix: string }>>;

const begin = "<!-- error table: begin, written by `npm run docs:errors` -->";
const end = "<!-- error table: end -->";

export function renderErrorTable(table: ErrorTable): string {
  const rows = Object.keys(table)
    .sort()
    .map((code) => `| \`${code}\` | ${cell(table[code]?.meaning)} | ${cell(table[code]?.fix)} |`);
  return ["| code | meaning | fix |", "| --- | --- | --- |", ...rows].join("\n");
}

/** The page with its table made anew. Throws when the page does not mark where the table stands. */
export function withErrorTable(page: string, table: ErrorTable): string {
  const from = page.indexOf(begin);
  const to = page.indexOf(end);
  if (from < 0 || to < from) throw new Error(`the page must hold the lines \`${begin}\` and \`${end}\``);
  return `${page.slice(0, from + begin.length)}\n\n${renderErrorTable(table)}\n\n${page.slice(to)}`;
}

function cell(text = ""): string {
  return text.replaceAll("\n", " ").replaceAll("|", "\\|");
}
