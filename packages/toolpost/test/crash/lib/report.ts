// What a part of the harness gives, and how it is printed: a line of a table, and for each fault all that is needed to
// understand it without running it again.

import type { Scene } from "./scene.ts";

export interface PartReport {
  readonly part: string;
  points: number;
  kills: number;
  unknowns: number;
  /** Effects that were made a second time. */
  repeats: number;
  seconds: number;
  readonly faults: string[];
}

export function newReport(part: string): PartReport {
  return { part, points: 0, kills: 0, unknowns: 0, repeats: 0, seconds: 0, faults: [] };
}

/** The effects and the journals, for whoever looks for the cause. */
export async function describeScene(scene: Scene): Promise<string> {
  const effects = scene
    .readEffects()
    .map(
      ({ pid, kind, name, key, step }) => `  ${pid} ${kind} ${name} [${key}]${step === undefined ? "" : ` ${step}`}`,
    );
  const journals = [...(await scene.journals())].map(([runId, keys]) => `  ${runId}: ${[...keys].join(" ")}`);
  const pids = scene.workers.map(({ pid }) => pid).join(", ");
  return [`workers ${pids}; effects:`, ...effects, "journals:", ...journals].join("\n");
}

export function printTable(reports: readonly PartReport[]): void {
  const head = ["part", "points", "kills", "unknowns", "repeats", "seconds", "faults"];
  const rows = reports.map(({ part, points, kills, unknowns, repeats, seconds, faults }) =>
    [part, points, kills, unknowns, repeats, seconds.toFixed(1), faults.length].map(String),
  );
  const widths = head.map((title, column) => Math.max(title.length, ...rows.map((row) => row[column]?.length ?? 0)));
  for (const row of [head, ...rows]) {
    const cells = row.map((cell, column) =>
      column === 0 ? cell.padEnd(widths[0] ?? 0) : cell.padStart(widths[column] ?? 0),
    );
    console.log(cells.join("  "));
  }
}
