// What a policy or a rule answered, in one form.
// It must not let anything through that is no verdict: a predicate that forgets to return refuses the call.

import type { NormalVerdict } from "../core/policy.ts";

/**
 * The verdict in its long form. Whatever is no verdict (`undefined`, `"maybe"`, a Promise, an object that throws
 * when read) is a deny with the reason `the policy gave no verdict`.
 */
export function normalVerdict(value: unknown): NormalVerdict {
  try {
    return (typeof value === "string" ? shortForm(value) : longForm(value)) ?? noVerdict;
  } catch {
    return noVerdict;
  }
}

// Most calls are allowed without a word: they share one object.
const allow: NormalVerdict = Object.freeze({ verdict: "allow" });
const deny: NormalVerdict = Object.freeze({ verdict: "deny" });
const needsApproval: NormalVerdict = Object.freeze({ verdict: "needs-approval" });
const noVerdict: NormalVerdict = Object.freeze({ verdict: "deny", reason: "the policy gave no verdict" });

function shortForm(word: unknown): NormalVerdict | undefined {
  if (word === "allow") return allow;
  if (word === "deny") return deny;
  return word === "needs-approval" ? needsApproval : undefined;
}

function longForm(value: unknown): NormalVerdict | undefined {
  if (typeof value !== "object" || value === null) return undefined;
  const { verdict, reason, rejectionText } = value as Readonly<Record<string, unknown>>;
  if (verdict === "deny" && isText(reason)) return { verdict, reason };
  if (verdict === "needs-approval" && isText(rejectionText)) return { verdict, rejectionText };
  return shortForm(verdict);
}

function isText(value: unknown): value is string {
  return typeof value === "string" && value !== "";
}
