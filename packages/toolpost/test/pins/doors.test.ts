// The public surface: what each door exports stands in `doors.json`, and every door is in `package.json`.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { temporaryTree } from "../lib/temporary-tree.ts";
import { manifestViolations, readDoorExports } from "./lib/door-exports.ts";

const packageRoot = join(import.meta.dirname, "../..");
const refresh = "If the change is meant, run `npm run pins:doors` and look at the difference.";

test("each door exports what its snapshot says", async () => {
  const snapshot = JSON.parse(readFileSync(join(import.meta.dirname, "doors.json"), "utf8"));
  const doors = await readDoorExports(packageRoot);
  assert.deepEqual(Object.keys(doors), Object.keys(snapshot), refresh);
  for (const [door, names] of Object.entries(doors)) {
    const added = names.filter((name) => !snapshot[door].includes(name));
    const lost = snapshot[door].filter((name: string) => !names.includes(name));
    assert.deepEqual(
      { added, lost },
      { added: [], lost: [] },
      `The door \`${door}\` changed: ${list({ added, lost })}. ${refresh}`,
    );
  }
});

test("package.json exports every door and nothing else", () => assert.deepEqual(manifestViolations(packageRoot), []));

test("exports are read from the files, types left out", async (t) => {
  const root = temporaryTree(t, {
    "package.json": JSON.stringify({
      type: "module",
      exports: {
        ".": { types: "./dist/types/doors/index.d.ts", default: "./dist/index.js" },
        "./gone": "./dist/gone.js",
        "./package.json": "./package.json",
      },
    }),
    "src/doors/index.ts": "export const b = 1, a = 2; export type C = 1;",
    "src/doors/index.test.ts": "throw new Error();",
    "src/doors/units.ts": "export const seconds = 1;",
    "lint/eslint.js": "export default 1;",
  });
  assert.deepEqual(await readDoorExports(root), { ".": ["a", "b"], "./units": ["seconds"] });
  assert.deepEqual(manifestViolations(root), [
    'package.json must export "./units": {"types":"./dist/types/doors/units.d.ts","default":"./dist/units.js"}',
    'package.json must export "./eslint": {"types":"./lint/eslint.d.ts","default":"./lint/eslint.js"}',
    'package.json exports "./gone", and src/doors/ has no such door',
  ]);
});

function list(change: Record<string, string[]>): string {
  return Object.entries(change)
    .filter(([, names]) => names.length > 0)
    .map(([verb, names]) => `${verb} ${names.join(", ")}`)
    .join("; ");
}
