// The gate: a few scenarios in short, against limits that hold on a busy machine. It tells a change that made the
// governed call or the loop dear from noise; the figures themselves come from `run.mjs`.

import { measured } from "./measured.mjs";
import { checkLimit } from "./pin.mjs";

/** By scenario and seam: the most a ratio may be. Those that stand close to their gate have some room for a busy machine. */
const most = {
  "a generate": 2.4,
  "b generate": 2,
  "c generate": 2,
  "f generate": 2.6,
  "h generate": 1.3,
  "s stream": 2,
};

checkLimit();
for (const [key, limit] of Object.entries(most)) {
  const [letter, seam] = key.split(" ");
  // The lower of two processes: a neighbour on the machine makes one slower, never faster.
  const { runs, what } = measured(letter, seam, { processes: 2, isShort: true });
  const ratio = Math.min(...runs.map(({ figure }) => figure));
  const isReached = ratio <= limit;
  console.log(
    `${isReached ? "ok" : "TOO DEAR"} ${key}: ${ratio.toFixed(2)} times the limit, at most ${limit} (${what})`,
  );
  if (!isReached) process.exitCode = 1;
}
