// Several opinions on one call, made one.
// A deny from anywhere wins, so that nobody is asked about a call that would be refused anyway.

import type { NormalVerdict, Verdict } from "../core/policy.ts";
import { normalVerdict } from "./normal-verdict.ts";

/**
 * One verdict of many: deny from anywhere, else needs-approval from anywhere, else allow. `undefined` is no opinion.
 * Of several denies the first reason counts, of several needs-approval the first `rejectionText`. Anything else that
 * is no verdict denies.
 */
export function combineVerdicts(verdicts: Iterable<Verdict | undefined>): NormalVerdict {
  let combined: NormalVerdict = normalVerdict("allow");
  for (const verdict of verdicts) {
    if (verdict !== undefined) combined = stricter(combined, normalVerdict(verdict));
  }
  return combined;
}

const strictness = { allow: 0, "needs-approval": 1, deny: 2 } as const;

function stricter(first: NormalVerdict, second: NormalVerdict): NormalVerdict {
  const difference = strictness[second.verdict] - strictness[first.verdict];
  return difference > 0 || (difference === 0 && textOf(first) === undefined) ? second : first;
}

function textOf(verdict: NormalVerdict): string | undefined {
  if (verdict.verdict === "deny") return verdict.reason;
  return verdict.verdict === "needs-approval" ? verdict.rejectionText : undefined;
}
