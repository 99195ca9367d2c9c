// The package's own code over a `Run` keeps to the rule that it gives its users, and proof that the pin sees code that does not.
import assert from "node:assert/strict";
import { join } from "node:path";
import { test } from "node:test";
import { temporaryTree } from "../lib/temporary-tree.ts";
import { flowViolations } from "./lib/native-flows.ts";
import { readSourceTree } from "./lib/source-tree.ts";

const message = "use run.now(key), not Date.now: each replay would read another time";
const flow = `import type { Run } from "../core/run.ts";
// eslint-disable-next-line
export const age = (run: Run): number => Date.now();
`;

test("code over a Run takes the same path on every replay", () => {
  assert.deepEqual(flowViolations(readSourceTree(join(import.meta.dirname, "../../src"))), []);
});

test("a native in a flow is refused, whatever a comment says; tests and other code may use it", (t) => {
  const files = {
    "agent/a.ts": flow,
    "agent/a.test.ts": flow,
    "agent/b.ts": "export const age = (): number => Date.now();\n",
    "core/run.ts": "export interface Run { readonly id: string }\n",
  };
  assert.deepEqual(flowViolations(readSourceTree(temporaryTree(t, files)), {}), [`agent/a.ts:3: ${message}`]);
});

test("a file that does not parse is refused", (t) => {
  const tree = readSourceTree(temporaryTree(t, { "agent/a.ts": 'import type { Run } from "../core/run.ts"; const' }));
  assert.equal(flowViolations(tree, {}).length, 1);
});

test("the allow list of natives is exact", (t) => {
  const tree = readSourceTree(temporaryTree(t, { "agent/a.ts": flow }));
  assert.deepEqual(flowViolations(tree, { "agent/a.ts": 1 }), []);
  assert.deepEqual(flowViolations(tree, { "agent/a.ts": 2 }), ["agent/a.ts: 2 natives are allowed, and 1 are there"]);
  assert.deepEqual(flowViolations(tree, { "agent/a.ts": 1, "agent/gone.ts": 1 }), [
    "agent/gone.ts: the allow list names it, and no such file is over runs",
  ]);
});
