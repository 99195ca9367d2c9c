// Runs in the memory of one process: they end with it.
// What only a store can do (runs of before, of other processes) it refuses in words.

import { GivenHandle } from "../agent/given-handle.ts";
import { LiveRun } from "../agent/live-run.ts";
import { ToolpostError } from "../core/errors.ts";
import type { RunHandle } from "../core/run-handle.ts";
import type { PausedAsk } from "../pipeline/ask-person.ts";
import { append, Link, membersOf } from "../std/links.ts";
import type { AppRuns, ApprovalRecord, ApprovalsFilter, RunInspection, RunSummary, RunsFilter } from "./app-runs.ts";
import type { OrderedRun } from "./ordered-run.ts";
import type { PauseAnswer, PauseAnswerer } from "./pause-answer.ts";
import { alreadyAnswered, takeAnswer, unknownPause } from "./pause-answer.ts";

export class InlineRuns implements AppRuns {
  /** Those that go on. A list and no set, as a set would have to number each run. */
  readonly #runs = new Link();
  readonly #answered = new Set<string>();

  run(order: OrderedRun): RunHandle {
    const live = new LiveRun(order);
    append(this.#runs, live);
    return live.handle;
  }

  resume(answer: PauseAnswer, by: PauseAnswerer): RunHandle {
    try {
      return this.#take(answer, by).handle;
    } catch (error) {
      return new GivenHandle(Promise.reject(error));
    }
  }

  async answer(answer: PauseAnswer, by: PauseAnswerer): Promise<void> {
    this.#take(answer, by);
  }

  #take(answer: PauseAnswer, by: PauseAnswerer): LiveRun {
    const { pauseId } = answer;
    if (this.#answered.has(pauseId)) throw alreadyAnswered(pauseId);
    const { run, pause } = this.#findPause(pauseId);
    const { value } = takeAnswer(pause, answer, by);
    this.#answered.add(pauseId);
    run.answer(pauseId, { type: "answer", value });
    return run;
  }

  #findPause(pauseId: string): { run: LiveRun; pause: PausedAsk } {
    for (const run of this.#members) {
      const pause = run.pauses.find((candidate) => candidate.pauseId === pauseId);
      if (pause !== undefined) return { run, pause };
    }
    throw unknownPause(pauseId);
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
          (under === undefined || summary.runId === under),
      )
      .reverse()
      .slice(0, limit);
  }

  async inspect(runId: string): Promise<RunInspection | undefined> {
    const run = this.#find(runId);
    if (run === undefined) return undefined;
    const approvals = await this.approvals({ under: runId });
    return { ...summaryOf(run), input: null, journal: [], approvals };
  }

  async approvals({ pauseId, under, prefix = "" }: ApprovalsFilter): Promise<readonly ApprovalRecord[]> {
    return this.#members
      .flatMap((run) => run.pauses.map(recordOf))
      .filter(
        (record) =>
          (pauseId === undefined || record.pauseId === pauseId) &&
          record.pauseId.startsWith(prefix) &&
          (under === undefined || record.runId === under),
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
    createdAt: startedAt,
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
