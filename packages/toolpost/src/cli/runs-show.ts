// `toolpost runs show`: all that a person on call wants to know of one run: what it is, what happened, what it waits for.
// It shows and changes nothing. Journals hold what tools returned as it was: they are printed on request only.

import type { ApprovalRecord, RunInspection, RunSummary } from "../app/app-runs.ts";
import type { App } from "../app/create-app.ts";
import { errorTable } from "../core/error-table.ts";
import type { JournalEntry } from "../core/run.ts";
import { systemClock } from "../std/clock.ts";
import { encodeJson } from "../std/json.ts";
import { cutUtf8 } from "../std/text.ts";
import type { Command, CommandCall } from "./command.ts";
import { exitCodes } from "./exit-code.ts";
import { findRun, refuseMore } from "./find-id.ts";
import { withKeptRuns } from "./kept-runs.ts";
import { endText, storyOf } from "./run-story.ts";
import { holdText, isLeft, obstacleTo, rootOf } from "./settle-runs.ts";
import { fields } from "./shown-approval.ts";
import { shownJson } from "./shown-json.ts";
import { shownLine } from "./shown-line.ts";
import { shownMoment, shownSpan, shownTime } from "./shown-time.ts";
import { formatTable } from "./table.ts";

/** With `--json` the `RunInspection` with `runs`, those below it; its `journal` only where `--journal` is given, too. */
export const runsShow: Command = {
  name: "runs show",
  summary: "tells of a run: what happened in it, and what it waits for",
  usage: "runs show ID",
  options: { journal: { summary: "its journal, too; it holds what tools returned, unmasked" } },
  async run(call) {
    refuseMore(call, 1);
    return withKeptRuns(call, async (app) => {
      const runId = await findRun(call.positionals[0], app, call);
      const [run, under] = await Promise.all([app.inspect(runId), app.runs({ under: runId, limit: 1_000 })]);
      // It was there a moment ago.
      if (run === undefined) throw new Error(`the run \`${runId}\` was deleted meanwhile`);
      const below = under.filter((each) => each.runId !== runId).reverse();
      const { journal, ...rest } = run;
      const isWithJournal = call.switches.has("journal");
      if (call.switches.has("json"))
        await call.terminal.print(`${shownJson({ ...rest, runs: below, ...(isWithJournal ? { journal } : {}) })}\n`);
      else await call.terminal.print(runText(run, below, { isWithJournal, app, call }));
      return exitCodes.ok;
    });
  },
};

interface Showing {
  readonly isWithJournal: boolean;
  readonly app: App;
  readonly call: CommandCall;
}

function runText(run: RunInspection, below: readonly RunSummary[], { isWithJournal, app, call }: Showing): string {
  const now = systemClock.now();
  const paint = (text: string): string => call.terminal.paint(text, "bold");
  const waiting = run.approvals.filter(({ state }) => state === "waiting");
  const sections = [
    [`${paint(shownLine(run.runId))}: ${run.state}${stateNote(run, app, now)}`, ...headLines(run, now)],
    [paint("what happened (UTC)"), ...storyLines(run)],
    below.length === 0 ? [] : [paint("runs below it"), ...below.map(belowLine)],
    waiting.length === 0 ? [] : [paint("waits for"), ...waiting.flatMap((record) => waitingLines(record, now))],
    isWithJournal ? [paint("journal"), ...journalLines(run.journal)] : [],
  ];
  return `${sections
    .filter((lines) => lines.length > 0)
    .map((lines) => lines.join("\n"))
    .join("\n\n")}\n`;
}

function headLines(run: RunInspection, now: number): string[] {
  const { agent, threadId, ownerId, version, parent, createdAt, endedAt, error } = run;
  return fields([
    ["agent", agent],
    ["thread", threadId],
    ["owner", ownerId],
    ["version", version],
    ["called by", parent],
    ["started", shownMoment(createdAt, now)],
    [
      "ended",
      endedAt === undefined ? undefined : `${shownMoment(endedAt, now)}, after ${shownSpan(endedAt - createdAt)}`,
    ],
    ["error", error === undefined ? undefined : endText(run)],
    ["mend", error?.code === "run.replay-mismatch" ? errorTable[error.code]?.fix : undefined],
  ]);
}

/** What a state alone does not say. */
function stateNote(run: RunSummary, app: App, now: number): string {
  const { state, threadId, endedAt } = run;
  const obstacle = endedAt === undefined ? obstacleTo(run, app) : undefined;
  const resume = `toolpost runs resume ${shownLine(rootOf(run.runId))}`;
  const left = `left by a process that is gone; your server takes it up, or: ${resume}`;
  const hold = isLeft(run, now)
    ? obstacle === undefined
      ? left
      : "left by a process that is gone"
    : holdText(run, now);
  if (hold !== undefined || obstacle !== undefined)
    return [hold, obstacle].flatMap((note) => (note === undefined ? [] : `: ${note}`)).join("");
  if (state !== "queued") return "";
  const other = threadId === undefined ? "" : ", or an earlier run of its thread has not ended";
  return `: no process has taken it up${other}`;
}

function storyLines(run: RunInspection): string[] {
  return storyOf(run).map(({ at, text }) => `  ${shownTime(at)}  ${shownLine(text)}`);
}

function belowLine(run: RunSummary): string {
  return `  ${shownLine(run.runId)} (${shownLine(run.agent)}): ${shownLine(endText(run))}`;
}

function waitingLines({ value, pauseId, askedAt, expiresAt }: ApprovalRecord, now: number): string[] {
  const what = value.kind === "approval" ? "approval of" : "an answer to";
  const expiry = expiresAt === undefined ? "" : `, expires in ${shownSpan(expiresAt - now)}`;
  return [
    `  ${what} ${shownLine(value.tool)}, asked ${shownSpan(now - askedAt)} ago${expiry}`,
    `    toolpost approvals show ${shownLine(pauseId)}`,
  ];
}

/** A line for each entry; long values are cut, as `--json` has them whole. */
function journalLines(journal: readonly JournalEntry[]): string[] {
  const rows = journal.map(({ seq, at, kind, key, value }) => {
    const written = encodeJson(value);
    const { text } = cutUtf8(written, 400);
    return [`  ${seq}`, shownTime(at), kind, shownLine(key), shownLine(text === written ? text : `${text}…`)];
  });
  return formatTable(rows);
}
