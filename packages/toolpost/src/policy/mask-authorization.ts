// Credentials in HTTP authorization headers (RFC 9110, RFC 6750, RFC 7617): the scheme stays, what follows is masked.
// It must not take prose for a header: `Basic authentication`, `a bearer of news`.

import type { Redact } from "../core/govern.ts";
import { once } from "../std/once.ts";
import { isReference } from "./is-harmless-value.ts";
import { secretMark } from "./secret-mark.ts";

export const maskAuthorization: Redact = (text, isComplete) => {
  if (!schemeHint.test(text) && !headerHint.test(text)) return text;
  return text.replace(credentials(), (match: string, ...parts: (string | number | undefined)[]) => {
    const [header, headerScheme, scheme, gap, value] = parts as (string | undefined)[];
    const offset = parts[5] as number;
    const isCut = !isComplete && offset + match.length === text.length;
    if (isReference(value!)) return match;
    if (!isCut && !(header === undefined ? isBareSecret(scheme!, value!) : !schemeWord.test(value!))) return match;
    return `${header ?? ""}${headerScheme ?? scheme}${gap}${secretMark}`;
  });
};

const schemeHint = /bearer|basic/i;
const headerHint = /authorization/i;

const gap = String.raw`(?:\s|\+|%20){1,4}`;
const header = String.raw`authorization(?:\\*["'\`]|%(?:25)*22)?\]?\s{0,4}(?:=>|[:=,]|%(?:25)*3[ad])(?:\s{0,4}|%20|\+)(?:\\*["'\`[]|%(?:25)*22){0,2}`;
const credentials = once(
  () =>
    new RegExp(
      String.raw`(?:(${header})(bearer|basic|token|api-?key|key|bot)|(?<![A-Za-z0-9])(bearer|basic))(${gap})([^\s"'\`<>,;&\\)\][][^\s"'\`<>,;&\\)\]]*)`,
      "gi",
    ),
);

/** What documentation writes in place of credentials. */
const schemeWord = /^(?:tokens?|credentials?|auth|authentication|authorization|schemes?|headers?|required|is|or)\W*$/i;

const words = /^(?:[A-Z]?[a-z]{1,20}|[A-Z]{1,20})(?:[-/](?:[A-Z]?[a-z]{1,20}|[A-Z]{1,20}))*\W*$/;

function isBareSecret(scheme: string, value: string): boolean {
  if (/^basic$/i.test(scheme)) return holdsUserAndPassword(value);
  return /\w/.test(value) && !words.test(value);
}

/** Basic credentials are base64 of `user:password`; no word is. */
function holdsUserAndPassword(base64: string): boolean {
  if (!/^[A-Za-z0-9+/_-]{4,}(?:=|%3d)*\W*$/i.test(base64)) return false;
  return printablePair().test(Buffer.from(base64, "base64").toString("utf8"));
}

const control = String.raw`\p{Cc}`;
const printablePair = once(() => new RegExp(String.raw`^[^${control}:\ufffd]*:[^${control}\ufffd]*$`, "u"));
