// What the words of a run cost where no engine keeps it: 3,000 calls of asynchronous work in one run, six side by side, each a
// step, against the same work without a run. Run with `npm run inline-run --workspace toolpost-bench`, with `-- --json` for
// a machine.

import { InlineRun } from "../packages/toolpost/src/durable/inline-run.ts";
import { LazyAbort } from "../packages/toolpost/src/std/abort.ts";
import { systemClock } from "../packages/toolpost/src/std/clock.ts";
import { compareCpu, report } from "./measure.mjs";

const turns = 500;
const places = [0, 1, 2, 3, 4, 5];
const keys = places.map((place) => `call:${place}`);

/** What the least of tools does: it gives an object, later. */
async function tool(input) {
  return { input };
}

const step = { perform: tool };

async function overRun() {
  const { run } = new InlineRun("run_1", new LazyAbort(), systemClock);
  for (let turn = 0; turn < turns; turn++)
    await Promise.all(places.map((place) => run.perform(keys[place], step, place)));
}

async function inBranches() {
  const { run } = new InlineRun("run_1", new LazyAbort(), systemClock);
  for (let turn = 0; turn < turns; turn++)
    await run.all(places.map((place) => run.branch(keys[place], (branch) => branch.perform("act", step, place))));
}

async function withoutRun() {
  for (let turn = 0; turn < turns; turn++) await Promise.all(places.map((place) => tool(place)));
}

report("inline run, a step per call", 1.3, await compareCpu(overRun, withoutRun, 20));
report("inline run, a branch and a step per call", undefined, await compareCpu(inBranches, withoutRun, 20));
