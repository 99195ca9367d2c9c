// Which run or approval is meant by what was typed: its id, or enough of the start of one.
// It must not guess: what may be several is refused with their names, as somebody is about to act on one.

import type { ApprovalRecord } from "../app/app-runs.ts";
import type { App } from "../app/create-app.ts";
import { type CommandCall, UsageError } from "./command.ts";
import { listed } from "./command-line.ts";

/** Characters that the start of an id must have. */
const LEAST = 6;
/** As many are named where several are possible. */
const MOST_NAMED = 10;
/** As many are looked at; more than these start alike only where nearly nothing was typed. */
const MOST_FOUND = 1_000;

/** The id of a run. Throws `UsageError`. */
export async function findRun(given: string | undefined, app: App, call: CommandCall): Promise<string> {
  const typed = typedId(given, "run", call);
  const runs = await app.runs({ prefix: typed, limit: MOST_FOUND });
  const ids = runs.map(({ runId }) => runId).filter((id) => id.startsWith(typed));
  return onlyOne(ids.includes(typed) ? [typed] : topmost(ids, typed), typed, call);
}

/** Throws `UsageError`. Those that are answered are found, too: to say so is better than that there is none. */
export async function findApproval(given: string | undefined, app: App, call: CommandCall): Promise<ApprovalRecord> {
  const typed = typedId(given, "approval", call);
  const records = await app.approvals({ prefix: typed, answered: true });
  const found = new Map(records.map((record) => [record.pauseId, record]));
  const ids = [...found.keys()].filter((id) => id.startsWith(typed));
  return found.get(onlyOne(ids.includes(typed) ? [typed] : ids, typed, call)) as ApprovalRecord;
}

/** Refuses further words; `usual` is how many there may be. */
export function refuseMore(call: CommandCall, usual: number): void {
  const stranger = call.positionals[usual];
  if (stranger !== undefined) throw new UsageError(`\`${stranger}\` is one word too many`, call.command);
}

function typedId(given: string | undefined, kind: "run" | "approval", { command }: CommandCall): string {
  const list = `\`toolpost ${kind}s list\` shows them`;
  if (given === undefined)
    throw new UsageError(
      `\`toolpost ${command.name}\` needs the id of ${kind === "run" ? "a run" : "an approval"}; ${list}`,
      command,
    );
  // All ids of a kind start with its word, so the word alone says nothing.
  if (given.length < LEAST || given === "pause_")
    throw new UsageError(
      `\`${given}\` is too short: write at least ${LEAST} characters of the id, and more than \`pause_\``,
      command,
    );
  return given;
}

/** Ids of runs below another start with its id: what was typed without a `/` is one at the top. */
function topmost(ids: readonly string[], typed: string): string[] {
  const named = typed.includes("/") ? ids : ids.map((id) => id.split("/", 1)[0] ?? id);
  return [...new Set(named)].filter((id) => !named.some((other) => id.startsWith(`${other}/`)));
}

function onlyOne(ids: readonly string[], typed: string, { command }: CommandCall): string {
  const [first, second] = ids;
  if (first === undefined) {
    const [kind = ""] = command.name.split(" ");
    throw new UsageError(`no id of \`toolpost ${kind} list\` is, or starts with, \`${typed}\``, command);
  }
  if (second === undefined) return first;
  const more = ids.length > MOST_NAMED ? ` and ${ids.length - MOST_NAMED} more` : "";
  throw new UsageError(`\`${typed}\` may be ${listed(ids.slice(0, MOST_NAMED))}${more}: write more of it`, command);
}
