// Runs made of seeds, each taken up from every entry of its journal: whatever ends them and whatever settles first, nothing
// is done or told twice, every call has one result, and all of a journal gives the end it was written by.
// A failure names its seed: `randomRun(seed)` is that run.

import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { checkReplays } from "../lib/check-replays.ts";
import { randomRun } from "../lib/random-run.ts";

const RUNS = 60;

describe("a run of any kind that is taken up from any entry of its journal", () => {
  it("does and tells nothing twice, and from all of it comes to the same end", async () => {
    let entries = 0;
    for (let seed = 1; seed <= RUNS; seed++) {
      try {
        entries += await checkReplays(randomRun(seed));
      } catch (cause) {
        const { message, cause: why } = cause as Error;
        throw new Error(`seed ${seed}, ${message}\n${String(why ?? "")}`, { cause });
      }
    }
    assert.ok(entries > 10 * RUNS, `${entries} entries`);
  });
});
