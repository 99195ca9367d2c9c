// A process is told to end while tools run, as at each deploy: they come to their ends, the next process goes on from there,
// and nobody is left not knowing what happened.

import { isDeepStrictEqual } from "node:util";
import { faultsOf } from "../lib/check-run.ts";
import { statusesOf } from "../lib/outcome.ts";
import type { PartReport } from "../lib/report.ts";
import { describeScene, newReport } from "../lib/report.ts";
import { Scene } from "../lib/scene.ts";

export async function deploy(): Promise<PartReport> {
  const report = newReport("closed while tools run");
  const scene = new Scene();
  const old = scene.worker({ task: "serve", gates: ["pay", "record"] });
  await old.heard("up");
  old.tell({ type: "run", agent: "clerk", messages: ["Pay"] });
  await Promise.all(["pay", "record"].map((tool) => old.heard("at-gate", (message) => message.tool === tool)));
  old.kill("SIGTERM");
  await old.heard("closing");
  old.tell({ type: "open" });
  const { code, errors } = await old.exit;
  const kill = { pid: old.pid, journals: await scene.journals(), effects: scene.readEffects() };
  const next = scene.worker({ task: "serve" });
  const [ended] = await scene.ended("clerk", 1);
  await next.end();

  const effects = scene.readEffects();
  const faults = faultsOf(effects, kill);
  if (code !== 0) faults.push(`the old process ended with ${code}: ${errors}`);
  const acts = effects
    .filter(({ kind }) => kind === "tool-start" || kind === "tool-end")
    .map(({ kind, name, pid }) => `${kind} ${name} ${pid === old.pid ? "old" : "next"}`);
  const meant = ["0-0-pay old", "0-1-record old", "1-0-refund next"].flatMap((act) => [
    `tool-end ${act}`,
    `tool-start ${act}`,
  ]);
  if (!isDeepStrictEqual(acts.sort(), meant.sort())) faults.push(`acts: ${acts.join(", ")}`);
  const statuses = statusesOf(ended);
  if (!isDeepStrictEqual(statuses, ["0-0-pay ok", "0-1-record ok", "1-0-refund ok"]))
    faults.push(`calls: ${statuses.join(", ")}`);
  if (faults.length > 0) report.faults.push(`${faults.join("\n")}\n${await describeScene(scene)}`);
  report.points = 1;
  await scene.close();
  return report;
}
