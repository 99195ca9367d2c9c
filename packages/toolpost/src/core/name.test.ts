// Legal names and what illegal ones become.

import assert from "node:assert/strict";
import { test } from "node:test";
import { isLegalName, sanitizeName } from "./name.ts";

test("one underscore per character outside the set", () => {
  const names = {
    "get user": "get_user",
    "admin.tools/list": "admin_tools_list",
    "a😀b": "a_b",
    "é-1_Z": "_-1_Z",
    "": "",
  };
  for (const [name, legal] of Object.entries(names)) assert.equal(sanitizeName(name), legal);
  assert.equal(sanitizeName("\ud800"), "_");
});

test("legal names have 1 to 64 characters of the set", () => {
  for (const name of ["a", "A-1_z", "constructor", "__proto__", "x".repeat(64)]) assert.ok(isLegalName(name), name);
  for (const name of ["", " ", "a b", "a.b", "é", "a\n", "x".repeat(65)]) assert.ok(!isLegalName(name), name);
});
