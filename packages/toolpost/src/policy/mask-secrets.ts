// Takes credentials out of every text that a model, an event, a report or a log gets.
// It runs on each result of each tool: a text without secrets must cost next to nothing, and no text more than a few
// passes. What only might be a secret stays readable; what is one is hidden whole.

import type { Redact } from "../core/govern.ts";
import { maskAuthorization } from "./mask-authorization.ts";
import { maskKeyBlocks } from "./mask-key-blocks.ts";
import { maskKnownTokens, tokenHint } from "./mask-known-tokens.ts";
import { maskSecretFields } from "./mask-secret-fields.ts";
import { maskUrlPasswords } from "./mask-url-passwords.ts";

/**
 * Replaces each secret by `[secret]`: private key blocks, passwords in URLs, tokens of known form, authorization
 * headers, and the values of fields named like secrets. When `isComplete` is false, a secret that the end of the text
 * cuts is hidden as far as it goes.
 */
export const maskSecrets: Redact = (text, isComplete) => {
  let masked = text;
  if (!isComplete || signHint.test(text)) {
    masked = maskKeyBlocks(masked, isComplete);
    masked = maskUrlPasswords(masked, isComplete);
    masked = maskKnownTokens(masked, isComplete);
  }
  if (!wordHint.test(masked)) return masked;
  masked = maskAuthorization(masked, isComplete);
  return maskSecretFields(masked, isComplete);
};

/** A cheap look: a whole text without any of these holds no key block, no URL with a password, no token of known form. */
const signHint = new RegExp(`${tokenHint.source}|[@%]|PRIVATE`);

/**
 * A cheap look: a text without any of these holds no word that `maskAuthorization` or `maskSecretFields` looks for. Both
 * look more closely. Few alternatives that start with rare letters, so that the engine can skip ahead; one of a single
 * character, which hardly any text has, makes it skip sixteen at a time.
 */
const wordHint =
  /[kK](?:e[ny]|E[NY])|[wW](?:d|or|D|OR)|[cC](?:ret|RET)|[zZ][aA][tT]|_[pP]|[hH][rR][aA][sS]|[sS][cC][oO][dD]|[bB](?:[eE][aA][rR]|[aA][sS][iI])|\0/;
