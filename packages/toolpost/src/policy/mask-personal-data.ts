// Takes data about people out of texts, kind by kind as an application asks for it.
// Where a number has a check sum or a fixed range it must hold: order numbers, hashes and dates stay readable.
// A text without `@`, colons and runs of digits must cost next to nothing, and no text more than a few passes.

import { ToolpostError } from "../core/errors.ts";
import type { Redact } from "../core/govern.ts";
import { combineRedactors } from "./combine-redactors.ts";
import { maskEmails } from "./mask-emails.ts";
import { cardLength, ibanLength, ipLength, phoneLength } from "./personal-numbers.ts";

export type PersonalDataKind = "email" | "card" | "phone" | "iban" | "ssn" | "ip";

/**
 * A redactor that replaces what it finds by its kind: `[email]`, `[card]`, `[phone]`, `[iban]`, `[ssn]`, `[ip]`.
 * When the text was cut, an address or number that its end cuts is replaced too.
 * @throws ToolpostError for a kind there is not: it would silently mask nothing
 */
export function maskPersonalData(kinds: readonly PersonalDataKind[]): Redact {
  const unknown = kinds.find((kind) => !Object.hasOwn(redactors, kind));
  if (unknown !== undefined) {
    const known = order.map((kind) => `\`${kind}\``).join(", ");
    throw new ToolpostError("app.invalid", `\`${unknown}\` is no kind of personal data: use some of ${known}`);
  }
  return combineRedactors(...order.filter((kind) => kinds.includes(kind)).map((kind) => redactors[kind]()));
}

/** What has a check sum comes before what only has a form. */
const order: readonly PersonalDataKind[] = ["email", "iban", "card", "ssn", "ip", "phone"];

const letter = String.raw`\p{L}`;
/** No letter or digit before, but for the letter of an escape such as `\n`; no earlier part of a number either. */
const start = String.raw`(?:(?<![${letter}\d_]|\d[.,-])|(?<=\\[nrt]))`;
const end = String.raw`(?![${letter}\d_]|[.,-]\d)`;

/** Made when asked for: reading patterns with classes such as `\p{L}` takes a while. */
const redactors: Readonly<Record<PersonalDataKind, () => Redact>> = {
  email: () => maskEmails,
  iban: () =>
    masking("iban", {
      hint: /[A-Z]{2}\d\d/,
      form: String.raw`[A-Z]{2}\d\d(?:[ -]?[A-Z\d]{4}){2,7}(?:[ -]?[A-Z\d]{1,3})?`,
      lengthOf: ibanLength,
    }),
  card: () =>
    masking("card", {
      hint: /\d{13}|\d{4}[ -]\d{4}/,
      // In one run, or in the groups that are printed on cards.
      form: String.raw`\d{13,19}|\d{4}([ -])\d{4}\1\d{4}\1\d{1,4}(?:\1\d{1,3})?|\d{4}([ -])\d{6}\2\d{4,5}`,
      lengthOf: cardLength,
    }),
  ssn: () =>
    masking("ssn", {
      hint: /\d{3}[ -]\d\d[ -]/,
      // Some areas, groups and serials are never given out (Social Security Administration, since 2011).
      form: String.raw`(?!000|666|9)\d{3}([ -])(?!00)\d\d\1(?!0000)\d{4}`,
    }),
  ip: () =>
    masking("ip", {
      hint: /\d\.\d|:[\da-f]{0,4}:/i,
      form: String.raw`\d{1,3}(?:\.\d{1,3}){3}|[\da-fA-F]{0,4}(?::[\da-fA-F]{0,4}){2,7}(?:\.\d{1,3}){0,3}`,
      lengthOf: ipLength,
    }),
  phone: () =>
    masking("phone", {
      hint: /\d{3}/,
      // With a country's number; as in North America; with the 0 of most other countries.
      form: String.raw`\+[1-9](?:[ ().\/-]{0,3}\d){6,14}|(?:1[ .-])?(?:\([2-9]\d\d\) ?|[2-9]\d\d[ .-])[2-9]\d\d[ .-]\d{4}|\(?0[1-9]\d{0,4}\)?[ \/-]{1,3}\d{2,8}(?:[ -]\d{2,8}){0,3}(?!:)`,
      lengthOf: phoneLength,
    }),
};

interface NumberKind {
  /** A cheap look: a text in which it finds nothing holds none. */
  readonly hint: RegExp;
  readonly form: string;
  /** How much of what has the form is one; all of it by default. */
  readonly lengthOf?: (found: string) => number;
}

function masking(kind: PersonalDataKind, { hint, form, lengthOf }: NumberKind): Redact {
  const mark = `[${kind}]`;
  const pattern = new RegExp(`${start}(?:${form})${end}`, "gu");
  // Four digits or more that the end of the text cuts, with what stands in and before such numbers.
  const cutNumber = new RegExp(
    String.raw`(?<![${letter}\d_.,:+(-])[+(]?(?:[A-Z]{2})?(?:\d[a-f ().:/-]{0,2}){4,24}$`,
    "u",
  );
  const replace = (found: string): string => {
    const length = lengthOf === undefined ? found.length : lengthOf(found);
    return length === 0 ? found : mark + found.slice(length);
  };
  return (text, isComplete) => {
    const masked = hint.test(text) ? text.replace(pattern, replace) : text;
    return isComplete ? masked : masked.replace(cutNumber, mark);
  };
}
