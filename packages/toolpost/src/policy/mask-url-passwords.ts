// Passwords in URLs: `scheme://user:password@host`, also where the whole URL is percent-encoded or its slashes are
// escaped. Scheme, user and host stay. A password may hold any characters but white space, among them `@`, `/`, `?`
// and `#` that should have been encoded; it must not be shown in part because a URL parser would end it early.

import type { Redact } from "../core/govern.ts";
import { once } from "../std/once.ts";
import { closingQuote } from "./closing-quote.ts";
import { isReference } from "./is-harmless-value.ts";
import { secretMark } from "./secret-mark.ts";

/** When the text was cut, `scheme://user:…` at its end counts as cut within the password. */
export const maskUrlPasswords: Redact = (text, isComplete) => {
  const masked = hasPlainUrl(text, isComplete) ? maskPlain(text, isComplete) : text;
  if (!text.includes("%") || !encodedHint.test(text)) return masked;
  return masked.replace(isComplete ? encodedUrl() : cutEncodedUrl(), `$1${secretMark}`);
};

function hasPlainUrl(text: string, isComplete: boolean): boolean {
  return (!isComplete || text.includes("@")) && (text.includes("://") || text.includes(":\\/"));
}

/** With the quote that the URL stands in, if any, and its backslashes. */
const userPart = /:(?<=(\\*)(["'`]?)[\w+.-]{0,33}:)(?:\\*\/){2}(?!\[)([^\s/?#:"'<>`\\]*):/g;
/** Up to white space or the next URL. */
const run = /(?:(?!:\\*\/\\*\/)\S)*/y;
const port = /^\d{1,5}(?![^/?#"'`<>(){}[\],;|\\&.])/;
const host = /^(?:(?:[\w-]+\.)+[A-Za-z]{2,}|localhost|\d+(?:\.\d+){3}|\[[\da-fA-F:.]+\]|[\w.-]+(?=:))(?::\d{1,5})?$/;

function maskPlain(text: string, isComplete: boolean): string {
  let masked = "";
  let done = 0;
  userPart.lastIndex = 0;
  for (let match = userPart.exec(text); match !== null; match = userPart.exec(text)) {
    const from = userPart.lastIndex;
    const rest = restOfUrl(text, from, match);
    // Whatever comes after the cut, all that is here may be part of the password.
    const isCut = !isComplete && from + rest.length === text.length;
    const password = isCut ? rest : rest.slice(0, passwordLength(rest, match[3]!.includes("@")));
    if (password === "" || password === secretMark || isReference(password)) continue;
    masked += text.slice(done, from) + secretMark;
    done = userPart.lastIndex = from + password.length;
  }
  return masked + text.slice(done);
}

function restOfUrl(text: string, from: number, [, slashes, quote]: RegExpExecArray): string {
  run.lastIndex = from;
  const rest = run.exec(text)![0];
  const end = quote === "" ? -1 : closingQuote(text, from, quote!, slashes!.length);
  return end === -1 ? rest : rest.slice(0, end - from);
}

/** @param isStrict whether only an `@` where a URL parser looks for it ends the password: `git@host:path` has none. */
function passwordLength(rest: string, isStrict: boolean): number {
  if (port.test(rest)) return 0;
  const authorityEnd = rest.search(/[/?#]/);
  const inAuthority = rest.slice(0, authorityEnd === -1 ? undefined : authorityEnd).lastIndexOf("@");
  const end = isStrict || inAuthority !== -1 ? inAuthority : rest.indexOf("@");
  return Math.max(isStrict ? end : endBeforeHost(rest, end), 0);
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
const encodedPassword = String.raw`(%(?:25)*3a(?:%(?:25)*2f){2}(?:(?!%(?:25)*(?:3a|40|2f))[^\s&"'<>])*%(?:25)*3a)(?:(?!%(?:25)*3a%(?:25)*2f)[^\s&"'<>])+`;
const encodedUrl = once(() => new RegExp(`${encodedPassword}(?=%(?:25)*40)`, "gi"));
const cutEncodedUrl = once(() => new RegExp(`${encodedPassword}(?=%(?:25)*40|$)`, "gi"));
