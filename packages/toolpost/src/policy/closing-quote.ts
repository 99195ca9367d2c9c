// Where a quoted text ends, also inside JSON inside JSON. RFC 8259, section 7.
// In doubt it must go too far: what lies behind the end is shown.

/**
 * The offset of the end of a text that was opened before `from` by `quote` behind `depth` backslashes, -1 when it is
 * not closed. Each level of JSON inside JSON doubles the backslashes and adds one: a quote behind fewer closes an outer
 * text, one behind more may be a part of this one.
 */
export function closingQuote(text: string, from: number, quote: string, depth: number): number {
  for (let at = text.indexOf(quote, from); at !== -1; at = text.indexOf(quote, at + 1)) {
    let slashes = 0;
    while (at - slashes > from && text[at - slashes - 1] === "\\") slashes++;
    if (slashes < depth) return at - slashes;
    // Pairs of backslashes, each written with `depth + 1`, are backslashes; one left over escapes the quote.
    if (((slashes - depth) / (depth + 1)) % 2 !== 0) continue;
    // YAML and SQL double an apostrophe within a text.
    if (quote === "'" && at > from && text[at + 1] === "'") at++;
    else return at - depth;
  }
  return -1;
}
