// `toolpost approvals approve`: puts a yes on record, with other arguments where the person gives them.
// All of the arguments are shown first, and at a terminal the person is asked once more. An edit is checked by the run.

import type { ApprovalRecord } from "../app/app-runs.ts";
import { TerminalLines } from "../approvals/terminal-lines.ts";
import { follow } from "../std/abort.ts";
import { systemClock } from "../std/clock.ts";
import type { Json } from "../std/json.ts";
import { parseJson } from "../std/json.ts";
import { type Command, type CommandCall, UsageError } from "./command.ts";
import { exitCodes } from "./exit-code.ts";
import { refuseMore } from "./find-id.ts";
import { commentOf, findWaiting, giveAnswer } from "./give-answer.ts";
import { withKeptRuns } from "./kept-runs.ts";
import { asOption } from "./operator-name.ts";
import { approvalLines } from "./shown-approval.ts";
import { shownJsonLines } from "./shown-json.ts";

/** With `--json` the `ApprovalRecord` as it is then. */
export const approvalsApprove: Command = {
  name: "approvals approve",
  summary: "approves a call; the run goes on where it is served",
  usage: "approvals approve ID",
  options: {
    edit: { value: "JSON", summary: "other arguments, all of them; they are checked as the model's are" },
    comment: { value: "TEXT", summary: "kept with the approval" },
    as: asOption,
  },
  async run(call) {
    refuseMore(call, 1);
    const edit = editOf(call);
    return withKeptRuns(call, async (app) => {
      const record = await findWaiting("approval", app, call);
      if (!(await isMeant(record, edit, call))) {
        call.terminal.tell("nothing was answered", "yellow");
        return call.io.interrupt?.aborted === true ? exitCodes.cancelled : exitCodes.waiting;
      }
      const answer = { pauseId: record.pauseId, decision: "approve", ...edit, ...commentOf(call) } as const;
      return giveAnswer(answer, app, call);
    });
  },
};

function editOf({ options: { edit }, command }: CommandCall): { readonly arguments?: Json } {
  if (edit === undefined) return {};
  const parsed = parseJson(edit);
  if (parsed.ok) return { arguments: parsed.value };
  throw new UsageError(`\`--edit\` is not JSON: ${parsed.message}`, command);
}

/** Shows what would be approved, and asks where a person sits at the terminal. */
async function isMeant(
  record: ApprovalRecord,
  edit: { readonly arguments?: Json },
  call: CommandCall,
): Promise<boolean> {
  const { io, terminal } = call;
  const isAtTerminal = io.isTerminal.stdin && io.isTerminal.stderr;
  if (isAtTerminal || !call.switches.has("json")) {
    const lines = approvalLines(record, systemClock.now());
    if (edit.arguments !== undefined)
      lines.push("  to be approved with", ...shownJsonLines(edit.arguments).map((line) => `    ${line}`));
    terminal.tell(lines.join("\n"));
  }
  return isAtTerminal ? isConfirmed(call) : true;
}

async function isConfirmed({ io }: CommandCall): Promise<boolean> {
  const lines = new TerminalLines(io.stdin);
  const letGo = io.interrupt === undefined ? undefined : follow(io.interrupt, () => lines.close());
  try {
    await lines.open();
    for (;;) {
      io.stderr.write("Approve? [y]es / [n]o: ");
      const line = await lines.next();
      // Without the person's own line break the next output would stand behind the question.
      if (line === undefined) io.stderr.write("\n");
      if (line === undefined || /^no?$/i.test(line.trim())) return false;
      if (/^y(?:es)?$/i.test(line.trim())) return true;
    }
  } finally {
    letGo?.();
    lines.close();
  }
}
