// One scenario in one process: `node one-process.mjs <letter> <seam> [--short]` prints one line of JSON. Rounds of both
// sides alternate, after as long a start as the compiler needs. No collection is forced between rounds: it throws away
// compiled code, and would measure the compiler.

import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { createGoverned, probeTool } from "./governed.mjs";
import { cpuOf, cpuPerRepeat, median, warmUp } from "./measure-cpu.mjs";
import { measureCutting } from "./measure-cutting.mjs";
import { pairOfCalls, pairOfRuns } from "./pairs.mjs";
import { againstTheLimit } from "./scenarios.mjs";
import { createModel } from "./workload.mjs";

const [letter, seam] = process.argv.slice(2);
const isShort = process.argv.includes("--short");
const isStreaming = seam === "stream";

const special = {
  d: exponents,
  e: manyAtOnce,
  h: amongManyTools,
  i: measureCutting,
  observed,
  age: agesInTime,
  heap: agesInHeap,
};
const measure = special[letter] ?? againstLimit;
console.log(JSON.stringify(await measure()));
// Models that wait and wheels that turn need not hold a process that has its figures.
process.exit(0);

async function againstLimit() {
  const { model, times } = againstTheLimit[letter] ?? { times: 3_000 };
  const pair = letter === "f" ? await pairOfCalls() : await pairOfRuns({ model, isStreaming });
  return compare(pair, times);
}

async function compare({ ours, theirs }, times) {
  await warmUp([ours, theirs], { times, ms: isShort ? 1_500 : 3_000 });
  const ratios = [];
  const costs = { ours: [], theirs: [] };
  for (let round = 0; round < (isShort ? 15 : 40); round++) {
    const order = round % 2 === 0 ? ["ours", "theirs"] : ["theirs", "ours"];
    const cost = {};
    for (const who of order) cost[who] = await cpuPerRepeat(who === "ours" ? ours : theirs, times);
    ratios.push(cost.ours / cost.theirs);
    costs.ours.push(cost.ours);
    costs.theirs.push(cost.theirs);
  }
  return { figure: median(ratios), ours: median(costs.ours), theirs: median(costs.theirs) };
}

async function exponents() {
  const turns = [500, 1_000, 2_000, 4_000, 8_000];
  const pairs = await Promise.all(turns.map((count) => pairOfRuns({ model: { turns: count } })));
  await warmUp(
    pairs.slice(0, 2).flatMap(({ ours, theirs }) => [ours, theirs]),
    { times: 1, ms: 4_000 },
  );
  const costs = { ours: turns.map(() => []), theirs: turns.map(() => []) };
  for (let round = 0; round < 9; round++) {
    for (const [index, pair] of pairs.entries()) {
      for (const who of ["ours", "theirs"]) costs[who][index].push(await cpuOf(pair[who]));
    }
  }
  // The least of the rounds: a collection that falls into a short run is not the short run's cost.
  const fit = (who) =>
    slope(
      turns.map(Math.log),
      costs[who].map((each) => Math.log(Math.min(...each))),
    );
  return { figure: fit("ours"), theirs: fit("theirs") };
}

function slope(xs, ys) {
  const mean = (numbers) => numbers.reduce((sum, number) => sum + number, 0) / numbers.length;
  const [x, y] = [mean(xs), mean(ys)];
  const over = xs.reduce((sum, each, index) => sum + (each - x) * (ys[index] - y), 0);
  return over / xs.reduce((sum, each) => sum + (each - x) ** 2, 0);
}

async function manyAtOnce() {
  const { ours, theirs } = await pairOfRuns({ model: { turns: 1, delayMs: 50 } });
  const atOnce = (run) => () => Promise.all(Array.from({ length: 2_000 }, run));
  return compare({ ours: atOnce(ours), theirs: atOnce(theirs) }, 1);
}

async function amongManyTools() {
  const names = Array.from({ length: 1_000 }, (_, index) => (index === 0 ? "probe" : `probe_${index}`));
  const model = createModel({ turns: 1 });
  const many = createGoverned({ model, tools: names.map(probeTool), isStreaming });
  const few = createGoverned({ model, isStreaming });
  const first = await cpuOf(() => many.run("go"));
  await few.run("go");
  const second = await cpuOf(() => many.run("go"));
  const compared = await compare({ ours: () => many.run("go"), theirs: () => few.run("go") }, 200);
  return { ...compared, firstMs: first / 1_000, secondMs: second / 1_000 };
}

async function observed() {
  const model = createModel({ turns: 20 });
  const [heard, unheard] = [true, false].map((isObserved) => createGoverned({ model, isStreaming, isObserved }));
  return compare({ ours: () => heard.run("go"), theirs: () => unheard.run("go") }, 30);
}

/**
 * The compiler is at work on the loop up to some 10,000 runs, so another application, as old in runs as the process is
 * warm, stands for run 2,000: what is compared is the age of the application, not of the process.
 */
async function agesInTime() {
  const warm = createGoverned({ model: createModel({ turns: 1 }), isStreaming });
  await warmUp([() => warm.run("go")], { times: 400, ms: 3_000 });
  const [young, old] = [2_000, 10_000].map((age) => {
    const governed = createGoverned({ model: createModel({ turns: 1 }), isStreaming });
    return { age, run: () => governed.run("go") };
  });
  for (const { age, run } of [young, old]) for (let index = 0; index < age; index++) await run();
  // Short rounds, side by side: the machine's own changes of pace meet both.
  const ratios = [];
  const costs = { young: [], old: [] };
  for (let round = 0; round < 41; round++) {
    const cost = {};
    for (const who of round % 2 === 0 ? ["young", "old"] : ["old", "young"])
      cost[who] = await cpuPerRepeat(who === "old" ? old.run : young.run, 50);
    ratios.push(cost.old / cost.young);
    for (const who of ["young", "old"]) costs[who].push(cost[who]);
  }
  return { figure: median(ratios), ours: median(costs.old), theirs: median(costs.young) };
}

async function agesInHeap() {
  setFlagsFromString("--expose-gc");
  const collect = runInNewContext("gc");
  const heap = async () => {
    for (let round = 0; round < 4; round++) {
      collect();
      await new Promise(setImmediate);
    }
    return process.memoryUsage().heapUsed;
  };
  const { early, late } = await ages(heap);
  return { figure: late / early, ours: late, theirs: early };
}

/** The same figure after 2,000 and after 10,000 runs of one application. */
async function ages(figure) {
  const governed = createGoverned({ model: createModel({ turns: 1 }), isStreaming });
  const run = () => governed.run("go");
  const until = async (count) => {
    for (let index = 0; index < count; index++) await run();
  };
  await until(2_000);
  const early = await figure(run);
  await until(8_000);
  const late = await figure(run);
  return { early, late };
}
