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
  const fit = async (who) => {
    const costs = [];
    for (const pair of pairs) costs.push(median(await repeated(5, () => cpuOf(pair[who]))));
    return slope(turns.map(Math.log), costs.map(Math.log));
  };
  return { figure: await fit("ours"), theirs: await fit("theirs") };
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

async function agesInTime() {
  const { early, late } = await ages((run) => cpuPerRepeat(run, 300));
  return { figure: late / early, ours: late, theirs: early };
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
  return { early, late: await figure(run) };
}

async function repeated(times, work) {
  const figures = [];
  for (let index = 0; index < times; index++) figures.push(await work());
  return figures;
}
