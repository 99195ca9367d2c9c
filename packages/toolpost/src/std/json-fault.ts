// Where a text stops being JSON (RFC 8259), and what to write there instead: for files that people edit.
// Only asked once JSON.parse has refused a text, as its message often holds no position and never a mend.
// It must show no more of the text than the word at fault: configuration holds secrets.

/** A syntax error: its offset in UTF-16 units, and what is wrong there with its mend. */
export interface JsonFault {
  readonly offset: number;
  readonly message: string;
}

/** The first syntax error of the text; undefined when it is JSON. */
export function findJsonFault(text: string): JsonFault | undefined {
  const open: Closer[] = [];
  let wanted: Wanted = "value";
  let offset = skip(whiteSpace, text, 0);
  while (offset < text.length) {
    const end = skip(token, text, offset);
    const next: Wanted | undefined = end > offset ? advance(text.slice(offset, end), wanted, open) : undefined;
    if (next === undefined) return describe(text, offset, mendOf(wanted, open));
    wanted = next;
    offset = skip(whiteSpace, text, end);
  }
  return wanted === "end" ? undefined : describe(text, offset, mendOf(wanted, open));
}

/** What may come next. */
type Wanted = "value" | "value or ]" | "key" | "key or }" | ":" | ", or close" | "end";
type Closer = "}" | "]";

const whiteSpace = /[ \t\n\r]*/y;
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what JSON forbids in strings
const openString = /"(?:[^"\\\x00-\x1f]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*/y;
const numberOrWord = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null/;
const token = new RegExp(`${openString.source}"|${numberOrWord.source}|[[\\]{}:,]`, "y");
const word = /[\w.+-]{1,30}|./uy;

/** Where the pattern's match at `offset` ends; `offset` itself when it does not match. */
function skip(pattern: RegExp, text: string, offset: number): number {
  pattern.lastIndex = offset;
  return pattern.test(text) ? pattern.lastIndex : offset;
}

/** What may come after the token; undefined when the token itself may not come. */
function advance(found: string, wanted: Wanted, open: Closer[]): Wanted | undefined {
  switch (wanted) {
    case "value":
    case "value or ]":
      if (found === "]" && wanted === "value or ]") return close(open);
      if (found === "{" || found === "[") return enter(found, open);
      return /^[\]}:,]/.test(found) ? undefined : afterValue(open);
    case "key":
    case "key or }":
      if (found === "}" && wanted === "key or }") return close(open);
      return found.startsWith('"') ? ":" : undefined;
    case ":":
      return found === ":" ? "value" : undefined;
    case ", or close":
      if (found === open.at(-1)) return close(open);
      if (found !== ",") return undefined;
      return open.at(-1) === "}" ? "key" : "value";
    case "end":
      return undefined;
  }
}

function enter(bracket: "{" | "[", open: Closer[]): Wanted {
  open.push(bracket === "{" ? "}" : "]");
  return bracket === "{" ? "key or }" : "value or ]";
}

function close(open: Closer[]): Wanted {
  open.pop();
  return afterValue(open);
}

function afterValue(open: readonly Closer[]): Wanted {
  return open.length === 0 ? "end" : ", or close";
}

function mendOf(wanted: Wanted, open: readonly Closer[]): string {
  switch (wanted) {
    case "value":
      return "write a value";
    case "value or ]":
      return "write a value or `]`";
    case "key":
      return "write a key in double quotes";
    case "key or }":
      return "write a key in double quotes or `}`";
    case ":":
      return "write `:` between a key and its value";
    case ", or close":
      return `write \`,\` or \`${open.at(-1)}\``;
    case "end":
      return "take out what follows the end";
  }
}

function describe(text: string, offset: number, mend: string): JsonFault {
  if (offset >= text.length) return { offset, message: `the text ends too early: ${mend}` };
  if (text[offset] === '"') {
    const fault = skip(openString, text, offset);
    if (text[fault] !== '"') return { offset: fault, message: stringFault(text, fault) };
  }
  const found = text.slice(offset, skip(word, text, offset));
  const quoted = /^[\p{L}_']/u.test(found) ? " (text goes in double quotes)" : "";
  return { offset, message: `unexpected \`${found}\`: ${mend}${quoted}` };
}

function stringFault(text: string, offset: number): string {
  if (offset >= text.length) return 'a string is not closed: write `"` after it';
  if (text[offset] === "\\") return "unknown escape in a string: write a backslash as `\\\\`";
  if (text[offset] === "\n" || text[offset] === "\r")
    return 'a string ends with its line: close it with `"`, or write `\\n` for a line break';
  return "control character in a string: write it as an escape such as `\\t` or `\\u001b`";
}
