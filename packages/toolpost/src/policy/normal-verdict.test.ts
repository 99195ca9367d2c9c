import assert from "node:assert/strict";
import { test } from "node:test";
import { normalVerdict } from "./normal-verdict.ts";

test("words and objects come out in one form", () => {
  for (const verdict of ["allow", "deny", "needs-approval"] as const) {
    assert.deepEqual(normalVerdict(verdict), { verdict });
    assert.deepEqual(normalVerdict({ verdict }), { verdict });
  }
  assert.deepEqual(normalVerdict({ verdict: "deny", reason: "too late" }), { verdict: "deny", reason: "too late" });
  assert.deepEqual(normalVerdict({ verdict: "needs-approval", rejectionText: "no" }), {
    verdict: "needs-approval",
    rejectionText: "no",
  });
});

test("texts that are none are left out", () => {
  assert.deepEqual(normalVerdict({ verdict: "deny", reason: 5 }), { verdict: "deny" });
  assert.deepEqual(normalVerdict({ verdict: "deny", reason: "" }), { verdict: "deny" });
  assert.deepEqual(normalVerdict({ verdict: "needs-approval", reason: "x" }), { verdict: "needs-approval" });
});

const throwing = Object.defineProperty({}, "verdict", {
  get() {
    throw new Error("no");
  },
});

for (const [name, value] of [
  ["undefined", undefined],
  ["null", null],
  ["true", true],
  ["another word", "maybe"],
  ["a word in capitals", "ALLOW"],
  ["a word of Object.prototype", "constructor"],
  ["a Promise of a verdict", Promise.resolve("allow")],
  ["an object without verdict", { allow: true }],
  ["an object with another verdict", { verdict: "maybe" }],
  ["a list", ["allow"]],
  ["a function", () => "allow"],
  ["an object that throws when read", throwing],
] as const) {
  test(`no verdict denies: ${name}`, () => {
    assert.deepEqual(normalVerdict(value), { verdict: "deny", reason: "the policy gave no verdict" });
  });
}
