// The client package as an optional peer: there, missing, or broken.
import assert from "node:assert/strict";
import { test } from "node:test";
import { isToolpostError } from "../../core/errors.ts";
import { loadClientPackage } from "./client-package.ts";

const notFound = (name: string) =>
  Object.assign(new Error(`Cannot find package '${name}' imported from x.js`), { code: "ERR_MODULE_NOT_FOUND" });

test("the installed package is loaded", async () =>
  assert.equal(typeof (await loadClientPackage()).Client, "function"));

test("without the package the error says what to run", async () => {
  const error = await loadClientPackage(() => Promise.reject(notFound("@modelcontextprotocol/client"))).catch(
    (error: unknown) => error,
  );
  assert.ok(isToolpostError(error));
  assert.equal(error.code, "mcp.missing-package");
  assert.match(error.message, /run `npm install @modelcontextprotocol\/client`/);
});

test("another fault of the package is not taken for its absence", async () => {
  const broken = notFound("zod");
  await assert.rejects(
    loadClientPackage(() => Promise.reject(broken)),
    broken,
  );
});
