// The command behind `npm run test:crash`: processes that are killed, stopped, raced and replaced while runs are under way,
// on one file. Prints a table; ends with 1 where anything does not hold. `--only text` takes the points that hold the text.

import { parseArgs } from "node:util";
import type { PartReport } from "./lib/report.ts";
import { newReport, printTable } from "./lib/report.ts";
import { bundleWorker, killAll } from "./lib/worker-process.ts";
import { deploy } from "./parts/deploy.ts";
import { killAtEachPoint } from "./parts/kill-points.ts";
import { race } from "./parts/race.ts";
import { stopped } from "./parts/stopped.ts";
import { changedCode, versions } from "./parts/versions.ts";

const { values } = parseArgs({ options: { only: { type: "string" }, part: { type: "string" } } });

const parts: Readonly<Record<string, () => Promise<PartReport>>> = {
  points: () => killAtEachPoint(values.only),
  race,
  stopped,
  deploy,
  versions,
  changed: changedCode,
};

for (const signal of ["SIGINT", "SIGTERM"] as const) process.on(signal, () => process.exit(130));

await bundleWorker();
const reports: PartReport[] = [];
for (const [name, part] of Object.entries(parts)) {
  if (values.part === undefined || values.part === name) reports.push(await timed(name, part));
}
killAll();
for (const { part, faults } of reports) for (const fault of faults) console.log(`FAULT in ${part}: ${fault}\n`);
printTable(reports);
process.exitCode = reports.some(({ faults }) => faults.length > 0) ? 1 : 0;

async function timed(name: string, part: () => Promise<PartReport>): Promise<PartReport> {
  const startedAt = performance.now();
  const report = await part().catch((error: unknown) => {
    const failed = newReport(name);
    failed.faults.push(String(error instanceof Error ? error.stack : error));
    return failed;
  });
  report.seconds = (performance.now() - startedAt) / 1_000;
  return report;
}
