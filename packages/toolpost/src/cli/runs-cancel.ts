// `toolpost runs cancel`: cancels a run and all below it, also where no process is alive to move it.
// A run that a process moves is ended by that process, in good order: the command does not wait for it.

import type { Command, CommandCall } from "./command.ts";
import { exitCodes } from "./exit-code.ts";
import { findRun, refuseMore } from "./find-id.ts";
import { withKeptRuns } from "./kept-runs.ts";
import { actingAsOption, operatorName } from "./operator-name.ts";
import { shownJson } from "./shown-json.ts";
import { shownLine } from "./shown-line.ts";

/** With `--json` `{ runId, state, cancelled }`; `cancelled` is false where the run had ended before. */
export const runsCancel: Command = {
  name: "runs cancel",
  summary: "cancels a run and the runs below it",
  usage: "runs cancel ID",
  options: {
    reason: { value: "TEXT", summary: "kept with the run, and read by whoever waits for it" },
    as: actingAsOption,
  },
  async run(call) {
    refuseMore(call, 1);
    return withKeptRuns(call, async (app) => {
      const runId = await findRun(call.positionals[0], app, call);
      const isCancelled = await app.cancel(runId, reasonOf(call));
      const state = (await app.inspect(runId))?.state ?? "deleted";
      if (call.switches.has("json"))
        await call.terminal.print(`${shownJson({ runId, state, cancelled: isCancelled })}\n`);
      else await tell({ runId, state, isCancelled }, call);
      return isCancelled || state === "cancelled" ? exitCodes.ok : exitCodes.failed;
    });
  },
};

/** With who did it, whatever else is said. */
function reasonOf(call: CommandCall): string {
  const { reason } = call.options;
  return `cancelled by operator ${operatorName(call)}${reason === undefined ? "" : `: ${reason}`}`;
}

interface Cancelled {
  readonly runId: string;
  readonly state: string;
  readonly isCancelled: boolean;
}

async function tell({ runId, state, isCancelled }: Cancelled, { terminal }: CommandCall): Promise<void> {
  const run = shownLine(runId);
  if (!isCancelled) return terminal.tell(`${run} had ended before: ${state}`, state === "cancelled" ? "dim" : "red");
  await terminal.print(
    `${run} ${state === "cancelled" ? "is cancelled" : "is being cancelled by the process that moves it"}\n`,
  );
}
