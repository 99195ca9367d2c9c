// One run per point: its process is killed there, another takes the run up, and what comes of it is what an undisturbed run
// comes to. The points are counted in that undisturbed run: around each effect, and around each commit.

import { faultsOf, interruptedCalls, type Kill, outcomeFaults } from "../lib/check-run.ts";
import { isAct } from "../lib/effects.ts";
import type { Outcome } from "../lib/outcome.ts";
import { readOutcome } from "../lib/outcome.ts";
import type { PartReport } from "../lib/report.ts";
import { describeScene, newReport } from "../lib/report.ts";
import { Scene } from "../lib/scene.ts";

const sideBySide = 6;
const mostProcesses = 4;
/** Where these stand depends on what else is under way, so a killed run may not come by. */
const mayBeMissed = /^(before|after) commit (claim|close|threads|run\S*:rest|nap\S*)( #\d+)?$/;

interface Undisturbed {
  readonly points: readonly string[];
  readonly outcome: Outcome;
}

export async function killAtEachPoint(only: string | undefined): Promise<PartReport> {
  const report = newReport("killed at each point");
  const undisturbed = await countPoints(report);
  const points = undisturbed.points.filter((point) => only === undefined || point.includes(only));
  report.points = points.length;
  const left = [...points];
  const work = async (): Promise<void> => {
    for (let point = left.shift(); point !== undefined; point = left.shift()) await killAt(point, undisturbed, report);
  };
  await Promise.all(Array.from({ length: sideBySide }, work));
  const missed = report.points - report.kills;
  if (missed > report.points / 10) report.faults.push(`${missed} of ${report.points} points were not come to`);
  return report;
}

async function countPoints(report: PartReport): Promise<Undisturbed> {
  const scene = new Scene();
  const { code, errors } = await scene.worker({ points: scene.points }).exit;
  const outcome = await readOutcome(scene);
  const points = scene.readPoints();
  const faults = [
    ...(code === 0 ? [] : [`the worker ended with ${code}: ${errors}`]),
    ...faultsOf(scene.readEffects(), undefined),
    ...(await outcomeFaults(scene, outcome, undefined)),
    ...(points.length < 40 ? [`it has ${points.length} points only`] : []),
    ...(scene.readEffects().filter(({ name }) => name === "run-end").length === 2 ? [] : ["not each run told its end"]),
  ];
  if (faults.length > 0) report.faults.push(`undisturbed: ${faults.join("\n")}\n${await describeScene(scene)}`);
  await scene.close();
  return { points, outcome };
}

async function killAt(point: string, { outcome }: Undisturbed, report: PartReport): Promise<void> {
  const scene = new Scene();
  try {
    const kill = await runToItsEnd(scene, point);
    const effects = scene.readEffects();
    const faults = [...faultsOf(effects, kill), ...(await outcomeFaults(scene, outcome, kill))];
    if (kill === undefined && !mayBeMissed.test(point)) faults.push("the point was not come to");
    if (kill !== undefined) report.kills++;
    report.unknowns += kill === undefined ? 0 : interruptedCalls(kill).size;
    report.repeats += effects.filter(
      (effect) => isAct(effect) && effect.pid !== kill?.pid && isMadeBy(effect, kill?.pid, effects),
    ).length;
    if (faults.length > 0) report.faults.push(`${point}: ${faults.join("\n")}\n${await describeScene(scene)}`);
  } catch (error) {
    report.faults.push(`${point}: ${String(error)}\n${await describeScene(scene)}`);
  } finally {
    await scene.close();
  }
}

function isMadeBy({ kind, name, run }: Made, pid: number | undefined, effects: readonly Made[]): boolean {
  return effects.some((other) => other.pid === pid && other.kind === kind && other.name === name && other.run === run);
}

type Made = ReturnType<Scene["readEffects"]>[number];

/** Starts processes until one has brought the run to its end. */
async function runToItsEnd(scene: Scene, killAt: string): Promise<Kill | undefined> {
  let kill: Kill | undefined;
  for (let started = 0; started < mostProcesses; started++) {
    const worker = scene.worker(kill === undefined ? { killAt } : {});
    const { code, signal, errors } = await inTime(worker.exit, scene);
    if (code === 0) return kill;
    if (signal !== "SIGKILL" || kill !== undefined)
      throw new Error(`the worker ended with ${code ?? signal}: ${errors}`);
    kill = { pid: worker.pid, journals: await scene.journals(), effects: scene.readEffects() };
    scene.endLeases();
    await scene.answerAll();
  }
  throw new Error(`the run was not ended by ${mostProcesses} processes`);
}

/** A run that hangs is a fault like any other. */
async function inTime<T>(exit: Promise<T>, scene: Scene): Promise<T> {
  const timer = setTimeout(() => {
    for (const worker of scene.workers) worker.kill("SIGABRT");
  }, 30_000);
  try {
    return await exit;
  } finally {
    clearTimeout(timer);
  }
}
