// Data as one line of JSON that a terminal may be shown: whatever is not seen is written as JSON's own escapes.
// It is the same document to every program; nothing is left out and nothing is cut.

import { encodeJson } from "../std/json.ts";
import { visible } from "../std/text.ts";

export function shownJson(value: unknown): string {
  return encodeJson(value).replace(/[^ -~]/gu, (character) =>
    visible(character) === character ? character : escaped(character),
  );
}

/** The value over several lines, for people; each line visible. */
export function shownJsonLines(value: unknown): string[] {
  return JSON.stringify(value, null, 2)
    .split("\n")
    .map((line) => visible(line));
}

function escaped(character: string): string {
  let text = "";
  for (let index = 0; index < character.length; index++)
    text += `\\u${character.charCodeAt(index).toString(16).padStart(4, "0")}`;
  return text;
}
