// The mutant runner on a package of two files: what is noticed, what is not, and what must not count.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { temporaryTree } from "../lib/temporary-tree.ts";
import type { Mutant } from "./lib/mutant.ts";
import { runMutants } from "./lib/run-mutants.ts";

const add = "export function add(a: number, b: number): number {\n  return a + b;\n}\n";
const files = {
  "packages/toolpost/package.json": '{ "name": "fixture", "type": "module" }',
  "packages/toolpost/src/add.ts": add,
  "packages/toolpost/src/add.test.ts":
    'import assert from "node:assert/strict";\nimport { test } from "node:test";\nimport { add } from "./add.ts";\ntest("adds", () => assert.equal(add(1, 2), 3));\n',
  "packages/toolpost/test/lax.test.ts":
    'import { test } from "node:test";\nimport { add } from "../src/add.ts";\ntest("adds something", () => void add(1, 2));\n',
  "packages/toolpost/test/red.test.ts": 'throw new Error("red from the start");\n',
};
const sum: Mutant = {
  guarantee: "a sum",
  file: "src/add.ts",
  find: "a + b",
  replace: "a - b",
  test: "src/add.test.ts",
};

test("only a break that a green test notices is killed", async (t) => {
  const packageRoot = join(temporaryTree(t, files), "packages/toolpost");
  const seen: string[] = [];
  const mutants: Mutant[] = [
    sum,
    { ...sum, replace: "await new Promise(() => setInterval(() => {}, 1000))", find: "return a + b" },
    { ...sum, find: "{\n  return", replace: "{\n  while (true) {}\n  return" },
    { ...sum, replace: "b + a" },
    { ...sum, test: "test/lax.test.ts" },
    { ...sum, test: ["test/lax.test.ts", "src/add.test.ts"] },
    { ...sum, test: ["src/add.test.ts", "test/red.test.ts"] },
    { ...sum, test: "test/gone.test.ts" },
    { ...sum, find: "number" },
    { ...sum, find: "a * b" },
    { ...sum, file: "src/gone.ts" },
    { ...sum, replace: "a +" },
    sum,
    { ...sum, test: "src/add.test.ts > adds" },
    { ...sum, test: "src/add.test.ts > subtracts" },
  ];
  const verdicts = await runMutants(mutants, {
    packageRoot,
    limitMs: 4_000,
    onVerdict: (_, { outcome }) => seen.push(outcome),
  });
  assert.deepEqual(
    verdicts.map(({ outcome }) => outcome),
    [
      "killed",
      "stale",
      "killed",
      "survived",
      "survived",
      "killed",
      "unfit",
      "unfit",
      "stale",
      "stale",
      "stale",
      "stale",
      "killed",
      "killed",
      "survived",
    ],
  );
  assert.equal(seen.length, mutants.length);
  const why = verdicts.map((verdict) => ("why" in verdict ? verdict.why : ""));
  assert.match(why[6] ?? "", /test\/red\.test\.ts fails on the whole code:.*red from the start/s);
  assert.equal(why[8], "src/add.ts holds the text to replace 3 times");
  assert.equal(why[11], "the replacement does not parse");
  assert.equal(readFileSync(join(packageRoot, "src/add.ts"), "utf8"), add);
});
