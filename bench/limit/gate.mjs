// The gate: a few scenarios in short, against limits that hold on a busy machine. It tells a change that made the
// governed call or the loop dear from noise; the figures themselves come from `run.mjs`.

import { measured } from "./measured.mjs";
import { checkLimit } from "./pin.mjs";

/** By scenario and seam: the most a ratio may be. */
const most = { "a generate": 5.5, "b generate": 4, "c generate": 4.5, "f generate": 5, "s stream": 3 };

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
