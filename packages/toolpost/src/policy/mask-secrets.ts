// Takes credentials out of every text that a model, an event, a report or a log gets.
// It runs on each result of each tool: a text without secrets must cost next to nothing, and no text more than a few
// passes. What only might be a secret stays readable; what is one is hidden whole.

import type { Redact } from "../core/govern.ts";
import { maskAuthorization } from "./mask-authorization.ts";
import { maskKeyBlocks } from "./mask-key-blocks.ts";
import { maskKnownTokens } from "./mask-known-tokens.ts";
import { maskSecretFields } from "./mask-secret-fields.ts";
import { maskUrlPasswords } from "./mask-url-passwords.ts";

/**
 * Replaces each secret by `[secret]`: private key blocks, passwords in URLs, tokens of known form, authorization
 * headers, and the values of fields named like secrets. When `isComplete` is false, a secret that the end of the text
 * cuts is hidden as far as it goes.
 */
export const maskSecrets: Redact = (text, isComplete) => {
  let masked = maskKeyBlocks(text, isComplete);
  masked = maskUrlPasswords(masked, isComplete);
  masked = maskKnownTokens(masked, isComplete);
  masked = maskAuthorization(masked, isComplete);
  return maskSecretFields(masked, isComplete);
};
