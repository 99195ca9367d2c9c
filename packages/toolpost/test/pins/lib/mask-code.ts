// Blanks whatever is not code: comments, and what stands inside strings, templates and regular expressions.
// Length and line breaks stay, so an index into the masked text is an index into the source. Quotes stay too, and the
// code in `${…}` is kept. It must not be taken for a parser: it knows lexical shapes and nothing of grammar.

/** The source with everything but code replaced by spaces. */
export function maskCode(source: string): string {
  const chars = source.split("");
  const templates: number[] = [];
  let at = 0;
  let previous = 0;

  while (at < source.length) {
    const two = source.slice(at, at + 2);
    const one = source.charAt(at);
    if (two === "//") at = blank(at, lineEnd(at));
    else if (two === "/*") at = blank(at, after("*/", at + 2));
    else if (one === '"' || one === "'") at = previous = quoted(at, one);
    else if (one === "`") at = previous = template(at + 1);
    else if (one === "/" && startsRegExp(source.slice(Math.max(0, previous - 12), previous)))
      at = previous = regExp(at);
    else if (one === "}" && templates.at(-1) === 0) {
      templates.pop();
      at = previous = template(at + 1);
    } else {
      if (templates.length > 0 && one === "{") templates.push((templates.pop() ?? 0) + 1);
      if (templates.length > 0 && one === "}") templates.push((templates.pop() ?? 0) - 1);
      at += 1;
      if (one.trim() !== "") previous = at;
    }
  }
  return chars.join("");

  function blank(from: number, to: number): number {
    for (let i = from; i < to; i++) if (chars[i] !== "\n") chars[i] = " ";
    return to;
  }

  function lineEnd(from: number): number {
    const end = source.indexOf("\n", from);
    return end < 0 ? source.length : end;
  }

  function after(mark: string, from: number): number {
    const end = source.indexOf(mark, from);
    return end < 0 ? source.length : end + mark.length;
  }

  /** From an opening quote to behind the closing one. */
  function quoted(from: number, quote: string): number {
    let end = from + 1;
    while (end < source.length && source[end] !== quote && source[end] !== "\n") end += source[end] === "\\" ? 2 : 1;
    blank(from + 1, end);
    return end + 1;
  }

  /** From inside a template to behind its end, or to the code of its next `${`. */
  function template(from: number): number {
    let end = from;
    while (end < source.length && source[end] !== "`" && source.slice(end, end + 2) !== "${") {
      end += source[end] === "\\" ? 2 : 1;
    }
    blank(from, end);
    if (source[end] !== "$") return end + 1;
    templates.push(0);
    return end + 2;
  }

  function regExp(from: number): number {
    let end = from + 1;
    let inClass = false;
    while (end < source.length && source[end] !== "\n" && (inClass || source[end] !== "/")) {
      if (source[end] === "[") inClass = true;
      if (source[end] === "]") inClass = false;
      end += source[end] === "\\" ? 2 : 1;
    }
    blank(from + 1, end);
    return end + 1;
  }
}

/** A slash divides after a value, and opens a regular expression after anything else. */
function startsRegExp(before: string): boolean {
  const word = /[\w$]+$/.exec(before)?.[0];
  if (word !== undefined)
    return /^(?:return|typeof|case|in|of|delete|void|instanceof|new|throw|await|yield|else|do)$/.test(word);
  return !/[)\]}"'`]$/.test(before);
}
