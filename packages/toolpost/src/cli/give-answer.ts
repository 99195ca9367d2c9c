// An answer of the person at the command: put on record, told, and whether anybody goes on with the run.
// The command does not move the run itself: the process that serves it does, with its own keys and connections.

import { setTimeout as delay } from "node:timers/promises";
import type { ApprovalRecord } from "../app/app-runs.ts";
import type { App } from "../app/create-app.ts";
import type { PauseAnswer } from "../app/pause-answer.ts";
import { isToolpostError, ToolpostError } from "../core/errors.ts";
import { type CommandCall, UsageError } from "./command.ts";
import { exitCodes } from "./exit-code.ts";
import { findApproval } from "./find-id.ts";
import { operatorName } from "./operator-name.ts";
import { rootOf } from "./settle-runs.ts";
import { outcomeText } from "./shown-approval.ts";
import { shownJson } from "./shown-json.ts";
import { shownLine } from "./shown-line.ts";

/** How often, and for how long, somebody is looked for who goes on with the run; milliseconds. */
const LOOK_EACH = 50;
const LOOK_FOR = 500;

/** The approval that the first word names. Throws where it is of the other kind, or no longer waits. */
export async function findWaiting(
  kind: ApprovalRecord["value"]["kind"],
  app: App,
  call: CommandCall,
): Promise<ApprovalRecord> {
  const record = await findApproval(call.positionals[0], app, call);
  if (record.state !== "waiting") throw settledError(record);
  if (record.value.kind === kind) return record;
  const id = record.pauseId;
  throw new UsageError(
    kind === "approval"
      ? `\`${id}\` is a question: \`toolpost approvals reply ${id} …\``
      : `\`${id}\` is an approval: \`toolpost approvals approve ${id}\`, or \`decline\``,
    call.command,
  );
}

export function commentOf({ options: { comment } }: CommandCall): { readonly comment?: string } {
  return comment === undefined ? {} : { comment };
}

/** Resolves with the exit code. Throws where somebody else, or time, was first. */
export async function giveAnswer(answer: PauseAnswer, app: App, call: CommandCall): Promise<number> {
  const { pauseId } = answer;
  const { terminal, switches } = call;
  try {
    await app.answer(answer, { operator: operatorName(call) });
  } catch (error) {
    const record = await recordOf(pauseId, app);
    throw record === undefined || record.state === "waiting" ? withOwnFix(error) : settledError(record);
  }
  const record = await recordOf(pauseId, app);
  if (record === undefined) return exitCodes.ok;
  await terminal.print(
    switches.has("json")
      ? `${shownJson(record)}\n`
      : `${shownLine(`${record.value.tool} (${pauseId}): ${outcomeText(record)}`)}\n`,
  );
  if (!(await isTakenUp(record.runId, app)))
    terminal.tell(
      `no process has taken the run up; start your server, or: toolpost runs resume ${rootOf(record.runId)}`,
      "yellow",
    );
  return exitCodes.ok;
}

async function recordOf(pauseId: string, app: App): Promise<ApprovalRecord | undefined> {
  const [record] = await app.approvals({ pauseId, answered: true });
  return record;
}

function settledError(record: ApprovalRecord): unknown {
  const { pauseId, state } = record;
  if (state === "answered")
    return new ToolpostError("approval.already-answered", `\`${pauseId}\` is already answered: ${outcomeText(record)}`);
  return state === "expired"
    ? new ToolpostError("approval.expired", `\`${pauseId}\` has expired: nobody answered in time`)
    : withOwnFix(
        new ToolpostError("approval.unknown-pause", `\`${pauseId}\` is closed: its run no longer waits for it`),
      );
}

/** The usual fix is for code: nobody has a `result` at the command. */
function withOwnFix(error: unknown): unknown {
  if (!isToolpostError(error) || error.code !== "approval.unknown-pause") return error;
  const hint = "What waits is listed by `toolpost approvals list`.";
  return new ToolpostError(error.code, error.message, { hint, cause: error.cause });
}

/** A run that was answered is queued until somebody moves it. */
async function isTakenUp(runId: string, app: App): Promise<boolean> {
  for (let waited = 0; ; waited += LOOK_EACH) {
    const queued = await app.runs({ states: ["queued"], under: runId, limit: 1_000 });
    if (!queued.some((run) => run.runId === runId)) return true;
    if (waited >= LOOK_FOR) return false;
    await delay(LOOK_EACH);
  }
}
