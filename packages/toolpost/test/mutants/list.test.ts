// The list of mutants against the code as it stands: whoever changes a line that a mutant breaks learns it at once, not
// from a run of all of them.
import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { readMutants } from "./list.ts";

test("every mutant finds its text exactly once, and its tests are there", async () => {
  const root = join(import.meta.dirname, "../..");
  const texts = new Map<string, string>();
  const textOf = (file: string): string => {
    if (!texts.has(file)) texts.set(file, existsSync(join(root, file)) ? readFileSync(join(root, file), "utf8") : "");
    return texts.get(file) ?? "";
  };
  const mutants = await readMutants();
  const stale = mutants.flatMap(({ guarantee, file, find, test: tests }) => {
    const count = textOf(file).split(find).length - 1;
    const missing = [tests].flat().filter((each) => textOf(each.split(" > ")[0] ?? "") === "");
    return [
      ...(count === 1 ? [] : [`${guarantee}: ${file} holds its text ${count} times`]),
      ...missing.map((each) => `${guarantee}: there is no ${each}`),
    ];
  });
  assert.deepEqual(stale, []);
  assert.ok(mutants.length > 400);
});
