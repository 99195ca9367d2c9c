// Wire aliases: legal, unique, and the same whatever the order.

import assert from "node:assert/strict";
import { test } from "node:test";
import { isLegalName } from "../core/name.ts";
import { shortHash } from "../std/id.ts";
import { aliasesFor, hashedName } from "./alias.ts";

test("legal names have no alias; an illegal one is sanitised where that is free", () => {
  assert.deepEqual([...aliasesFor(["get_user", "admin.tools/list"])], [["admin.tools/list", "admin_tools_list"]]);
});

test("on collision the illegal name gets its hash, the legal one keeps itself", () => {
  const aliases = aliasesFor(["a b", "a_b"]);
  assert.deepEqual([...aliases], [["a b", `a_b_${shortHash("a b")}`]]);
  assert.deepEqual(
    new Set(aliasesFor(["a b", "a.b"]).values()),
    new Set([`a_b_${shortHash("a b")}`, `a_b_${shortHash("a.b")}`]),
  );
});

test("a long name is cut and told apart by its hash", () => {
  const [first, second] = [`${"x".repeat(89)}1`, `${"x".repeat(89)}2`];
  const aliases = aliasesFor([first, second]);
  assert.equal(aliases.get(first), `${"x".repeat(55)}_${shortHash(first)}`);
  assert.equal(aliases.get(first)?.length, 64);
  assert.notEqual(aliases.get(first), aliases.get(second));
});

test("every alias is legal and unique, and no order changes it", () => {
  const names = [
    "a b",
    "a_b",
    "a.b",
    "",
    " ",
    "é",
    "😀",
    "x".repeat(90),
    `${"x".repeat(90)}.`,
    `a_b_${shortHash("a b")}`,
    "admin.tools/list",
    "__proto__",
    "constructor",
  ];
  const aliases = aliasesFor(names);
  const wire = names.map((name) => aliases.get(name) ?? name);
  assert.ok(wire.every(isLegalName), wire.join());
  assert.equal(new Set(wire).size, names.length);
  const sorted = [...aliases].sort();
  for (const order of [names.toReversed(), names.toSorted(), [...names, ...names]])
    assert.deepEqual([...aliasesFor(order)].sort(), sorted);
});

test("a hashed name that is taken is hashed again", () => {
  const first = hashedName("a", "a b", new Set());
  const second = hashedName("a", "a b", new Set([first]));
  assert.notEqual(first, second);
  assert.ok(isLegalName(second));
});
