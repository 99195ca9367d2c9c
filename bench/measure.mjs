// Ratios of CPU time between two ways to do the same, interleaved in one process: the median over rounds, and its spread.

/** Each round times both, in turns of order. Gives ratio and microseconds per call. */
export async function compareCpu(ours, theirs, times, rounds = 21) {
  const ratios = [];
  const costs = { ours: [], theirs: [] };
  for (let round = -3; round < rounds; round++) {
    const order = round % 2 === 0 ? ["ours", "theirs"] : ["theirs", "ours"];
    const cost = {};
    for (const who of order) cost[who] = await cpuPerCall(who === "ours" ? ours : theirs, times);
    // The first rounds warm up both.
    if (round < 0) continue;
    ratios.push(cost.ours / cost.theirs);
    costs.ours.push(cost.ours);
    costs.theirs.push(cost.theirs);
  }
  return { ratio: spreadOf(ratios), ours: spreadOf(costs.ours), theirs: spreadOf(costs.theirs) };
}

async function cpuPerCall(work, times) {
  const before = process.cpuUsage();
  for (let index = 0; index < times; index++) {
    const made = work();
    if (typeof made?.then === "function") await made;
  }
  const { user, system } = process.cpuUsage(before);
  return (user + system) / times;
}

export function spreadOf(figures) {
  const sorted = [...figures].sort((a, b) => a - b);
  const at = (share) => sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))];
  return { median: at(0.5), low: at(0.25), high: at(0.75) };
}

/** Prints one line, or with `--json` one object. A ratio above its limit, where it has one, fails the process. */
export function report(what, limit, { ratio, ours, theirs }) {
  const isReached = limit === undefined || ratio.median <= limit;
  if (process.argv.includes("--json")) {
    console.log(JSON.stringify({ what, limit, isReached, ratio, microseconds: { ours, theirs } }));
  } else {
    const figure = ({ median, low, high }) => `${median.toFixed(2)} (${low.toFixed(2)}-${high.toFixed(2)})`;
    console.log(
      `${what}: ${figure(ratio)} times${limit === undefined ? "" : `, at most ${limit}`}; ${figure(ours)} µs against ${figure(theirs)} µs`,
    );
  }
  if (!isReached) process.exitCode = 1;
}
