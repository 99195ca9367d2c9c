// Texts on their way to a model or a terminal: measured and cut in UTF-8, made well-formed, made visible.
// It must not split a character, and must not do work in proportion to a text it is only asked to cut.

/** A text and its length in bytes of UTF-8. */
export interface CutText {
  readonly text: string;
  readonly bytes: number;
}

/** Length in bytes of UTF-8; a lone surrogate counts 3, as its replacement U+FFFD does. */
export function utf8Length(text: string): number {
  return Buffer.byteLength(text, "utf8");
}

/**
 * The longest prefix of whole characters (code points) that takes at most `maxBytes` bytes of UTF-8.
 * A text that fits comes back as it is. A cut one is a copy, so it does not keep its source in memory,
 * and each lone surrogate in it has become U+FFFD. Takes time in proportion to `maxBytes`.
 */
export function cutUtf8(text: string, maxBytes: number): CutText {
  const bound = toBound(maxBytes);
  return fitting(text, bound) ?? decode(encodePrefix(text, bound));
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
  const kept = encodePrefix(text, bound);
  return decode(kept.subarray(0, wordEnd(kept, window)));
}

/** The text with each lone surrogate replaced by U+FFFD; the same string when there is none. */
export function wellFormed(text: string): string {
  return text.isWellFormed() ? text : text.toWellFormed();
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

function encodePrefix(text: string, bound: number): Uint8Array {
  const buffer = new Uint8Array(bound);
  // The slice may end in half a pair, but then no room is left for the three bytes of its replacement.
  const { written } = encoder.encodeInto(text.slice(0, bound), buffer);
  return buffer.subarray(0, written);
}

const encoder = new TextEncoder();

function decode(utf8: Uint8Array): CutText {
  const text = Buffer.from(utf8.buffer, utf8.byteOffset, utf8.byteLength).toString("utf8");
  return { text, bytes: utf8.byteLength };
}

/** Where to end so that no word is split: the start of the last white space in the window, else the end. */
function wordEnd(utf8: Uint8Array, window: number): number {
  // Bytes below 0x80 never are part of a longer character, so looking at bytes is enough.
  for (let index = utf8.length - 1; index >= 0 && index >= utf8.length - window; index--) {
    const byte = utf8[index];
    if (byte === 0x0a && utf8[index - 1] === 0x0d) return index - 1;
    if (byte === 0x20 || byte === 0x09 || byte === 0x0a || byte === 0x0d) return index;
  }
  return utf8.length;
}
