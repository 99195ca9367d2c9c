import assert from "node:assert/strict";
import { test } from "node:test";
import type { Verdict } from "../core/policy.ts";
import { combineVerdicts } from "./combine-verdicts.ts";

test("a deny from anywhere wins, then needs-approval, then allow", () => {
  const words = ["allow", "deny", "needs-approval", undefined] as const;
  for (const a of words) {
    for (const b of words) {
      for (const c of words) {
        const given = [a, b, c];
        const expected = given.includes("deny")
          ? "deny"
          : given.includes("needs-approval")
            ? "needs-approval"
            : "allow";
        assert.equal(combineVerdicts(given).verdict, expected, given.join(", "));
      }
    }
  }
});

test("without any opinion the call is allowed", () => assert.deepEqual(combineVerdicts([]), { verdict: "allow" }));

test("the first reason counts, and the first rejectionText", () => {
  const denies: Verdict[] = ["deny", { verdict: "deny", reason: "first" }, { verdict: "deny", reason: "second" }];
  assert.deepEqual(combineVerdicts(denies), { verdict: "deny", reason: "first" });
  assert.deepEqual(
    combineVerdicts([
      "needs-approval",
      { verdict: "needs-approval", rejectionText: "first" },
      { verdict: "needs-approval", rejectionText: "second" },
      "needs-approval",
      "allow",
    ]),
    { verdict: "needs-approval", rejectionText: "first" },
  );
});

test("what is no verdict denies, whatever else was said", () => {
  const expected = { verdict: "deny", reason: "the policy gave no verdict" };
  for (const value of [null, "maybe", Promise.resolve("allow"), {}]) {
    assert.deepEqual(combineVerdicts(["allow", value as unknown as Verdict, "allow"]), expected);
  }
});

test("any iterable will do", () => {
  assert.deepEqual(combineVerdicts(new Set<Verdict>(["allow", "deny"])), { verdict: "deny" });
});
