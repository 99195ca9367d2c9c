// Runs in the memory of one process: they end with it.
// What only a store can do (runs of before, of other processes) it refuses in words.

import { GivenHandle } from "../agent/given-handle.ts";
import { LiveRun } from "../agent/live-run.ts";
import { ToolpostError } from "../core/errors.ts";
import type { Answer } from "../core/run.ts";
import type { RunHandle } from "../core/run-handle.ts";
import type { InlineChild } from "../durable/inline-run.ts";
import type { PausedAsk } from "../pipeline/ask-person.ts";
import type { Json } from "../std/json.ts";
import { append, Link, membersOf } from "../std/links.ts";
import { swallow } from "../std/soon.ts";
import type { AppRuns, ApprovalRecord, ApprovalsFilter, RunInspection, RunSummary, RunsFilter } from "./app-runs.ts";
import type { RunSupplier } from "./ordered-run.ts";
import { OrderedRun, orderOf } from "./ordered-run.ts";
import type { PauseAnswer, PauseAnswerer } from "./pause-answer.ts";
import { idOf, takeAnswer, tooLate, unknownPause } from "./pause-answer.ts";

/** So many answered pauses are known to be that after their run has ended; an older one is unknown. */
const MOST_ANSWERED = 10_000;

export class InlineRuns implements AppRuns {
  /** Those that go on. A list and no set, as a set would have to number each run. */
  readonly #runs = new Link();
  readonly #answered = new Set<string>();
  /** Runs of one thread that have not ended. */
  readonly #lanes = new Map<string, Set<LiveRun>>();

  run(order: OrderedRun): RunHandle {
    const { lane } = order;
    if (lane !== undefined) order.turn = this.#turnOf(order, lane);
    const live = new LiveRun(order);
    append(this.#runs, live);
    if (lane !== undefined) this.#join(lane, live);
    return live.handle;
  }

  /** Comes once the runs of its thread before it have ended. */
  #turnOf(order: OrderedRun, lane: string): Promise<unknown> {
    const { onBusy } = order.options;
    const busy = [...(this.#lanes.get(lane) ?? [])];
    const [first] = busy;
    if (first !== undefined && onBusy === "reject") {
      const refused = Promise.reject(busyThread(order, first.plan.runId));
      swallow(refused);
      return refused;
    }
    if (onBusy === "supersede") for (const run of busy) run.abort(TOOK_OVER);
    return Promise.all(busy.map(({ ended }) => ended));
  }

  #join(lane: string, run: LiveRun): void {
    const runs = this.#lanes.get(lane) ?? new Set();
    this.#lanes.set(lane, runs.add(run));
    void run.ended.then(() => {
      runs.delete(run);
      if (runs.size === 0 && this.#lanes.get(lane) === runs) this.#lanes.delete(lane);
    });
  }

  /** A run below another. */
  startChild(runId: string, input: Json, supplier: RunSupplier): InlineChild {
    const live = new LiveRun(new OrderedRun(runId, orderOf(input), supplier));
    append(this.#runs, live);
    return live;
  }

  resume(answer: PauseAnswer, by: PauseAnswerer): RunHandle {
    try {
      const { handle } = this.#take(answer, by);
      return this.#find(rootOf(handle.runId))?.handle ?? handle;
    } catch (error) {
      return new GivenHandle(Promise.reject(error));
    }
  }

  async answer(answer: PauseAnswer, by: PauseAnswerer): Promise<void> {
    this.#take(answer, by);
  }

  #take(answer: PauseAnswer, by: PauseAnswerer): LiveRun {
    const pauseId = idOf(answer);
    const { run, pause, came } = this.#findPause(pauseId);
    const { value, answeredBy } = takeAnswer(pause, answer, by);
    if (came !== undefined) throw tooLate(pauseId, came);
    this.#noteAnswered(pauseId);
    run.answer(pauseId, { type: "answer", value }, answeredBy);
    return run;
  }

  #noteAnswered(pauseId: string): void {
    this.#answered.add(pauseId);
    const [oldest] = this.#answered;
    if (this.#answered.size > MOST_ANSWERED && oldest !== undefined) this.#answered.delete(oldest);
  }

  #findPause(pauseId: string): { run: LiveRun; pause: PausedAsk; came?: Answer["type"] } {
    for (const run of this.#members) {
      const pause = run.pauses.find((candidate) => candidate.pauseId === pauseId);
      if (pause !== undefined) return { run, pause };
      for (const { request, answer } of run.closedPauses) {
        const closed = request.data as unknown as PausedAsk;
        if (closed.pauseId === pauseId) return { run, pause: closed, came: answer.type };
      }
    }
    // Of a run that has ended, only that is known.
    throw this.#answered.has(pauseId) ? tooLate(pauseId, "answer") : unknownPause(pauseId);
  }

  attach(runId: string): RunHandle {
    const run = this.#find(runId);
    return run?.handle ?? new GivenHandle(Promise.reject(unknownRun(runId)), runId);
  }

  async cancel(runId: string, reason?: string): Promise<boolean> {
    const run = this.#find(runId);
    run?.abort(reason);
    return run !== undefined;
  }

  async list({ states, agent, under, prefix = "", limit = 100 }: RunsFilter): Promise<readonly RunSummary[]> {
    return this.#members
      .map(summaryOf)
      .filter(
        (summary) =>
          (states === undefined || states.includes(summary.state)) &&
          (agent === undefined || summary.agent === agent) &&
          summary.runId.startsWith(prefix) &&
          (under === undefined || isUnder(summary.runId, under)),
      )
      .reverse()
      .slice(0, limit);
  }

  async inspect(runId: string): Promise<RunInspection | undefined> {
    const run = this.#find(runId);
    if (run === undefined) return undefined;
    const approvals = await this.approvals({ under: runId, answered: true });
    return { ...summaryOf(run), input: null, journal: [], approvals };
  }

  async approvals({
    pauseId,
    under,
    prefix = "",
    answered = false,
  }: ApprovalsFilter): Promise<readonly ApprovalRecord[]> {
    return this.#members
      .flatMap((run) => [...(answered ? run.closedPauses.map(closedRecordOf) : []), ...run.pauses.map(recordOf)])
      .sort((one, other) => one.askedAt - other.askedAt)
      .filter(
        (record) =>
          (pauseId === undefined || record.pauseId === pauseId) &&
          record.pauseId.startsWith(prefix) &&
          (under === undefined || isUnder(record.runId, under)),
      );
  }

  async prune(): Promise<number> {
    throw new ToolpostError("run.needs-engine", "nothing is kept of runs that ended: there is nothing to prune");
  }

  async start(): Promise<void> {
    // Nothing was left by anybody.
  }

  async close(): Promise<void> {
    const runs = this.#members;
    for (const run of runs) run.abort("the application was closed");
    await Promise.all(runs.map(({ ended }) => ended));
  }

  get #members(): LiveRun[] {
    return membersOf<LiveRun>(this.#runs);
  }

  #find(runId: string): LiveRun | undefined {
    return this.#members.find((run) => run.handle.runId === runId);
  }
}

/** Ids of runs below another start with that one's. */
export function rootOf(runId: string): string {
  return runId.split("/", 1)[0] ?? runId;
}

/** A child's id is its parent's, the place of the call, and the word for it. */
function parentOf(runId: string): string {
  return runId.split("/").slice(0, -2).join("/");
}

function isUnder(runId: string, above: string): boolean {
  return runId === above || runId.startsWith(`${above}/`);
}

/** The reason of runs that a newer one of their thread ends. */
export const TOOK_OVER = "a newer message took over";

export function busyThread({ threadId }: OrderedRun, runId: string): ToolpostError {
  return new ToolpostError(
    "thread.busy",
    `the run \`${runId}\` goes on in the thread \`${threadId}\`: wait for it, or say \`onBusy\``,
  );
}

export function unknownRun(runId: string): ToolpostError {
  return new ToolpostError("run.unknown", `there is no run \`${runId}\``);
}

function summaryOf({ handle: { runId }, plan, isWaiting }: LiveRun): RunSummary {
  const { agentName, threadId, ownerId, startedAt } = plan;
  return {
    runId,
    agent: agentName,
    state: isWaiting ? "waiting" : "running",
    ...(threadId === undefined ? {} : { threadId }),
    ...(ownerId === undefined ? {} : { ownerId }),
    ...(runId === rootOf(runId) ? {} : { parent: parentOf(runId) }),
    createdAt: startedAt,
  };
}

function closedRecordOf({ request, answer, answeredAt, answeredBy }: LiveRun["closedPauses"][number]): ApprovalRecord {
  return {
    ...recordOf(request.data as unknown as PausedAsk),
    state: answer.type === "answer" ? "answered" : answer.type,
    ...(request.expiresAt === undefined ? {} : { expiresAt: request.expiresAt }),
    answer,
    answeredAt,
    ...(answeredBy === undefined ? {} : { answeredBy }),
  };
}

function recordOf({ pauseId, value, isChannelAsked, ownerId, askedAt }: PausedAsk): ApprovalRecord {
  return {
    pauseId,
    runId: value.runId,
    state: "waiting",
    value,
    isChannelAsked,
    ...(ownerId === undefined ? {} : { ownerId }),
    askedAt,
  };
}
