// Texts on their way to a model or a terminal: measured and cut in UTF-8, made well-formed, made visible.
// It must not split a character, and must not do work in proportion to a text it is only asked to cut.

/** A text and its length in bytes of UTF-8. */
export interface CutText {
  readonly text: string;
  readonly bytes: number;
}

/** Length in bytes of UTF-8; a lone surrogate counts 3, as its replacement U+FFFD does. */
export function utf8Length(text: string): number {
  return byteLength(text);
}

const { byteLength } = Buffer;

/**
 * The longest prefix of whole characters (code points) that takes at most `maxBytes` bytes of UTF-8.
 * A text that fits comes back as it is. A cut one is a copy, so it does not keep its source in memory,
 * and each lone surrogate in it has become U+FFFD. Takes time in proportion to `maxBytes`.
 */
export function cutUtf8(text: string, maxBytes: number): CutText {
  const bound = toBound(maxBytes);
  return fitting(text, bound) ?? copied(text, startWithin(text, bound));
}

/** Like {@link cutUtf8}, for a look only: a cut text is no copy, so it keeps its source in memory as long as it lives. */
export function viewUtf8(text: string, maxBytes: number): string {
  const bound = toBound(maxBytes);
  return fitting(text, bound)?.text ?? wellFormed(text.slice(0, startWithin(text, bound).units));
}

/**
 * Like {@link cutUtf8}, but a text that is too long ends before its last white space (space, tab or line
 * break) if one lies in the final `window` bytes of what would be kept, so that no word is cut in two.
 * The white space itself is dropped; `bytes` counts what is kept.
 */
export function cutAtWhiteSpace(text: string, maxBytes: number, window = 256): CutText {
  const bound = toBound(maxBytes);
  const whole = fitting(text, bound);
  if (whole !== undefined) return whole;
  return copied(text, wordEnd(text, startWithin(text, bound), window));
}

/** The same text, which keeps no longer one in memory that it was a part of. */
export function detached(text: string): string {
  // Longer than that, a string has pages of its own, and the system is asked for them: parts cost a hundredth of it.
  // One buffer for all of them: making one costs more than what is copied.
  scratch ??= Buffer.allocUnsafeSlow(2 * copyUnits);
  let copy = "";
  for (let from = 0; from < text.length; from += copyUnits) {
    const part = text.slice(from, from + copyUnits);
    // One byte for each character where that is enough; else a text would grow by being copied.
    const encoding = beyondLatin1.test(part) ? "utf16le" : "latin1";
    copy += scratch.toString(encoding, 0, scratch.write(part, encoding));
  }
  return copy;
}

const copyUnits = 16_384;
let scratch: Buffer | undefined;
const beyondLatin1 = /[\u0100-\uffff]/;

/** The text with each lone surrogate replaced by U+FFFD; the same string when there is none. */
export function wellFormed(text: string): string {
  return text.isWellFormed() ? text : text.toWellFormed();
}

/**
 * The same text in one piece. A text that was put together of others is a tree of them to the engine, which copies it
 * into one when it is read, and then still goes through the tree's root each time: reading it is two to four times as
 * slow, and the first reading by a regular expression worst of all. Of the ways to the copy itself trimming is the
 * cheapest; a text that starts with white space stays a tree.
 */
export function inOnePiece(text: string): string {
  const trimmed = text.trimStart();
  return trimmed.length === text.length ? trimmed : text;
}

/** The text on one line: each line break (CRLF, LF, CR, U+2028, U+2029) becomes one space. */
export function oneLine(text: string): string {
  return text.replace(/\r\n|[\n\r\u2028\u2029]/g, " ");
}

/**
 * The text as a terminal may safely show it: whatever moves the cursor, turns the reading direction or
 * cannot be seen is written out as an escape (`\x1b`, `\u202e`, `\u{e0041}`, `\n`, `\t`).
 * @param options.keepLineBreaks line feeds and tabs stay as they are; carriage returns never do.
 */
export function visible(text: string, options?: { readonly keepLineBreaks?: boolean }): string {
  const keep = options?.keepLineBreaks === true;
  unseen ??= makeUnseen();
  return text.replace(unseen, (character) =>
    keep && (character === "\n" || character === "\t") ? character : escapeOf(character),
  );
}

/**
 * Control characters, lone surrogates, all that Unicode says to draw as nothing (bidi controls, zero-width
 * characters, tags, variation selectors; Default_Ignorable_Code_Point of UAX #44), the two exotic line
 * breaks and interlinear marks. A variation selector right after a pictograph stays: `❤️` is what it shows.
 */
function makeUnseen(): RegExp {
  return /(?<!\p{Extended_Pictographic})[\ufe0e\ufe0f]|[[\p{Cc}\p{Cs}\p{Default_Ignorable_Code_Point}\u2028\u2029\ufff9-\ufffb]--[\ufe0e\ufe0f]]/gv;
}

// Made at its first use: to read all these classes takes longer than everything else on loading.
let unseen: RegExp | undefined;

const named: Readonly<Record<string, string>> = { "\n": "\\n", "\r": "\\r", "\t": "\\t" };

function escapeOf(character: string): string {
  const short = named[character];
  if (short !== undefined) return short;
  const hex = character.codePointAt(0)!.toString(16);
  if (hex.length <= 2) return `\\x${hex.padStart(2, "0")}`;
  return hex.length <= 4 ? `\\u${hex.padStart(4, "0")}` : `\\u{${hex}}`;
}

function toBound(maxBytes: number): number {
  return maxBytes >= 1 ? Math.floor(maxBytes) : 0;
}

/** The text with its length if it fits; undefined if not, found out without measuring a long text. */
function fitting(text: string, bound: number): CutText | undefined {
  // A UTF-16 unit is at least one byte of UTF-8 (a pair of them is four).
  if (text.length > bound) return undefined;
  const bytes = utf8Length(text);
  return bytes <= bound ? { text, bytes } : undefined;
}

/** Where a prefix ends: in UTF-16 units, and in bytes of UTF-8. */
interface End {
  readonly units: number;
  readonly bytes: number;
}

/**
 * The longest prefix of whole characters within the bound, found by measuring: in steps, ever smaller ones once a step is
 * too long. Nothing is encoded, and little is looked at that does not fit.
 */
function startWithin(text: string, bound: number): End {
  let units = 0;
  let bytes = 0;
  let step = longestStep;
  while (step >= leastStep) {
    const end = isWithinPair(text, units + step) ? units + step - 1 : units + step;
    const longer = end > text.length || end > bound ? Infinity : bytes + utf8Length(text.slice(units, end));
    if (longer > bound) {
      step /= 2;
    } else {
      units = end;
      bytes = longer;
    }
  }
  // A step may have stopped short of half a pair, so the last of them are single characters.
  for (;;) {
    const size = sizeOf(text.codePointAt(units));
    if (bytes + size > bound) return { units, bytes };
    units += size === 4 ? 2 : 1;
    bytes += size;
  }
}

const longestStep = 4_096;
const leastStep = 16;

function isWithinPair(text: string, index: number): boolean {
  return isSurrogate(text.charCodeAt(index - 1), 0xd800) && isSurrogate(text.charCodeAt(index), 0xdc00);
}

/** @param first of its kind, high or low; what stands beyond a text (NaN) is of neither. */
function isSurrogate(code: number, first: number): boolean {
  return code >= first && code < first + 0x400;
}

/** Bytes of UTF-8; more than any bound where the text has ended. A lone surrogate takes what stands for it. */
function sizeOf(codePoint: number | undefined): number {
  if (codePoint === undefined) return Number.POSITIVE_INFINITY;
  if (codePoint < 0x80) return 1;
  return codePoint < 0x800 ? 2 : codePoint < 0x1_0000 ? 3 : 4;
}

function copied(text: string, { units, bytes }: End): CutText {
  return { text: detached(wellFormed(text.slice(0, units))), bytes };
}

/** Where to end so that no word is split: before the last white space in the window, else where it ended. */
function wordEnd(text: string, end: End, window: number): End {
  let { units, bytes } = end;
  while (units > 0 && end.bytes - bytes < window) {
    const code = text.charCodeAt(--units);
    bytes -= isSurrogate(code, 0xdc00) && isWithinPair(text, units) ? 1 : sizeOf(code);
    if (code === 0x0a && text.charCodeAt(units - 1) === 0x0d) return { units: units - 1, bytes: bytes - 1 };
    if (code === 0x20 || code === 0x09 || code === 0x0a || code === 0x0d) return { units, bytes };
  }
  return end;
}
