// A process that is stopped past its lease and woken: another has its run by then. It writes nothing more, its tools and its
// handle hear why, and the call that it was at is one of which nobody knows.

import { isDeepStrictEqual } from "node:util";
import { faultsOf } from "../lib/check-run.ts";
import { statusesOf } from "../lib/outcome.ts";
import type { PartReport } from "../lib/report.ts";
import { describeScene, newReport } from "../lib/report.ts";
import { Scene } from "../lib/scene.ts";

/** Short enough to wait for, long enough not to be lost before the process is stopped. */
const leaseMs = 2_000;

export async function stopped(): Promise<PartReport> {
  const report = newReport("stopped and woken");
  const scene = new Scene();
  const sleeper = scene.worker({ task: "serve", gates: ["pay", "record"], leaseMs });
  await sleeper.heard("up");
  sleeper.tell({ type: "run", agent: "clerk", messages: ["Pay"] });
  await Promise.all(["pay", "record"].map((tool) => sleeper.heard("at-gate", (message) => message.tool === tool)));
  sleeper.kill("SIGSTOP");

  const other = scene.worker({ task: "serve" });
  const [ended] = await scene.ended("clerk", 1);
  const stored = scene.dump();
  sleeper.kill("SIGCONT");
  const { code } = await sleeper.heard("handle");
  sleeper.tell({ type: "open" });
  await sleeper.end();
  await other.end();

  const effects = scene.readEffects();
  const faults = faultsOf(
    effects.filter(({ kind }) => kind !== "tool-end"),
    undefined,
  );
  if (scene.dump() !== stored) faults.push("what is stored has changed after it woke");
  if (code !== "ExecutionLeaseLostError") faults.push(`its handle said ${code}`);
  const signals = effects
    .filter(({ kind, pid }) => kind === "tool-signal" && pid === sleeper.pid)
    .map(({ name, key }) => `${name} ${key}`);
  const meant = ["0-0-pay ExecutionLeaseLostError", "0-1-record ExecutionLeaseLostError"];
  if (!isDeepStrictEqual(signals.sort(), meant)) faults.push(`its tools heard: ${signals.join(", ")}`);
  const statuses = statusesOf(ended);
  if (ended?.state !== "done" || !isDeepStrictEqual(statuses, ["0-0-pay unknown", "0-1-record ok", "1-0-refund ok"]))
    faults.push(`the run is ${ended?.state}: ${statuses.join(", ")}`);
  if (faults.length > 0) report.faults.push(`${faults.join("\n")}\n${await describeScene(scene)}`);
  report.points = report.unknowns = report.repeats = 1;
  await scene.close();
  return report;
}
