// Optional packages, loaded when a schema needs them.

import assert from "node:assert/strict";
import { test } from "node:test";
import { isToolpostError } from "../core/errors.ts";
import { requireForUser } from "./require-for-user.ts";

test("a package that is there is loaded once", () => {
  const exports = requireForUser<object>("@valibot/to-json-schema", "@valibot/to-json-schema");
  assert.ok("toJsonSchema" in exports);
  assert.equal(requireForUser("@valibot/to-json-schema", "@valibot/to-json-schema"), exports);
});

test("a missing one is named with the command that installs it", () => {
  assert.throws(
    () => requireForUser("toolpost-no-such-package/sub", "toolpost-no-such-package@4"),
    (error) =>
      isToolpostError(error) &&
      error.code === "tool.schema-unusable" &&
      error.message ===
        "the schema needs the package `toolpost-no-such-package@4`: run `npm install toolpost-no-such-package@4`",
  );
});
