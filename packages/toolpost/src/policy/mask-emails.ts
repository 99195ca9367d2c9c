// E-mail addresses (RFC 5322, RFC 6531): found by their `@`, so that a text without one is not looked at.
// Names of packages and accounts stay: `@scope/name`, `name@1.2.3`.

import type { Redact } from "../core/govern.ts";

export const maskEmails: Redact = (text, isComplete) => {
  let masked = "";
  let done = 0;
  for (let at = text.indexOf("@"); at !== -1; at = text.indexOf("@", at + 1)) {
    const start = startOfName(text, at, done);
    const end = start === at ? -1 : endOfHost(text, at + 1, isComplete);
    if (end === -1) continue;
    masked += `${text.slice(done, start)}[email]`;
    done = end;
  }
  return masked + text.slice(done);
};

const longestName = 64;
// Patterns stand where they are used: reading a class such as `\p{L}` takes longer than all else this file does on loading.

function startOfName(text: string, at: number, from: number): number {
  const nameCharacter = /[\p{L}\p{M}\d!#$%&*+/=?^_`{|}~.'-]/u;
  let start = at;
  const least = Math.max(from, at - longestName);
  while (start > least && nameCharacter.test(text.charAt(start - 1))) start--;
  // The letter of an escape (`\nbob@…`) and marks before the name are no part of it.
  if (text[start - 1] === "\\" && /[nrt]/.test(text.charAt(start))) start++;
  return start + /^[^\p{L}\d]*/u.exec(text.slice(start, at))![0].length;
}

function endOfHost(text: string, from: number, isComplete: boolean): number {
  // Labels, of which the last one is not a number.
  const host =
    /(?:[\p{L}\p{M}\d](?:[\p{L}\p{M}\d-]{0,61}[\p{L}\p{M}\d])?\.){1,8}(?:xn--[a-z\d-]{2,59}|\p{L}[\p{L}\p{M}]{1,23})(?![\p{L}\d_])/uy;
  host.lastIndex = from;
  if (host.test(text)) return host.lastIndex;
  // Cut within the host: whatever it was to become.
  return !isComplete && /^[\p{L}\p{M}\d.-]*$/u.test(text.slice(from, from + 256)) && text.length <= from + 256
    ? text.length
    : -1;
}
