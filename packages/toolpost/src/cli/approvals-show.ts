// `toolpost approvals show`: one approval whole: what is asked, with all of the arguments, and what became of it.
// It shows and changes nothing.

import type { ApprovalRecord } from "../app/app-runs.ts";
import { systemClock } from "../std/clock.ts";
import type { Command } from "./command.ts";
import { exitCodes } from "./exit-code.ts";
import { findApproval, refuseMore } from "./find-id.ts";
import { withKeptRuns } from "./kept-runs.ts";
import { approvalLines } from "./shown-approval.ts";
import { shownJson } from "./shown-json.ts";
import { shownLine } from "./shown-line.ts";

/** With `--json` the `ApprovalRecord`. */
export const approvalsShow: Command = {
  name: "approvals show",
  summary: "shows an approval with all of its arguments, or a question",
  usage: "approvals show ID",
  options: {},
  async run(call) {
    refuseMore(call, 1);
    return withKeptRuns(call, async (app) => {
      const record = await findApproval(call.positionals[0], app, call);
      const text = [...approvalLines(record, systemClock.now()), ...wayOut(record)].join("\n");
      await call.terminal.print(`${call.switches.has("json") ? shownJson(record) : text}\n`);
      return exitCodes.ok;
    });
  },
};

/** How it is answered. */
function wayOut({ state, value, pauseId }: ApprovalRecord): string[] {
  if (state !== "waiting") return [];
  const id = shownLine(pauseId);
  const answers =
    value.kind === "approval"
      ? [`approve ${id} [--edit JSON] [--comment TEXT]`, `decline ${id} [--comment TEXT]`]
      : [`reply ${id} JSON-OR-TEXT`];
  return ["", ...answers.map((answer) => `toolpost approvals ${answer}`)];
}
