// What every file of `src/` keeps to, and proof that each rule sees a file that does not.
import assert from "node:assert/strict";
import { join } from "node:path";
import { test } from "node:test";
import { temporaryTree } from "../lib/temporary-tree.ts";
import { fileViolations } from "./lib/file-rules.ts";
import { readSourceTree } from "./lib/source-tree.ts";

const header = "// One.\n// Two.\n";
const good = `${header}export const a = 1;\n`;

test("every source file keeps to the rules", () => {
  assert.deepEqual(fileViolations(readSourceTree(join(import.meta.dirname, "../../src"))), []);
});

const broken: ReadonlyArray<[what: string, path: string, text: string, violation: string]> = [
  ["too long", "core/a.ts", `${header}${"a;\n".repeat(499)}`, "has 501 lines, 500 are the limit"],
  [
    "without a header",
    "core/a.ts",
    "export const a = 1;\n",
    "starts with a comment of 2 to 6 lines that says what it is for, not of 0",
  ],
  ["with a short header", "core/a.ts", "// One.\nexport const a = 1;\n", "starts with a comment"],
  ["with a long header", "core/a.ts", `${"// One.\n".repeat(7)}`, "starts with a comment"],
  ["with a header after code", "core/a.ts", `const a = 1;\n${header}`, "starts with a comment"],
  ["with a default export", "core/a.ts", `${header}export default 1;\n`, "has a default export"],
  [
    "with a listed default export",
    "core/a.ts",
    `${header}const a = 1;\nexport { a as default };\n`,
    "has a default export",
  ],
  ["with an export of everything", "core/a.ts", `${header}export * from "x";\n`, "has an `export *`"],
  ["with an export of every type", "core/a.ts", `${header}export type * as a from "x";\n`, "has an `export *`"],
  [
    "that is a barrel",
    "core/a.ts",
    `${header}export type { B } from "./b.ts";\n`,
    "passes ./b.ts on; only doors do that",
  ],
  [
    "that is a door with code",
    "doors/a.ts",
    `${header}export const a = 1;\n`,
    "holds more than lists of exports: export const a = 1;",
  ],
  [
    "that is a door with an effect",
    "doors/a.ts",
    `${header}import "../core/a.ts";\n`,
    "holds more than lists of exports: import",
  ],
  ["in camel case", "core/fileName.ts", good, "`fileName` is not kebab-case"],
  ["in a folder in camel case", "core/fileName/a.ts", good, "`fileName` is not kebab-case"],
  ["named after nothing", "core/string-utils.ts", good, "`string-utils` says nothing of what it holds"],
  ["in a folder named after nothing", "core/common/a.ts", good, "`common` says nothing of what it holds"],
  ["exporting a manager", "core/a.ts", `${header}export class RunManager {}\n`, "exports `RunManager`"],
  ["exporting a base", "core/a.ts", `${header}export abstract class BaseTool {}\n`, "exports `BaseTool`"],
  ["exporting an implementation", "core/a.ts", `${header}export interface ToolImpl {}\n`, "exports `ToolImpl`"],
  [
    "exporting a helper by a list",
    "core/a.ts",
    `${header}const a = 1;\nexport { a as runHelper };\n`,
    "exports `runHelper`",
  ],
  ["with any", "core/a.ts", `${header}export const a: any = 1;\n`, "says `any` 1 times, 0 are allowed"],
  [
    "with any inside a type",
    "core/a.ts",
    `${header}export type A = Array<any> | (any)[] | Record<string, any>;\n`,
    "says `any` 3 times",
  ],
  [
    "with any as a constraint",
    "core/a.ts",
    `${header}export type A<T> = T extends any ? 1 : 2;\n`,
    "says `any` 1 times",
  ],
];

for (const [what, path, text, violation] of broken) {
  test(`a file ${what} is refused`, (t) => {
    const violations = fileViolations(readSourceTree(temporaryTree(t, { [path]: text })));
    assert.equal(violations.length, 1, violations.join("\n"));
    assert.ok(violations[0]?.startsWith(`${path}: ${violation}`), violations[0]);
  });
}

test("what only looks like a violation is none", (t) => {
  const files = {
    "core/a.ts": `${header}// any, export default, export * from\nexport const text = "any export default";\nAbortSignal.any([]);\nexport const b = { any: 1 };\n`,
    "core/b.ts": `/*\n * Block header.\n */\nexport type { StandardSchemaV1 } from "@standard-schema/spec";\nexport const sharedWheel = 1, baseline = 2;\n`,
    "core/c.ts": `${header}export class ServiceableTool {}\nexport type Utility = 1;\nexport function implement(): void {}\n`,
    "core/d.test.ts": "const a: any = 1;\n",
    "core/d.test-d.ts": "export type A = any;\n",
    "doors/a.ts": `${header}export { a, type B } from "../core/a.ts";\nexport type { C } from "../core/c.ts";\n`,
  };
  assert.deepEqual(fileViolations(readSourceTree(temporaryTree(t, files))), []);
});

test("the allow list is exact", (t) => {
  const tree = readSourceTree(temporaryTree(t, { "core/a.ts": `${header}export let a: any;\n` }));
  assert.deepEqual(fileViolations(tree, { anyAllowed: { "core/a.ts": 1 } }), []);
  assert.equal(fileViolations(tree, { anyAllowed: { "core/a.ts": 2 } }).length, 1);
  assert.equal(fileViolations(tree, { anyAllowed: { "core/a.ts": 1, "core/gone.ts": 1 } }).length, 1);
});
