// Who may import whom: floors, circles, rooms of foreign libraries, and a root door that loads no Node module.
import assert from "node:assert/strict";
import { globSync } from "node:fs";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { temporaryTree } from "../lib/temporary-tree.ts";
import { arrowViolations, floors, importCircle } from "./lib/arrows.ts";
import { eagerLibraries, roomViolations } from "./lib/rooms.ts";
import { readSourceTree } from "./lib/source-tree.ts";
import { type ForeignImport, isNodeBuiltin, staticForeignImports } from "./lib/static-graph.ts";

const src = join(import.meta.dirname, "../../src");
const rootDoor = "doors/index.ts";
const tree = readSourceTree(src);

test("every import leads to a lower floor", () => assert.deepEqual(arrowViolations(tree), []));

test("no file imports itself in a circle", () => assert.equal(importCircle(tree)?.join(" -> "), undefined));

test("every foreign library stays in its room", () => assert.deepEqual(roomViolations(tree), []));

test("the root door loads no Node module before it is asked to", async () => {
  assert.deepEqual(await nodeChains(src), []);
});

for (const door of globSync("doors/*.ts", { cwd: src })) {
  test(`${door} loads no library before it is used`, async () => {
    const foreign = await staticForeignImports(src, door);
    const eager = foreign.filter(({ specifier }) => !isNodeBuiltin(specifier) && !eagerLibraries.includes(specifier));
    assert.deepEqual(eager.map(chainOf), []);
  });
}

test("app stands alone on its floor", () => {
  assert.deepEqual(
    Object.keys(floors).filter((folder) => floors[folder] === floors.app),
    ["app"],
  );
});

for (const [from, to] of [
  ["std/a.ts", "core/b.ts"],
  ["core/a.ts", "app/b.ts"],
  ["catalog/a.ts", "pipeline/b.ts"],
  ["sources/mcp/a.ts", "sources/skills/b.ts"],
  ["sources/http/a.ts", "sources/openapi/b.ts"],
  ["agent/a.ts", "doors/index.ts"],
  ["app/a.ts", "testing/b.ts"],
  ["serve/a.ts", "testing/b.ts"],
  ["testing/a.ts", "doors/b.ts"],
  ["doors/a.ts", "cli/b.ts"],
  ["catalog/a.test.ts", "app/b.ts"],
  ["core/a.test-d.ts", "agent/b.ts"],
  ["core/a.ts", "core/b.test.ts"],
  ["core/a.ts", "elsewhere/b.ts"],
  ["core/a.ts", "b.ts"],
  ["core/a.ts", "../test/b.ts"],
] as const) {
  test(`no arrow from ${from} to ${to}, whatever its shape`, (t) => {
    const path = `${"../".repeat(from.split("/").length - 1)}${to}`;
    const shapes = [
      `import { b } from "@";`,
      `import type { B } from "@";`,
      `export type { B } from "@";`,
      `let b: import("@").B;`,
    ];
    const violations = arrowViolations(treeOf(t, { [from]: shapes.join("\n").replaceAll("@", path) }));
    assert.deepEqual(
      violations.map((text) => text.split(": ")[0]),
      [1, 2, 3, 4].map((line) => `${from}:${line} imports ${to}`),
    );
  });
}

test("arrows that are allowed", (t) => {
  const files = {
    "cli/a.ts": 'import "../app/a.ts"; import "../std/a.ts"; import "../serve/a.ts"; import "./b.ts";',
    "doors/testing.ts": 'export { a } from "../testing/a.ts"; export { b } from "../core/a.ts";',
    "testing/a.ts": 'import "../serve/a.ts"; import "../app/a.ts";',
    "sources/openapi/a.ts": 'import "../http/a.ts"; import "./deep/a.ts"; import "../../core/a.ts";',
    "durable/sqlite/a.ts": 'import "../run.ts"; import "../../core/a.ts";',
    "catalog/a.test.ts":
      'import "../testing/a.ts"; import "../pipeline/a.ts"; import "./a.ts"; import "../../test/a.ts";',
    "core/a.ts": 'import "node:fs"; import "zod"; // import "../app/a.ts"\n',
  };
  assert.deepEqual(arrowViolations(treeOf(t, files)), []);
});

test("a file outside of every folder is refused", (t) => {
  const violations = arrowViolations(treeOf(t, { "a.ts": "", "sources/a.ts": "", "extras/a.ts": "" }));
  assert.deepEqual(violations, [
    "a.ts stands in no folder of the floor table",
    "extras/a.ts stands in no folder of the floor table",
    "sources/a.ts stands in no folder of the floor table",
  ]);
});

test("a circle is found and named, through types and lazy imports too", (t) => {
  const circle = treeOf(t, {
    "core/a.ts": 'import type { B } from "./b.ts";',
    "core/b.ts": 'const c = () => import("./c.ts");',
    "core/c.ts": 'export { a } from "./a.ts";',
    "core/d.ts": 'import "./a.ts";',
  });
  assert.deepEqual(importCircle(circle), ["core/a.ts", "core/b.ts", "core/c.ts", "core/a.ts"]);
  assert.deepEqual(importCircle(treeOf(t, { "core/a.ts": 'import "./a.ts";' })), ["core/a.ts", "core/a.ts"]);
  const tests = { "core/a.ts": 'import "./b.ts"; import "./c.ts";', "core/b.ts": 'import "./c.ts";', "core/c.ts": "" };
  assert.equal(
    importCircle(treeOf(t, { ...tests, "core/c.test.ts": 'import "./c.ts"; import "./c.test.ts";' })),
    undefined,
  );
});

test("a foreign library outside its room is refused, types and lazy imports too", (t) => {
  const violations = roomViolations(
    treeOf(t, {
      "agent/a.ts":
        'import { parse } from "yaml";\nimport type { Z } from "zod";\nconst m = () => import("@ai-sdk/openai");',
      "agent/a.test.ts": 'import { z } from "zod"; import "yaml";',
      "agent/b.ts": "export const load = (name: string) => import(name);",
      "core/a.ts": 'import type { StandardSchemaV1 } from "@standard-schema/spec";\nimport "node:fs"; import "path";',
      "models/a.ts": 'const yaml = () => import("yaml"); const a = () => import("@ai-sdk/openai/internal"); import(a);',
      "sources/mcp/a.ts":
        'type C = import("@modelcontextprotocol/client/stdio").C; import "@modelcontextprotocol/server";',
      "std/config-text.ts": 'import strip from "strip-json-comments";',
      "std/text.ts": 'import strip from "strip-json-comments";',
    }),
  );
  assert.deepEqual(violations, [
    "agent/a.ts:1 imports yaml: its room is models",
    "agent/a.ts:2 imports zod: it has no room",
    "agent/a.ts:3 imports @ai-sdk/openai: its room is models",
    "agent/b.ts:1 imports (computed): its room is models, cli",
    "sources/mcp/a.ts:1 imports @modelcontextprotocol/server: it has no room",
    "std/text.ts:1 imports strip-json-comments: its room is std/config-text.ts",
  ]);
});

test("a Node module behind the root door is found with its chain", async (t) => {
  const files = {
    [rootDoor]: 'export { a } from "../app/a.ts";',
    "app/a.ts":
      'import { b } from "../core/b.ts"; import type { Stats } from "node:fs"; export const a = b as Stats | 1;',
    "core/b.ts":
      'export const b = 1; export const later = () => import("./lazy.ts"); process.getBuiltinModule("node:fs");',
    "core/lazy.ts": 'import "node:os"; export const c = () => import("node:path");',
  };
  assert.deepEqual(await nodeChains(temporaryTree(t, files)), []);
  const broken = {
    ...files,
    "core/b.ts": 'import { join } from "node:path"; import "fs"; export const b = join("a");',
  };
  assert.deepEqual(await nodeChains(temporaryTree(t, broken)), [
    "doors/index.ts -> app/a.ts -> core/b.ts -> node:path",
    "doors/index.ts -> app/a.ts -> core/b.ts -> fs",
  ]);
});

async function nodeChains(root: string): Promise<string[]> {
  const foreign = await staticForeignImports(root, rootDoor);
  return foreign.filter(({ specifier }) => isNodeBuiltin(specifier)).map(chainOf);
}

function chainOf({ specifier, chain }: ForeignImport): string {
  return [...chain, specifier].join(" -> ");
}

function treeOf(t: TestContext, files: Record<string, string>) {
  return readSourceTree(temporaryTree(t, files));
}
