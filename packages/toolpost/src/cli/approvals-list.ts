// `toolpost approvals list`: what waits for people, oldest first, as a table for people or as JSON for programs.
// It shows and changes nothing.

import type { ApprovalRecord } from "../app/app-runs.ts";
import { systemClock } from "../std/clock.ts";
import { encodeJson } from "../std/json.ts";
import type { Command, CommandCall } from "./command.ts";
import { exitCodes } from "./exit-code.ts";
import { refuseMore } from "./find-id.ts";
import { withKeptRuns } from "./kept-runs.ts";
import { printTable } from "./print-table.ts";
import { outcomeText } from "./shown-approval.ts";
import { shownJson } from "./shown-json.ts";
import { shownLine } from "./shown-line.ts";
import { shownSpan } from "./shown-time.ts";

/** Prints id, age, tool, run, arguments or question; with `--json` an array of `ApprovalRecord`. */
export const approvalsList: Command = {
  name: "approvals list",
  summary: "lists what waits for a person, oldest first",
  usage: "approvals list",
  options: { all: { summary: "what was answered, expired or closed, too, with who answered" } },
  async run(call) {
    refuseMore(call, 0);
    return withKeptRuns(call, async (app) => {
      const isAll = call.switches.has("all");
      const records = await app.approvals({ answered: isAll });
      if (call.switches.has("json")) await call.terminal.print(`${shownJson(records)}\n`);
      else await printRecords(records, isAll, call);
      return exitCodes.ok;
    });
  },
};

async function printRecords(records: readonly ApprovalRecord[], isAll: boolean, call: CommandCall): Promise<void> {
  if (records.length === 0) return call.terminal.tell(isAll ? "no approvals" : "nothing waits for a person");
  const now = systemClock.now();
  const rows = records.map((record) => [
    shownLine(record.pauseId),
    shownSpan(now - record.askedAt),
    shownLine(record.value.tool),
    shownLine(record.runId),
    ...(isAll ? [shownLine(outcomeText(record))] : []),
    shownLine(whatIsAsked(record)),
  ]);
  const head = ["APPROVAL", "AGE", "TOOL", "RUN", ...(isAll ? ["OUTCOME"] : []), "ASKED"];
  await printTable([head, ...rows], call);
}

function whatIsAsked({ value }: ApprovalRecord): string {
  return value.kind === "approval" ? encodeJson(value.arguments) : value.question;
}
