// Tokens that say by their first letters what they are, and JSON Web Tokens.
// It must not take words for tokens: `task-force`, `sk-circle-fade` and `npm_config_registry` stay readable.

import type { Redact } from "../core/govern.ts";
import { once } from "../std/once.ts";
import { secretMark } from "./secret-mark.ts";

/** When the text was cut, a token that has only begun at its end is masked too. */
export const maskKnownTokens: Redact = (text, isComplete) => {
  if (!tokenHint.test(text)) return text;
  let masked = text.replace(token(), secretMark);
  if (masked.includes("eyJ")) masked = masked.replace(jsonWebToken(), `$1${secretMark}`);
  return isComplete ? masked : maskBegunToken(masked);
};

/** A cheap look: a text without any of these holds no token. Few alternatives that start with rare characters. */
export const tokenHint: RegExp = /[-_](?<=(?:[sr]k|gh[pousr]|pat|npm|xox[a-z]|xapp).)|A(?:KIA|SIA|Iza)|y(?:J|a29)/;

/** Where a token may start: after no letter or digit, but for those of an escape (`\n`, `\u0022`, `%3D`, `ESC[31m`). */
const start = String.raw`(?:(?<![A-Za-z0-9])|(?<=\\[nrtbf]|\\u[\da-fA-F]{4}|%[\da-fA-F]{2}|\[[\d;]{0,9}m))`;

/** First letters of a token, and what must follow for it to be one. */
const kinds: readonly (readonly [prefix: string, rest: string])[] = [
  // Anthropic; then OpenAI and those who took over its form: a digit, or a long run, tells them from words.
  ["sk-ant-", String.raw`[\w-]{8,}`],
  ["sk-", String.raw`(?:(?=[A-Za-z_-]{0,40}\d)|(?=\w{16}))[\w-]{8,}`],
  // Stripe
  ["[sr]k_(?:live|test)_", String.raw`\w{6,}`],
  // GitHub, GitLab
  ["gh[pousr]_", String.raw`\w{8,}(?:\.[\w-]{20,})*`],
  ["github_pat_", String.raw`\w{10,}`],
  ["glpat-", String.raw`[\w-]{8,}(?:\.[\w-]{2,})*`],
  // Slack
  ["xox[a-z](?:\\.xox[a-z])?-", String.raw`[\w-]{8,}`],
  ["xapp-", String.raw`[\w-]{8,}`],
  // AWS, Google
  ["A(?:KI|SI)A", "[A-Z0-9]{14,}"],
  ["AIza", String.raw`[\w-]{20,}`],
  [String.raw`ya29\.`, String.raw`[\w.-]{8,}`],
  ["npm_", "[A-Za-z0-9]{20,}"],
];

const token = once(() => new RegExp(`${start}(?:${kinds.map(([prefix, rest]) => prefix + rest).join("|")})`, "g"));
const begunToken = once(() => new RegExp(`${start}(?:${kinds.map(([prefix]) => prefix).join("|")}|eyJ)`, "g"));
/**
 * JSON Web Tokens, signed and encrypted (RFC 7519, RFC 7516): base64 of `{"`, then at least two more parts. What may
 * stand before one without a gap is matched along with it, and never in another way: the search would be quadratic.
 */
const jsonWebToken = once(
  () => new RegExp(String.raw`(?<![\w-])(?=((?:(?!${start}eyJ)[\w-])*))\1eyJ[\w-]{10,}\.[\w-]+(?:\.[\w-]*)+`, "g"),
);
const tokenCharacter = /[\w.%\\-]/;

function maskBegunToken(text: string): string {
  let from = text.length;
  while (from > 0 && tokenCharacter.test(text.charAt(from - 1))) from--;
  const pattern = begunToken();
  pattern.lastIndex = from;
  const begun = pattern.exec(text);
  return begun === null ? text : text.slice(0, begun.index) + secretMark;
}
