// CPU time of work, in microseconds, of all threads of the process: what the compiler and the collector do counts.

export async function cpuOf(work) {
  const before = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(before);
  return user + system;
}

export async function cpuPerRepeat(work, times) {
  const total = await cpuOf(async () => {
    for (let index = 0; index < times; index++) await work();
  });
  return total / times;
}

/** Lets every work run in turns for a while. */
export async function warmUp(works, { times, ms }) {
  const end = performance.now() + ms;
  while (performance.now() < end) for (const work of works) await cpuPerRepeat(work, times);
}

export function median(figures) {
  const sorted = figures.toSorted((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)];
}
