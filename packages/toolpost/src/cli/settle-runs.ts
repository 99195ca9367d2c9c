// Waits until runs, with all below them, have ended or wait for people, whichever process moves them.
// It must not wait for what cannot come: a run of another version or agent, or one behind a run that waits.

import { setTimeout as delay } from "node:timers/promises";
import type { RunSummary } from "../app/app-runs.ts";
import type { App } from "../app/create-app.ts";
import type { RunState } from "../core/run.ts";
import { everyAgent } from "./open-config.ts";

/** Milliseconds. */
const LOOK_EACH = 100;
/** As many are looked at. */
const MOST = 100_000;
/** How many looks a run that time moves on has to be taken up. */
const PATIENCE = 50;

/** Resolves when there is nothing more to do, or the signal fires. `ids` are of runs at the top. */
export async function settleRuns(ids: ReadonlySet<string>, app: App, signal: AbortSignal | undefined): Promise<void> {
  for (let looks = 0; signal?.aborted !== true; looks++) {
    const active = await unfinished(app, ["queued", "running"]);
    const wanted = active.filter((run) => ids.has(rootOf(run.runId)) && obstacleTo(run, app) === undefined);
    if (wanted.length === 0 && !(looks < PATIENCE && (await isAnyOverdue(ids, app)))) return;
    if (wanted.length > 0 && wanted.every(({ state }) => state === "queued") && (await areAllBehind(wanted, app)))
      return;
    // A signal ends the wait early; the loop sees it.
    await delay(LOOK_EACH, undefined, signal === undefined ? {} : { signal }).catch(() => undefined);
  }
}

/** Whether time moves a run on that waits: an approval of it has expired, and no process has noticed yet. */
export async function isOverdue(runId: string, app: App): Promise<boolean> {
  const records = await app.approvals({ under: runId, answered: true });
  // Once it is noticed, the time of that stands in its place.
  return records.some(({ state, expiresAt, answeredAt }) => state === "expired" && answeredAt === expiresAt);
}

async function isAnyOverdue(ids: ReadonlySet<string>, app: App): Promise<boolean> {
  for (const { runId } of await unfinished(app, ["waiting"]))
    if (ids.has(rootOf(runId)) && (await isOverdue(runId, app))) return true;
  return false;
}

/** Newest first. */
export function unfinished(app: App, states: readonly RunState[]): Promise<readonly RunSummary[]> {
  return app.runs({ states, limit: MOST });
}

/** Why no process with this configuration moves the run; `undefined` where it does. */
export function obstacleTo({ agent, version, error, endedAt }: RunSummary, app: App): string | undefined {
  // A run has an error before its end only where it cannot be read.
  if (error !== undefined && endedAt === undefined) return error.message;
  if (!everyAgent(app).some(({ name }) => name === agent)) return `the configuration has no agent \`${agent}\``;
  if ((version ?? "") === (app.version ?? "")) return undefined;
  const own = app.version === undefined ? "has no version" : `is version \`${app.version}\``;
  return `it was started by ${version === undefined ? "no version" : `version \`${version}\``}, and the configuration ${own}`;
}

/** Of a run that another process moves, or had: when it comes free should nobody hear of that; `undefined` of all others. */
export function holdText({ lease }: RunSummary, now: number): string | undefined {
  if (lease === undefined || lease.isOwn || lease.until <= now) return undefined;
  return `held by another process; free in ${Math.ceil((lease.until - now) / 1_000)} s at the latest, should that one be gone`;
}

/** Of a run that nobody moves, though it stands as running: its process is gone, and the lease of that one is over. */
export function isLeft({ state, lease }: RunSummary, now: number): boolean {
  return state === "running" && lease !== undefined && !lease.isOwn && lease.until <= now;
}

/** Ids of runs below another start with its id. */
export function rootOf(runId: string): string {
  return runId.split("/", 1)[0] ?? runId;
}

/** Whether each of them is behind an earlier run of its conversation that waits, or that nobody here moves. */
async function areAllBehind(queued: readonly RunSummary[], app: App): Promise<boolean> {
  const newestFirst = await unfinished(app, ["queued", "running", "waiting"]);
  const oldestFirst = newestFirst.toReversed();
  const isStill = (run: RunSummary): boolean => run.state === "waiting" || obstacleTo(run, app) !== undefined;
  return queued.every((run) => {
    const lane = laneOf(run);
    if (lane === undefined) return false;
    const place = oldestFirst.findIndex(({ runId }) => runId === run.runId);
    return oldestFirst.slice(0, Math.max(place, 0)).some((other) => laneOf(other) === lane && isStill(other));
  });
}

/** Runs of one conversation go on one after the other; runs below others are in none. */
function laneOf({ threadId, ownerId, parent }: RunSummary): string | undefined {
  return threadId === undefined || parent !== undefined ? undefined : JSON.stringify([threadId, ownerId ?? null]);
}
