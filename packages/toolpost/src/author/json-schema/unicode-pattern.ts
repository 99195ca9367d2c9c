// Patterns of JSON Schema in the form that is compiled, with the `u` flag (ECMA-262, as JSON Schema recommends).
// Many are written for laxer engines: `[\w-.]`, `\-`, `\_`, a lone `}`. Those keep their meaning.
// It must not drop a pattern it cannot translate.

import { unusableSchema } from "./kinds.ts";

/** Throws `ToolpostError` (`tool.schema-unusable`) for what is no regular expression. */
export function unicodePattern(pattern: unknown, place: string): string {
  if (typeof pattern === "string") {
    for (const form of [pattern, strictForm(pattern)]) if (compiles(form)) return form;
  }
  throw unusableSchema(place, `a regular expression, got ${JSON.stringify(pattern)}`);
}

function compiles(pattern: string): boolean {
  try {
    new RegExp(pattern, "u");
    return true;
  } catch {
    return false;
  }
}

/** A class, or outside of classes an escape, a quantifier or one character. */
const tokens: RegExp = /\[(?:\\.|[^\]\\])*\]|\\.|\{\d+(?:,\d*)?\}|./gsu;

function strictForm(pattern: string): string {
  return pattern.replace(tokens, (token) => {
    if (token.length > 1 && token.startsWith("[")) return strictClass(token);
    if (token === "{" || token === "}" || token === "]") return `\\${token}`;
    return strictEscape(token);
  });
}

/** A `-` beside `\w` and the like is no range but itself. */
function strictClass(characters: string): string {
  return characters
    .replace(/\\./gsu, (token) => (token === "\\-" ? token : strictEscape(token)))
    .replace(/(\\[dDsSwW])-(?!\])/g, "$1\\-")
    .replace(/(?<!^\[\^?|\\)-(?=\\[dDsSwW])/g, "\\-");
}

/** The character itself where the `u` flag forbids to escape it; anchors of other engines become ours. */
function strictEscape(token: string): string {
  if (!token.startsWith("\\") || token.length < 2) return token;
  const escaped = token.slice(1);
  if (escaped === "A") return "^";
  if (escaped === "Z" || escaped === "z") return "$";
  return /[\^$\\.*+?()[\]{}|/a-zA-Z0-9]/.test(escaped) ? token : escaped;
}
