// Two processes on one file move forty runs at once, each with a wait for a person in the middle. Whichever of them moves a
// run, each of its steps is made once.

import { faultsOf } from "../lib/check-run.ts";
import { statusesOf } from "../lib/outcome.ts";
import type { PartReport } from "../lib/report.ts";
import { describeScene, newReport } from "../lib/report.ts";
import { Scene } from "../lib/scene.ts";

const runs = 40;
/** Fewer than there are, so that each process leaves some to the other. */
const maxRuns = 4;

export async function race(): Promise<PartReport> {
  const report = newReport("two processes race");
  const scene = new Scene();
  const workers = [1, 2].map(() => scene.worker({ task: "serve", maxRuns }));
  await Promise.all(workers.map((worker) => worker.heard("up")));
  const messages = Array.from({ length: runs }, (_, index) => `Pay bill ${index}`);
  workers[0]?.tell({ type: "run", agent: "clerk", messages });
  const ended = await scene.ended("clerk", runs);
  for (const worker of workers) await worker.end();

  const effects = scene.readEffects();
  const faults = faultsOf(effects, undefined);
  for (const [name, made] of Map.groupBy(
    effects.filter(({ step }) => step !== undefined),
    ({ kind, name, key, run }) => (kind.startsWith("model") ? `${kind} ${key}` : `${kind} ${name} ${run}`),
  ))
    if (made.length > 1) faults.push(`${name} was made ${made.length} times, and nothing crashed`);
  const states = ended.map(({ state }) => state).filter((state) => state !== "done");
  if (states.length > 0) faults.push(`${states.length} runs ended as ${states.join(", ")}`);
  const statuses = ended.flatMap(statusesOf);
  const others = statuses.filter((status) => !status.endsWith(" ok"));
  if (statuses.length !== 3 * runs || others.length > 0)
    faults.push(`${statuses.length} calls, these not ok: ${others.join(", ")}`);
  for (const { pid } of workers)
    if (!effects.some((effect) => effect.pid === pid && effect.kind === "tool-end"))
      faults.push(`${pid} had no part in it`);
  if (faults.length > 0) report.faults.push(`${faults.join("\n")}\n${await describeScene(scene)}`);
  report.points = runs;
  await scene.close();
  return report;
}
