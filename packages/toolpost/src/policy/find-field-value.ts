// Where the value behind a field's name stands, in any of the notations that tools put out.
// It only finds; whether the value is a secret is for others to say.

import { closingQuote } from "./closing-quote.ts";
import type { FieldValue } from "./is-harmless-value.ts";

/** A name's place in its text. */
export interface FieldName {
  readonly start: number;
  readonly end: number;
  /** False when the text was cut: a value that is open at its end is all that is left. */
  readonly isComplete: boolean;
}

export interface FoundValue {
  readonly start: number;
  readonly end: number;
  readonly form: FieldValue["form"];
  /** The value is an element of a list, so more may follow. */
  readonly isInList: boolean;
}

export function findFieldValue(text: string, name: FieldName): FoundValue | undefined {
  return (
    assigned(text, name) ??
    encoded(text, name.end) ??
    multipart(text, name.end) ??
    element(text, name) ??
    flag(text, name)
  );
}

/** The next quoted element of a list of values. */
export function nextInList(text: string, end: number, isComplete: boolean): FoundValue | undefined {
  const open = matchAt(listGap, text, end);
  return open === null ? undefined : quoted(text, open, { isInList: true, isComplete });
}

/** `key=value`, `"key": "value"`, `\"key\": \"value\"`, `key => 'value'`, `"name": "key", "value": "value"`. */
function assigned(text: string, { end, isComplete }: FieldName): FoundValue | undefined {
  const operator = matchAt(assignment, text, end);
  if (operator === null) return undefined;
  const from = end + operator[0].length;
  // Only JSON breaks the line between a name and its text; elsewhere something else begins there.
  const open = matchAt(/^[\\"']/.test(operator[0]) ? jsonOpening : opening, text, from);
  if (open !== null && !isPrompt(text, operator[0], from + open[0].length)) {
    return quoted(text, open, { isInList: open[1] !== undefined, isComplete });
  }
  const gap = matchAt(blanks, text, from)![0].length;
  if (gap === 0 && operator[0].endsWith("=") && !/[\s:]/.test(operator[0])) return unquoted(text, from, "joined");
  return structure.test(text.charAt(from + gap)) ? undefined : unquoted(text, from + gap, "loose");
}

const assignment =
  /(?:\\*["'`])?(?:\]|%(?:25)*5[dD])?(?:[ \t]{0,32}(?:=>|:=|={1,3}|:(?!:|\/\/|[ \t]?(?:string|str|String)[ \t]?=(?![=>])))|(?:[?!]?:|[ \t])[ \t]?(?:string|str|String)[ \t]?=|(?:\s{0,32},\s{0,32}|[ \t]*\r?\n[ \t]*)\\*["']?value\\*["']?[ \t]*:)/y;
/** The bracket of a list, the prefix of a literal (`b"…"`), backslashes, the quote. */
const literal = String.raw`(\[\s{0,64})?(?:[A-Za-z@$]{1,2}(?=["']))?(\\*)("""|'''|["'\`])`;
const opening = new RegExp(`[ \\t]{0,64}${literal}`, "y");
const jsonOpening = new RegExp(`\\s{0,64}${literal}`, "y");
const listGap = /(?:\\*["'`])\s{0,64}(,)\s{0,64}(\\*)(["'`])/y;
const blanks = /[ \t]*/y;
/** Starts an object, a list, a bracket of code, an anchor or a tag of YAML; its end is not even looked for. */
const structure = /[[{(&!]/;

/** `input("Password: ")`: the quote closes the prompt that the name stands in. */
function isPrompt(text: string, operator: string, afterQuote: number): boolean {
  return /^[:=]/.test(operator) && matchAt(afterPrompt, text, afterQuote) !== null;
}

const afterPrompt = /[)\],;](?=$|[\s;:,.)\]}])|\n|$/y;

interface Quoting {
  readonly isInList: boolean;
  readonly isComplete: boolean;
}

function quoted(text: string, open: RegExpExecArray, { isInList, isComplete }: Quoting): FoundValue {
  const start = open.index + open[0].length;
  const quote = open[3]!;
  const end = closingQuote(text, start, quote, open[2]!.length);
  // Text in double quotes may run over lines, the other quotes are also apostrophes and code marks.
  const mayBreak = quote === '"' || quote.length === 3;
  if (end !== -1 && (mayBreak || !text.slice(start, end).includes("\n")))
    return { start, end, form: "quoted", isInList };
  const line = text.indexOf("\n", start);
  const isOpen = mayBreak && !isComplete;
  return { start, end: line === -1 || isOpen ? text.length : line, form: "quoted", isInList: false };
}

function unquoted(text: string, start: number, form: "joined" | "loose"): FoundValue {
  const end = start + matchAt(word, text, start)![0].length;
  return { start, end: form === "loose" ? beforeBrackets(text, start, end) : end, form, isInList: false };
}

/** The brackets around a field, and a stop after them, are not its value's unless that has opened them. */
function beforeBrackets(text: string, start: number, end: number): number {
  if (/[[({]/.test(text.slice(start, end))) return end;
  let stop = end;
  while (stop > start && ":;,.?!".includes(text.charAt(stop - 1))) stop--;
  let bracket = stop;
  while (bracket > start && ")]}".includes(text.charAt(bracket - 1))) bracket--;
  return bracket < stop ? bracket : end;
}

/**
 * Up to white space, the next field, the end of the quotes or tags around. `&`, `,` and `;` may be part of a password:
 * they end it where a name or nothing follows. So do line breaks as they are written inside JSON.
 */
const word =
  /(?:[^\s"'`\\,;&<]|\\(?!\\*(?:["'`]|[nrt](?:$|[\\"'`#\s}-]|[\w.-]{1,64} *[:=])))|["'`](?![\s,;:)\]}>.+&|\\]|$)|[,;](?!$|[\s"'\\]|[\w.-]{1,64} ?[:=])|&(?!$|&|[^&=\s]{0,64}=)|<(?![/!A-Za-z]))*/y;

/** `key%3Dvalue`, `%22key%22%3A%22value%22`, each `%` also encoded again. */
function encoded(text: string, end: number): FoundValue | undefined {
  const match = matchAt(encodedField, text, end);
  if (match === null) return undefined;
  const [whole, , inQuotes, bare = ""] = match;
  const until = end + whole.length;
  return {
    start: until - (inQuotes ?? bare).length,
    end: until,
    form: inQuotes === undefined ? "joined" : "quoted",
    isInList: false,
  };
}

const encodedField =
  /(?:%(?:25)*(?:22|27|5d|5c))*(?:%(?:25)*20|\+)*%((?:25)*)3[ad](?:%(?:25)*20|\+)*(?:(?:%\1(?:5c))*%\1(?:22|27)((?:%\1(?:5c)%\1(?:22|5c)|(?!%\1(?:22|27))[^\s&"'<>])*)|((?:(?!%\1(?:26|22|27|2c|7d|3b|0a|0d))[^\s&"'`<>])+))/iy;

/** The part of a multipart form: `name="key"`, an empty line, the value up to the end of its line. */
function multipart(text: string, end: number): FoundValue | undefined {
  const match = matchAt(partHead, text, end);
  if (match === null) return undefined;
  const start = end + match[0].length;
  return { start, end: start + matchAt(line, text, start)![0].length, form: "quoted", isInList: false };
}

const partHead = /\\*"(?:\r?\n[\w-]{1,64}:[^\r\n]{0,256}){0,4}(?:(?:\r?\n){2}|(?:\\+r)?\\+n(?:\\+r)?\\+n)/y;
const line = /(?:[^\r\n\\]|\\(?!\\*[rn]))*/y;

/** `<key>value</key>` */
function element(text: string, { start, end, isComplete }: FieldName): FoundValue | undefined {
  const match = text[end] === ">" ? matchAt(isComplete ? content : cutContent, text, end) : null;
  if (match === null || !/<[\w:.-]*$/.test(text.slice(Math.max(start - 64, 0), start))) return undefined;
  return { start: end + 1, end: end + match[0].length, form: "quoted", isInList: false };
}

const content = />[^<>]+(?=<\/)/y;
const cutContent = />[^<>]+(?=<\/|<?$)/y;

/** `--key value` */
function flag(text: string, { start, end }: FieldName): FoundValue | undefined {
  const gap = matchAt(blanks, text, end)![0].length;
  if (gap === 0 || !/(?:^|[\s"'[(])--?[\w-]*$/.test(text.slice(Math.max(start - 64, 0), start))) return undefined;
  const value = unquoted(text, end + gap, "loose");
  // What stands for the value in a help text is written in capitals.
  return /^[A-Z_]+[\])]*$/.test(text.slice(value.start, value.end)) ? undefined : value;
}

function matchAt(pattern: RegExp, text: string, index: number): RegExpExecArray | null {
  pattern.lastIndex = index;
  return pattern.exec(text);
}
