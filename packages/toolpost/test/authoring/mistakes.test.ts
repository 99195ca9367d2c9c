// Mistakes in classes, told at assembly: one message each, with class, parameter and mend.
// What a compiler can see is pinned beside, in the type tests.
import assert from "node:assert/strict";
import { suite, test } from "node:test";
import { assemblyProblems } from "./lib/assembly-problems.ts";
import { importCompiled } from "./lib/compile-fixture.ts";
import type { Mistake } from "./lib/mistake.ts";

for (const style of ["legacy", "standard"]) {
  const { mistakes } = await importCompiled<{ readonly mistakes: readonly Mistake[] }>(`${style}/mistakes.ts`);
  suite(`${style} decorators`, () => {
    for (const { says, options } of mistakes) {
      test(says.join(" "), () => assert.deepEqual(assemblyProblems(options), says));
    }
  });
}
