// E-mail addresses (RFC 5322, RFC 6531): found by their `@`, so that a text without one is not looked at.
// Names of packages and accounts stay: `@scope/name`, `name@1.2.3`.

import type { Redact } from "../core/govern.ts";
import { once } from "../std/once.ts";

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
const bareLetter = String.raw`\p{L}`;
const letter = String.raw`${bareLetter}\p{M}`;

// Put together when first needed: a literal is read when its file is, and Unicode classes take longer than all else of it.
const patterns = once(() => ({
  nameCharacter: new RegExp(String.raw`[${letter}\d!#$%&*+/=?^_\x60{|}~.'-]`, "u"),
  notOfName: new RegExp(String.raw`^[^${bareLetter}\d]*`, "u"),
  /** Labels, of which the last one is not a number. */
  host: new RegExp(
    String.raw`(?:[${letter}\d](?:[${letter}\d-]{0,61}[${letter}\d])?\.){1,8}(?:xn--[a-z\d-]{2,59}|${bareLetter}[${letter}]{1,23})(?![${bareLetter}\d_])`,
    "uy",
  ),
  begunHost: new RegExp(String.raw`^[${letter}\d.-]*$`, "u"),
}));

function startOfName(text: string, at: number, from: number): number {
  const { nameCharacter, notOfName } = patterns();
  let start = at;
  const least = Math.max(from, at - longestName);
  while (start > least && nameCharacter.test(text.charAt(start - 1))) start--;
  // The letter of an escape (`\nbob@…`) and marks before the name are no part of it.
  if (text[start - 1] === "\\" && /[nrt]/.test(text.charAt(start))) start++;
  return start + notOfName.exec(text.slice(start, at))![0].length;
}

function endOfHost(text: string, from: number, isComplete: boolean): number {
  const { host, begunHost } = patterns();
  host.lastIndex = from;
  if (host.test(text)) return host.lastIndex;
  // Cut within the host: whatever it was to become.
  return !isComplete && begunHost.test(text.slice(from, from + 256)) && text.length <= from + 256 ? text.length : -1;
}
