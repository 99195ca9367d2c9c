// Values behind names like `password`, `token` or `api_key`: in JSON and JSON inside JSON, YAML, configuration files,
// queries and forms, code, XML, command lines. The name stays, the whole value is masked.
// It must look at no part of a text more than a few times, whatever stands there.

import type { Redact } from "../core/govern.ts";
import { once } from "../std/once.ts";
import { findFieldValue, nextInList } from "./find-field-value.ts";
import { type FieldValue, isHarmlessValue, isPasswordName } from "./is-harmless-value.ts";
import { secretMark } from "./secret-mark.ts";

/** When the text was cut, a value whose closing quote is missing goes to the end of the text. */
export const maskSecretFields: Redact = (text, isComplete) => {
  if (!mayHoldField(text)) return text;
  let masked = "";
  let done = 0;
  const names = fieldName();
  names.lastIndex = 0;
  for (let match = names.exec(text); match !== null; match = names.exec(text)) {
    let found = findFieldValue(text, { start: match.index, end: names.lastIndex, isComplete });
    while (found !== undefined) {
      const { start, end, form } = found;
      const field: FieldValue = { name: match[0], value: text.slice(start, end), form, next: text.slice(end, end + 3) };
      // What a value is, only the whole of it tells.
      const isCut = !isComplete && end === text.length && start < end;
      if (isCut || !isHarmlessValue(field)) {
        masked += text.slice(done, start) + secretMark;
        done = end + (isPasswordName(field.name) ? furtherWords(text, end, field) : 0);
        // What is masked is not searched for names; what is harmless may hold one, as in `secret: token=abc`.
        names.lastIndex = done;
      }
      found = found.isInList ? nextInList(text, end, isComplete) : undefined;
    }
  }
  return masked + text.slice(done);
};

/** Length of the other words of a pass phrase that is not quoted: all that stands on its line. */
function furtherWords(text: string, end: number, { form, value }: FieldValue): number {
  if (form !== "loose" || !/^[A-Za-z]+$/.test(value)) return 0;
  words.lastIndex = end;
  return words.exec(text)?.[0].length ?? 0;
}

const words = /(?:[ \t]{1,4}[\w'-]{1,40}){1,10}(?=[ \t]*(?:[\r\n]|$))/y;

/**
 * A cheap look: a text without any of these holds no such name. Written so that the regular expression engine can skip
 * ahead: few alternatives that start with rare letters, or few that are long.
 */
function mayHoldField(text: string): boolean {
  return shortHint.test(text) || longHint.test(text);
}

/** Parts of `token`, `key`, `pwd`, `password`, `secret`, `authorization`. */
const shortHint = /[kK](?:e[ny]|E[NY])|[wW](?:d|or|D|OR)|[cC](?:ret|RET)|[zZ](?:ation|ATION)/;
const longHint = /_pass|phrase|passcode/i;

/** Tokens that are no secrets: places in a list that a caller must send back, and units of language. */
const harmlessToken = String.raw`(?<!(?:page|pagination|next|prev|previous|continue|continuation|cursor|sync|delta|skip|scroll|resume|start|end|stop|eos|bos|pad|unk|sep|cls|mask|special|total|max|min|input|output|prompt|design|unexpected)[_ -]?)`;

const fieldName = once(
  () =>
    new RegExp(
      String.raw`(?:passw(?:or)?d|passphrase|passcode|pwd|(?<=_)pass|secret|${harmlessToken}token|authorization` +
        String.raw`|(?:api|access|secret|private|account|shared[_ -]?access|signing|encryption|subscription|master)[_ -]?key)` +
        // A number or a word like `SecretString` may follow, then the name must be over.
        String.raw`(?:[_-]?(?:value|string|text|\d{1,2}))?(?![A-Za-z0-9_-])`,
      "gi",
    ),
);
