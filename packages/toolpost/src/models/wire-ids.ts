// Call ids as an API takes them. In a history they are whatever a provider gave or the loop made (`call_0:1`), and a
// conversation may go on with another provider than it began with.
// An id that is legal stays as it is; the new name of another depends on it alone, so calls and results still agree.

import { shortHash } from "../std/id.ts";
import type { WireKind } from "./wire-kind.ts";

/** The id to send. */
export type ToWireId = (id: string) => string;

/** @param provider the model's own name of its provider */
export function wireIdsOf(wire: WireKind, provider: string): ToWireId {
  const rule = provider.startsWith("mistral.") ? mistral : rules[wire];
  return rule === undefined ? (id) => id : (id) => (rule.legal.test(id) ? id : rule.make(id, shortHash(id)));
}

interface IdRule {
  readonly legal: RegExp;
  /** @param hash 8 hex digits */
  readonly make: (id: string, hash: string) => string;
}

function shortened(longest: number): IdRule["make"] {
  return (id, hash) => `${id.replace(/[^a-zA-Z0-9_-]/g, "_").slice(0, longest - hash.length - 1)}_${hash}`;
}

/** Source: Anthropic's `tool_use.id`, OpenAI's `call_id` and `tool_calls[].id`, as their APIs say when they refuse one. */
const rules: Readonly<Partial<Record<WireKind, IdRule>>> = {
  anthropic: { legal: /^[a-zA-Z0-9_-]{1,64}$/, make: shortened(64) },
  responses: { legal: /^.{1,64}$/s, make: shortened(64) },
  chat: { legal: /^.{1,40}$/s, make: shortened(40) },
};

const mistral: IdRule = { legal: /^[a-zA-Z0-9]{9}$/, make: (_id, hash) => `0${hash}` };
