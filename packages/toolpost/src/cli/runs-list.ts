// `toolpost runs list`: the runs that are stored, newest first, as a table for people or as JSON for programs.
// It shows and changes nothing.

import type { RunSummary, RunsFilter } from "../app/app-runs.ts";
import type { RunState } from "../core/run.ts";
import { systemClock } from "../std/clock.ts";
import { closestName } from "../std/closest-name.ts";
import { type Command, type CommandCall, UsageError } from "./command.ts";
import { didYouMean, listed } from "./command-line.ts";
import { exitCodes } from "./exit-code.ts";
import { refuseMore } from "./find-id.ts";
import { withKeptRuns } from "./kept-runs.ts";
import { printTable } from "./print-table.ts";
import { isLeft } from "./settle-runs.ts";
import { shownJson } from "./shown-json.ts";
import { shownLine } from "./shown-line.ts";
import { shownSpan } from "./shown-time.ts";

const usualLimit = 50;
const states: readonly RunState[] = ["queued", "running", "waiting", "done", "failed", "cancelled"];

/** Prints id, state, age, agent, thread, error; with `--json` an array of `RunSummary`. */
export const runsList: Command = {
  name: "runs list",
  summary: "lists runs, newest first",
  usage: "runs list",
  options: {
    state: { value: "STATE,…", summary: `only these: ${states.join(", ")}` },
    agent: { value: "NAME", summary: "runs of this agent only" },
    limit: { value: "N", summary: `how many; default ${usualLimit}` },
  },
  async run(call) {
    refuseMore(call, 0);
    const limit = limitOf(call);
    const filter = filterOf(call);
    return withKeptRuns(call, async (app) => {
      const runs = await app.runs({ ...filter, limit });
      if (call.switches.has("json")) await call.terminal.print(`${shownJson(runs)}\n`);
      else await printRuns(runs, call);
      if (runs.length === limit) call.terminal.tell(`the newest ${limit}; \`--limit\` shows more`, "dim");
      return exitCodes.ok;
    });
  },
};

/** A row for each run: what it is, how it stands. */
export async function printRuns(runs: readonly RunSummary[], call: CommandCall): Promise<void> {
  if (runs.length === 0) return call.terminal.tell("no runs");
  const now = systemClock.now();
  const rows = runs.map((run) => [
    shownLine(run.runId),
    isLeft(run, now) ? `${run.state}, left` : run.state,
    shownSpan(now - run.createdAt),
    shownLine(run.agent),
    shownLine(run.threadId ?? ""),
    shownLine(run.error?.message ?? ""),
  ]);
  await printTable([["RUN", "STATE", "AGE", "AGENT", "THREAD", "ERROR"], ...rows], call);
  if (runs.some((run) => isLeft(run, now)))
    call.terminal.tell("left: its process is gone; your server takes it up, or: toolpost runs resume", "yellow");
}

function limitOf({ options: { limit = String(usualLimit) }, command }: CommandCall): number {
  if (/^[1-9]\d{0,8}$/.test(limit)) return Number(limit);
  throw new UsageError(`\`--limit\` must be a whole number from 1, not \`${limit}\``, command);
}

function filterOf({ options: { state, agent }, command }: CommandCall): RunsFilter {
  const chosen = state?.split(",").map((name) => name.trim());
  for (const name of chosen ?? []) {
    if ((states as readonly string[]).includes(name)) continue;
    const mend = didYouMean(closestName(name, states)) || `; there are ${listed(states)}`;
    throw new UsageError(`there is no state \`${name}\`${mend}`, command);
  }
  return {
    ...(chosen === undefined ? {} : { states: chosen as RunState[] }),
    ...(agent === undefined ? {} : { agent }),
  };
}
