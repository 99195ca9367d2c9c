// One row of figures: a scenario on one seam, measured in processes of its own.

import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { spreadOf } from "../measure.mjs";
import { scenarios } from "./scenarios.mjs";
import { measureStartUp } from "./start-up.mjs";

/** @param isShort fewer rounds, for a gate that must not take long */
export function measured(letter, seam, { processes, isShort = false }) {
  const { what, gate, aim } = scenarios[letter];
  const runs = Array.from({ length: letter === "g" ? 1 : processes }, () =>
    letter === "g" ? measureStartUp(31) : inProcess(letter, seam, isShort),
  );
  const { median, low, high } = spreadOf(runs.map(({ figure }) => figure));
  return { letter, seam, what, gate, aim, median, low, high, isReached: median <= gate, runs };
}

function inProcess(letter, seam, isShort) {
  const script = join(import.meta.dirname, "one-process.mjs");
  const output = execFileSync(process.execPath, [script, letter, seam, ...(isShort ? ["--short"] : [])], {
    encoding: "utf8",
    stdio: ["ignore", "pipe", "inherit"],
  });
  return JSON.parse(output);
}
