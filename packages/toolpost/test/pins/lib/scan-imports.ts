// Finds every way a file names another module: imports, re-exports, `import(…)` in code and in types, `require`.
// Type imports count as much as the others; a module loader never shows them, so they are read from the text.
import { maskCode } from "./mask-code.ts";

export interface Import {
  /** The module's name as written; `undefined` when it is computed. */
  readonly specifier: string | undefined;
  /** `call` is `import(…)`, lazy code and inline types alike, and `require(…)`. */
  readonly kind: "value" | "type" | "call";
  readonly reExport: boolean;
  readonly line: number;
}

const clause = String.raw`(?:[\w$]+\s*,?\s*)?(?:\*\s*as\s+[\w$]+\s*|\{[^{}]*\}\s*)?`;
const quote = "[\"'`]";
const forms = new RegExp(
  [
    String.raw`(?<![\w$.#])import\s+(?<importType>type\b\s*(?!\s|from\b))?${clause}from\s*(?=${quote})`,
    String.raw`(?<![\w$.#])import\s*(?:\*\s*as\s+[\w$]+\s*|\{[^{}]*\}\s*)from\s*(?=${quote})`,
    String.raw`(?<![\w$.#])import\s*(?=${quote})`,
    String.raw`(?<![\w$.#])(?<export>export)\s*(?<exportType>type\s*)?(?:\*(?:\s*as\s+[\w$]+)?|\{[^{}]*\})\s*from\s*(?=${quote})`,
    String.raw`(?<![\w$.#])(?<call>import|require)\s*\(\s*`,
  ].join("|"),
  "g",
);

/** The modules a source text names, in the order of the text. */
export function scanImports(source: string): Import[] {
  const masked = maskCode(source);
  return [...masked.matchAll(forms)].map((match) => {
    const groups = match.groups ?? {};
    return {
      specifier: literalAt(source, masked, match.index + match[0].length),
      kind: groups.call ? "call" : groups.importType || groups.exportType ? "type" : "value",
      reExport: groups.export !== undefined,
      line: source.slice(0, match.index).split("\n").length,
    };
  });
}

function literalAt(source: string, masked: string, start: number): string | undefined {
  const mark = masked.charAt(start);
  if (!/["'`]/.test(mark)) return undefined;
  const end = masked.indexOf(mark, start + 1);
  const next = masked
    .slice(end + 1)
    .trimStart()
    .charAt(0);
  const computed = mark === "`" && masked.slice(start + 1, end).includes("${");
  return computed || /[+.]/.test(next) ? undefined : source.slice(start + 1, end);
}
