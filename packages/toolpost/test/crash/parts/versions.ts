// A run of one version meets code of another: it waits for its own, which the log says once. Code that was changed under the
// same version ends the run before it does anything.

import { faultsOf } from "../lib/check-run.ts";
import type { PartReport } from "../lib/report.ts";
import { describeScene, newReport } from "../lib/report.ts";
import { Scene } from "../lib/scene.ts";

export async function versions(): Promise<PartReport> {
  const report = newReport("another version");
  const scene = new Scene();
  const first = await waitingRun(scene, "1");

  const newer = scene.worker({ task: "serve", version: "2" });
  await newer.heard("up");
  newer.tell({ type: "resume" });
  await newer.heard("warned");
  // It is alive and moves its own.
  newer.tell({ type: "run", agent: "clerk", messages: ["Pay by the new one"] });
  const { runId: own } = await newer.heard("ended");
  const waiting = await scene.engine.status(first);
  newer.tell({ type: "run", agent: "clerk", messages: ["Pay by the new one again"] });
  await newer.heard("ended", ({ runId }) => runId !== own);
  await newer.end();

  const older = scene.worker({ task: "serve", version: "1" });
  const ended = await scene.engine.result(first);
  await older.end();

  const effects = scene.readEffects();
  const faults = faultsOf(effects, undefined);
  if (waiting?.state !== "queued") faults.push(`answered, and without its version, the run is ${waiting?.state}`);
  if (newer.said.some(({ type }) => type === "resumed")) faults.push("resuming it in the new version gave a result");
  if (effects.some(({ run, pid }) => run === first && pid === newer.pid)) faults.push("the new version moved it");
  const warnings = effects.filter(({ kind, pid }) => kind === "log" && pid === newer.pid);
  if (warnings.length !== 1) faults.push(`the log says ${warnings.map(({ key }) => key).join(" | ")}`);
  if (ended.state !== "done") faults.push(`under its own version it came to ${ended.state}`);
  if (faults.length > 0) report.faults.push(`${faults.join("\n")}\n${await describeScene(scene)}`);
  report.points = 1;
  await scene.close();
  return report;
}

export async function changedCode(): Promise<PartReport> {
  const report = newReport("changed code, same version");
  const scene = new Scene();
  const runId = await waitingRun(scene, "1");
  const changed = scene.worker({ task: "serve", version: "1", isChanged: true });
  await changed.heard("up");
  await scene.answerAll();
  const { state, error } = await scene.engine.result(runId);
  await changed.end();
  const acts = scene.readEffects().filter(({ pid, step }) => pid === changed.pid && step !== undefined);
  const faults = [
    ...(state === "failed" && error?.code === "run.replay-mismatch"
      ? []
      : [`it is ${state}, ${JSON.stringify(error)}`]),
    ...acts.map(({ kind, name }) => `${kind} ${name} was made by code that was changed`),
  ];
  if (faults.length > 0) report.faults.push(`${faults.join("\n")}\n${await describeScene(scene)}`);
  report.points = 1;
  await scene.close();
  return report;
}

/** Begun by a process that is gone once the run waits for a person; gives its id. */
async function waitingRun(scene: Scene, version: string): Promise<string> {
  const worker = scene.worker({ task: "serve", version }, { answers: false });
  await worker.heard("up");
  worker.tell({ type: "run", agent: "clerk", messages: ["Pay"] });
  await worker.heard("waiting");
  await worker.end();
  const [run] = await scene.engine.list({ flow: "clerk" });
  return run?.runId ?? "";
}
