// Passwords in URLs: `scheme://user:password@host`, also where the whole URL is percent-encoded or its slashes are
// escaped. Scheme, user and host stay. A password may hold any characters but white space, among them `@`, `/`, `?`
// and `#` that should have been encoded; it must not be shown in part because a URL parser would end it early.

import type { Redact } from "../core/govern.ts";
import { isReference } from "./is-harmless-value.ts";
import { secretMark } from "./secret-mark.ts";

/** When the text was cut, `scheme://user:…` at its end counts as cut within the password. */
export const maskUrlPasswords: Redact = (text, isComplete) => {
  const masked = hasPlainUrl(text, isComplete) ? maskPlain(text, isComplete) : text;
  return text.includes("%") && encodedHint.test(text) ? masked.replace(encodedUrl, `$1${secretMark}`) : masked;
};

function hasPlainUrl(text: string, isComplete: boolean): boolean {
  return (!isComplete || text.includes("@")) && (text.includes("://") || text.includes(":\\/"));
}

const userPart = /:(?:\\*\/){2}([^\s/?#:"'<>`\\]*):/g;
/** Up to white space, the next URL, the tag or the quote after this one. A quote in the middle of a word is no end. */
const run = /(?:(?!:\\*\/\\*\/)(?:[^\s"'<`]|["'`](?![\s,;:)\]}>.+&|\\]|$)|<(?![/!A-Za-z])))*/y;
const port = /\d{1,5}(?![^\s/?#"'`<>(){}[\],;|\\&.])/y;
const host = /^(?:(?:[\w-]+\.)+[A-Za-z]{2,}|localhost|\d+(?:\.\d+){3}|\[[\da-fA-F:.]+\]|[\w.-]+(?=:))(?::\d{1,5})?$/;

function maskPlain(text: string, isComplete: boolean): string {
  let masked = "";
  let done = 0;
  userPart.lastIndex = 0;
  for (let match = userPart.exec(text); match !== null; match = userPart.exec(text)) {
    const from = userPart.lastIndex;
    const length = passwordLength(text, from, match[1]!.includes("@"), isComplete);
    const password = text.slice(from, from + length);
    if (length === 0 || password === secretMark || isReference(password)) continue;
    masked += text.slice(done, from) + secretMark;
    done = userPart.lastIndex = from + length;
  }
  return masked + text.slice(done);
}

/** @param isStrict whether only an `@` where a URL parser looks for it ends the password: `git@host:path` has none. */
function passwordLength(text: string, from: number, isStrict: boolean, isComplete: boolean): number {
  run.lastIndex = from;
  const rest = run.exec(text)![0];
  // Whatever comes after the cut, all that is here may be part of the password.
  if (!isComplete && from + rest.length === text.length) return rest.length;
  port.lastIndex = from;
  if (port.test(text)) return 0;
  const authorityEnd = rest.search(/[/?#]/);
  const inAuthority = rest.slice(0, authorityEnd === -1 ? undefined : authorityEnd).lastIndexOf("@");
  if (isStrict) return Math.max(inAuthority, 0);
  return Math.max(endBeforeHost(rest, inAuthority === -1 ? rest.indexOf("@") : inAuthority), 0);
}

/** The `@` before the host: this one, unless what follows it is hardly a host and another `@` comes before the query. */
function endBeforeHost(rest: string, first: number): number {
  const query = rest.search(/\?[\w.[\]-]{1,64}=/);
  let end = first;
  for (;;) {
    const next = end === -1 ? -1 : rest.indexOf("@", end + 1);
    if (next === -1 || (query > end && query < next)) return end;
    if (host.test(rest.slice(end + 1, next).split(/[/?#;,&|"'`)\]}>]/, 1)[0]!)) return end;
    end = next;
  }
}

const encodedHint = /%(?:25)*3a%(?:25)*2f/i;
// The password cannot hold the start of another URL: so no part of a text is looked at twice.
const encodedUrl =
  /(%(?:25)*3a(?:%(?:25)*2f){2}(?:(?!%(?:25)*(?:3a|40|2f))[^\s&"'<>])*%(?:25)*3a)(?:(?!%(?:25)*3a%(?:25)*2f)[^\s&"'<>])+(?=%(?:25)*40)/gi;
