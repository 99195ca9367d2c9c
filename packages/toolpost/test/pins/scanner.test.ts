// The pins read imports from text; this proves the reading on every shape an import can have, and on what only looks like one.
import assert from "node:assert/strict";
import { test } from "node:test";
import { maskCode } from "./lib/mask-code.ts";
import { scanImports } from "./lib/scan-imports.ts";

const found: ReadonlyArray<[source: string, kind: string, specifier: string | undefined, reExport?: boolean]> = [
  ['import { a } from "./a.ts";', "value", "./a.ts"],
  ["import { a } from './a.ts';", "value", "./a.ts"],
  ['import{a}from"./a.ts";', "value", "./a.ts"],
  ['import a from "./a.ts";', "value", "./a.ts"],
  ['import a, { b } from "./a.ts";', "value", "./a.ts"],
  ['import * as a from "./a.ts";', "value", "./a.ts"],
  ['import*as a from"./a.ts";', "value", "./a.ts"],
  ['import a, * as b from "./a.ts";', "value", "./a.ts"],
  ['import "./a.ts";', "value", "./a.ts"],
  ['import { type A } from "./a.ts";', "value", "./a.ts"],
  ['import {\n  a,\n  b as c, // why\n  type D,\n} from "./a.ts";', "value", "./a.ts"],
  ['import /* why */ { a } from /* here */ "./a.ts";', "value", "./a.ts"],
  ['import json from "./a.json" with { type: "json" };', "value", "./a.json"],
  ['import type { A } from "./a.ts";', "type", "./a.ts"],
  ['import type A from "./a.ts";', "type", "./a.ts"],
  ['import type * as A from "./a.ts";', "type", "./a.ts"],
  ['import type{A}from"./a.ts";', "type", "./a.ts"],
  ['import type from "./a.ts";', "value", "./a.ts"],
  ['export { a } from "./a.ts";', "value", "./a.ts", true],
  ['export { default as a } from "./a.ts";', "value", "./a.ts", true],
  ['export * from "./a.ts";', "value", "./a.ts", true],
  ['export * as a from "./a.ts";', "value", "./a.ts", true],
  ['export type { A } from "./a.ts";', "type", "./a.ts", true],
  ['export type * from "./a.ts";', "type", "./a.ts", true],
  ['const a = await import("./a.ts");', "call", "./a.ts"],
  ["const a = await import(`./a.ts`);", "call", "./a.ts"],
  ['const a = await import(\n  /* lazy */ "./a.ts"\n);', "call", "./a.ts"],
  ['let a: import("./a.ts").A;', "call", "./a.ts"],
  ['let a: typeof import("./a.ts");', "call", "./a.ts"],
  ["const a = `x ${await import('./a.ts')} y`;", "call", "./a.ts"],
  ['const a = require("./a.ts");', "call", "./a.ts"],
  ["await import(name);", "call", undefined],
  ["await import(`./${name}.ts`);", "call", undefined],
  ['await import("./" + name);', "call", undefined],
];

for (const [source, kind, specifier, reExport = false] of found) {
  test(`finds ${JSON.stringify(source)}`, () => {
    const expected = { specifier, kind, reExport, line: 1 };
    assert.deepEqual(scanImports(source), [expected]);
    const surrounded = scanImports(
      `export interface X {}\nexport const r = 1 / 2;\n${source}\nexport type Y = { from: "z" };`,
    );
    assert.deepEqual(surrounded, [{ ...expected, line: 3 }]);
  });
}

const ignored = [
  '// import { a } from "./a.ts";',
  '/* import { a } from "./a.ts"; */',
  '/** @example\n * import { a } from "./a.ts";\n */',
  "const text = 'import { a } from \"./a.ts\"';",
  'const text = `import { a } from "./a.ts"`;',
  'const text = "\\"import(\'./a.ts\')";',
  "const url = import.meta.url;",
  'loader.import("./a.ts");',
  'const reimport = "./a.ts";',
  'export const from = "./a.ts";',
  'export type Import = { from: "./a.ts" };',
  'export { a };\nconst from = "./a.ts";',
  "const quote = /[\"'`]/;\nconst rest = '// import(\"./a.ts\")';",
  'const half = total / 2; // import("./a.ts")',
  'const nested = `a ${`b ${"import(x)"} c`} d import("./a.ts")`;',
  'const object = `${{ a: { b: 1 } }.a} import("./a.ts")`;',
];

for (const source of ignored) {
  test(`finds nothing in ${JSON.stringify(source)}`, () => assert.deepEqual(scanImports(source), []));
}

test("masked code keeps length, lines, quotes and code", () => {
  assert.equal(maskCode('a = "any"; // any\nb'), 'a = "   "; \n'.replace("\n", "      \nb"));
  assert.equal(maskCode("`any ${any} any`"), "`    ${any}    `");
  assert.equal(maskCode("x = /any\\/[/any]/g.test(any)"), "x = /           /g.test(any)");
  assert.equal(maskCode("return /any/"), "return /   /");
  assert.equal(maskCode("a / any / b"), "a / any / b");
});
