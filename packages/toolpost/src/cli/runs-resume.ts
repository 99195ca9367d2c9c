// `toolpost runs resume`: moves stored runs in this process until each has ended or waits for a person.
// It moves what a server would move and no more; interrupted, it leaves the runs to whoever serves them next.

import type { RunInspection } from "../app/app-runs.ts";
import type { App } from "../app/create-app.ts";
import { ToolpostError } from "../core/errors.ts";
import { errorFrom } from "../core/failure.ts";
import type { RunResult } from "../core/run-result.ts";
import { systemClock } from "../std/clock.ts";
import type { Command, CommandCall } from "./command.ts";
import { counted } from "./description-text.ts";
import { exitCodeOfError, exitCodeOfRun, exitCodes } from "./exit-code.ts";
import { findRun, refuseMore } from "./find-id.ts";
import { withKeptRuns } from "./kept-runs.ts";
import { everyAgent } from "./open-config.ts";
import { callLine, progressLine } from "./progress-line.ts";
import { endText } from "./run-story.ts";
import { holdText, isOverdue, obstacleTo, rootOf, settleRuns, unfinished } from "./settle-runs.ts";
import { shownJson } from "./shown-json.ts";
import { shownLine } from "./shown-line.ts";

/** As many runs below one are looked at. */
const MOST_HELD = 1_000;

/** With `--json` an array with the `RunSummary` of each run that was to be moved. */
export const runsResume: Command = {
  name: "runs resume",
  summary: "moves a run, or all that are queued or were left, until each has ended or waits",
  usage: "runs resume [ID]",
  options: { quiet: { short: "q", summary: "no lines about tool calls on standard error" } },
  details: "Ctrl-C hands the runs over: they go on where they are served next. Runs of other versions are left alone.",
  async run(call) {
    refuseMore(call, 1);
    return withKeptRuns(call, async (app) => {
      if (everyAgent(app).length === 0) throw needsAgents();
      const [given] = call.positionals;
      const ids = given === undefined ? await allIds(app, call) : [rootOf(await findRun(given, app, call))];
      if (given !== undefined) await refuseObstacle(ids, app);
      if (ids.length > 0) await move(ids, app, call);
      const runs = await Promise.all(ids.map((id) => app.inspect(id)));
      const found = runs.filter((run) => run !== undefined);
      await printEnds(found, call);
      if (call.io.interrupt?.aborted === true) return handOver(found, call);
      const [only] = found;
      return given === undefined || only === undefined ? exitCodeOfAll(found, app) : exitCodeOfOne(only);
    });
  },
};

function needsAgents(): ToolpostError {
  const hint = "Use the configuration of the application that started the runs, with its `agents`.";
  return new ToolpostError("config.invalid", "the configuration has no agent that could go on with a run", { hint });
}

/** Ids of runs at the top that have something to do, or below which there is; of what cannot be moved here it tells. */
async function allIds(app: App, { terminal }: CommandCall): Promise<string[]> {
  const active = [];
  for (const run of await unfinished(app, ["queued", "running", "waiting"]))
    if (run.state !== "waiting" || (await isOverdue(run.runId, app))) active.push(run);
  for (const run of active) {
    const obstacle = obstacleTo(run, app);
    if (obstacle !== undefined) terminal.tell(`${run.runId} is left alone: ${obstacle}`, "yellow");
  }
  const ids = [
    ...new Set(active.filter((run) => obstacleTo(run, app) === undefined).map(({ runId }) => rootOf(runId))),
  ];
  if (active.length === 0) terminal.tell("nothing to do: no run is queued, none was left");
  // Oldest first.
  return ids.reverse();
}

async function refuseObstacle([runId = ""]: readonly string[], app: App): Promise<void> {
  const run = await app.inspect(runId);
  const obstacle = run === undefined || run.endedAt !== undefined ? undefined : obstacleTo(run, app);
  if (obstacle === undefined) return;
  const hint = `Use the configuration that it was started with, or cancel it: \`toolpost runs cancel ${runId}\`.`;
  throw new ToolpostError("config.invalid", `\`${runId}\` cannot be moved here: ${obstacle}`, { hint });
}

async function move(ids: readonly string[], app: App, call: CommandCall): Promise<void> {
  for (const id of ids) await tellHolds(id, app, call);
  if (!call.switches.has("quiet")) for (const id of ids) tellCalls(id, app, call);
  await app.start();
  await settleRuns(new Set(ids), app, call.io.interrupt);
}

/** Why nothing may happen for a while: a process that died has its runs until their leases are over. */
async function tellHolds(id: string, app: App, { terminal }: CommandCall): Promise<void> {
  const now = systemClock.now();
  for (const run of await app.runs({ under: id, states: ["running"], limit: MOST_HELD })) {
    const hold = holdText(run, now);
    if (hold !== undefined) terminal.tell(`${run.runId} is ${hold}`, "yellow");
  }
}

/** Until the run ends or the application is closed. */
function tellCalls(runId: string, app: App, { terminal }: CommandCall): void {
  const tell = async (): Promise<void> => {
    for await (const event of app.attach(runId).events) {
      const line = callLine(event) ?? progressLine(event);
      if (line !== undefined) terminal.tell(`${runId}: ${line}`, "dim");
    }
  };
  // What goes wrong with the run is told at its end.
  tell().catch(() => undefined);
}

async function printEnds(runs: readonly RunInspection[], { terminal, switches }: CommandCall): Promise<void> {
  if (switches.has("json")) {
    const summaries = runs.map(({ journal: _, approvals: __, input: ___, result: ____, ...summary }) => summary);
    return terminal.print(`${shownJson(summaries)}\n`);
  }
  await terminal.print(runs.map((run) => `${shownLine(`${run.runId}: ${stateText(run)}`)}\n`).join(""));
}

function stateText(run: RunInspection): string {
  const waiting = run.approvals.filter(({ state }) => state === "waiting");
  const [first] = waiting;
  if (run.state === "queued") return "queued, behind an earlier run of its thread that waits";
  if (run.state !== "waiting" || first === undefined) return endText(run);
  const more = waiting.length > 1 ? ` and ${waiting.length - 1} more` : "";
  const what = first.value.kind === "approval" ? "approval of" : "an answer to";
  return `waits for ${what} ${first.value.tool}${more}: toolpost approvals show ${first.pauseId}`;
}

/** They are given up when the application is closed, which comes next. */
function handOver(runs: readonly RunInspection[], { terminal }: CommandCall): number {
  const left = runs.filter(({ lease }) => lease?.isOwn === true).length;
  if (left > 0)
    terminal.tell(
      `${counted(left, "run")} handed over; what is under way has 10 s to settle, one more Ctrl-C ends it at once`,
      "yellow",
    );
  return exitCodes.cancelled;
}

function exitCodeOfOne({ state, error, result }: RunInspection): number {
  // Of a run that somebody cancelled: the code of Ctrl-C is for whoever pressed it here.
  if (state === "cancelled") return exitCodes.failed;
  if (state === "done") return exitCodeOfRun(result as unknown as RunResult);
  return error === undefined ? exitCodes.waiting : exitCodeOfError(errorFrom(error));
}

/** Whether all went well: to wait is no failure of a run. */
function exitCodeOfAll(runs: readonly RunInspection[], app: App): number {
  const isBad = runs.some(
    (run) => run.state === "failed" || (run.endedAt === undefined && obstacleTo(run, app) !== undefined),
  );
  return isBad ? exitCodes.failed : exitCodes.ok;
}
