// Masks, then cuts, what a model reads. Reads the bound plus a window, never the whole of a long text:
// a secret on the cut is still seen, and five megabytes cost what the bound costs.
// The marker stands outside the bound and counts what really was kept.

import type { Redact } from "../core/govern.ts";
import { formatInteger } from "../std/format.ts";
import { cutAtWhiteSpace, detached, inOnePiece, utf8Length, viewUtf8, wellFormed } from "../std/text.ts";

const WINDOW = 4096;
/** Of UTF-8, for one unit of UTF-16. */
const MOST_BYTES_OF_A_UNIT = 3;

export interface BoundText {
  /** Masked, cut, with the marker where it was cut. */
  readonly text: string;
  /** Bytes before masking and cutting. */
  readonly total: number;
  /** Bytes of the text without the marker. */
  readonly kept: number;
  readonly isTruncated: boolean;
}

/** The text is well-formed, whatever `raw` is: a lone surrogate becomes U+FFFD, which is as long. */
export function boundText(raw: string, maxBytes: number, redact: Redact): BoundText {
  const most = maxBytes + WINDOW;
  const isShort = raw.length * MOST_BYTES_OF_A_UNIT <= most;
  const whole = isShort ? inOnePiece(raw) : raw;
  const total = utf8Length(whole);
  const isWhole = total <= most;
  // The whole of a long text is not looked at for that.
  const read = isWhole ? wellFormed(whole) : viewUtf8(whole, most);
  const masked = redact(read, isWhole);
  if (isWhole && masked === read && total <= maxBytes) return { text: read, total, kept: total, isTruncated: false };
  const cut = cutAtWhiteSpace(masked, maxBytes);
  if (isWhole && cut.text === masked) return { text: masked, total, kept: cut.bytes, isTruncated: false };
  // Of a long text that masking made short enough, what is left may still be parts of the whole.
  const kept = cut.text === masked ? detached(masked) : cut.text;
  return { text: kept + truncationMarker(total, cut.bytes), total, kept: cut.bytes, isTruncated: true };
}

/** The commas are put in by a regular expression: the engine keeps what it matched last, and lets go of the long text. */
export function truncationMarker(total: number, kept: number): string {
  return `\n[result truncated: ${formatInteger(total)} bytes, the first ${formatInteger(kept)} kept]`;
}
