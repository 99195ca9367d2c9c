// Runs that an engine keeps: started, answered and looked at from any process, moved by whichever serves them.
// It turns the words of an application into those of an engine and back; what a run does is the agent's.

import type { Given } from "../agent/given-handle.ts";
import { GivenHandle } from "../agent/given-handle.ts";
import { HeldRuns } from "../agent/held-runs.ts";
import type { RunKeeper } from "../agent/stored-run.ts";
import { closedError, StoredRun } from "../agent/stored-run.ts";
import { ToolpostError } from "../core/errors.ts";
import { errorFrom } from "../core/failure.ts";
import type { Log } from "../core/govern.ts";
import type { Engine, Flow, PauseRecord, RunRecord, Serving } from "../core/run.ts";
import type { RunHandle } from "../core/run-handle.ts";
import type { RunResult } from "../core/run-result.ts";
import { pendingPause } from "../pipeline/ask-person.ts";
import type { Clock } from "../std/clock.ts";
import type { Json } from "../std/json.ts";
import type { AppRuns, ApprovalRecord, ApprovalsFilter, RunInspection, RunSummary, RunsFilter } from "./app-runs.ts";
import { busyThread, rootOf, TOOK_OVER, unknownRun } from "./inline-runs.ts";
import type { RunSupplier } from "./ordered-run.ts";
import { OrderedRun, orderOf } from "./ordered-run.ts";
import type { PauseAnswer, PauseAnswerer } from "./pause-answer.ts";
import { idOf, takeAnswer, tooLate, unknownPause } from "./pause-answer.ts";
import { approvalOf, pausedAsk, summaryOf } from "./stored-records.ts";

/** How often a run that another process moves is looked at, milliseconds. */
const LOOK_EACH = 100;
/** Of a timer, milliseconds. */
const LONGEST: number = 2 ** 31 - 1;

export interface EngineRunsOptions {
  readonly engine: Engine;
  readonly supplier: RunSupplier;
  /** Names of the application's agents. */
  readonly agents: readonly string[];
  readonly version: string | undefined;
  /** The application's own; without one the engine keeps its own. */
  readonly clock: Clock | undefined;
  readonly log: () => Promise<Log>;
}

export class EngineRuns implements AppRuns, RunKeeper {
  readonly #options: EngineRunsOptions;
  readonly #engine: Engine;
  /** Those that somebody here has a handle of, or that are moved here. */
  readonly #runs = new HeldRuns();
  /** By lane, what is being stored last. */
  readonly #storing = new Map<string, Promise<void>>();
  readonly #answering = new Set<Promise<unknown>>();
  #serving: Promise<Serving> | undefined = undefined;
  /** A process that was started lives until it is closed: a run may be left to it at any time. */
  #alive: NodeJS.Timeout | undefined = undefined;
  #isClosed = false;

  constructor(options: EngineRunsOptions) {
    this.#options = options;
    this.#engine = options.engine;
  }

  run(order: OrderedRun): RunHandle {
    const run = new StoredRun(order, this);
    this.#runs.hold(run);
    this.#begin(order, run).catch((error: unknown) => run.refuse(error));
    return run.handle;
  }

  async #begin(order: OrderedRun, run: StoredRun): Promise<void> {
    const agent = this.#options.supplier.nameOf(order.agent);
    const input = order.toStored(agent);
    const serving = await this.#serve();
    if (run.isOver) return;
    await this.#inTurn(order, async () => {
      await this.#refuseIfBusy(order);
      await this.#engine.start({ flow: agent, runId: order.runId, input, ...this.#version, ...laneOf(order) });
      await this.#takeOver(order);
    });
    // Nobody may have been there to take a cancel before.
    if (run.cancelReason !== undefined) this.cancelNow(order.runId, run.cancelReason);
    serving.wake();
    this.#watch(run);
  }

  /** Runs of one thread are stored in the order they were started here: each sees those before it. */
  async #inTurn({ lane }: OrderedRun, store: () => Promise<void>): Promise<void> {
    if (lane === undefined) return store();
    const before = this.#storing.get(lane);
    const stored = before === undefined ? store() : before.then(store, store);
    this.#storing.set(lane, stored);
    try {
      await stored;
    } finally {
      if (this.#storing.get(lane) === stored) this.#storing.delete(lane);
    }
  }

  async #refuseIfBusy(order: OrderedRun): Promise<void> {
    if (order.options.onBusy !== "reject") return;
    const [first] = await this.#busy(order);
    if (first !== undefined) throw busyThread(order, first.runId);
  }

  /** Once it is stored: of several that take over at once, also from several processes, the one stored last stays. */
  async #takeOver(order: OrderedRun): Promise<void> {
    if (order.options.onBusy !== "supersede") return;
    const newestFirst = await this.#busy(order);
    const own = newestFirst.findIndex(({ runId }) => runId === order.runId);
    for (const { runId } of newestFirst.slice(own + 1)) await this.#engine.cancel(runId, TOOK_OVER);
  }

  /** Runs of its thread that have not ended. */
  async #busy({ lane }: OrderedRun): Promise<readonly RunRecord[]> {
    if (lane === undefined) return [];
    const states = ["queued", "running", "waiting"] as const;
    return this.#engine.list({ lane, states, limit: Number.MAX_SAFE_INTEGER });
  }

  get #version(): { readonly version?: string } {
    const { version } = this.#options;
    return version === undefined ? {} : { version };
  }

  resume(answer: PauseAnswer, by: PauseAnswerer): RunHandle {
    // Before the answer is stored: whoever awaits the run from now on wants what comes after it.
    const run = this.#runs.all.find((each) => each.waitsFor(answer?.pauseId));
    run?.goOn();
    const given = this.#resume(answer, by);
    return new GivenHandle(given, run?.plan.runId);
  }

  async #resume(answer: PauseAnswer, by: PauseAnswerer): Promise<Given> {
    const { runId } = await this.#take(answer, by);
    return this.#goOn(rootOf(runId));
  }

  /** The run's handle, with this process among those that move it. */
  async #goOn(runId: string): Promise<Given> {
    const record = await this.#engine.status(runId);
    if (record === undefined) throw unknownRun(runId);
    if (record.version !== this.#options.version) throw this.#otherVersion(record);
    if (!this.#options.agents.includes(record.flow)) throw noAgentFor(record);
    const run = this.#runs.get(runId) ?? this.#adopt(runId, record.input);
    run.goOn();
    const serving = await this.#serve();
    serving.wake();
    this.#watch(run);
    return { handle: run.handle };
  }

  #otherVersion({ runId, version }: RunRecord): ToolpostError {
    const own = this.#options.version;
    const started = version === undefined ? "without a version" : `by version \`${version}\``;
    return new ToolpostError(
      "run.other-version",
      `the answer is on record; the run \`${runId}\` was started ${started}, and this is ${own === undefined ? "code without one" : `\`${own}\``}`,
    );
  }

  async answer(answer: PauseAnswer, by: PauseAnswerer): Promise<void> {
    const { runId } = await this.#take(answer, by);
    this.#runs.get(rootOf(runId))?.goOn();
    (await this.#serving)?.wake();
  }

  #take(answer: PauseAnswer, by: PauseAnswerer): Promise<PauseRecord> {
    const taken = this.#takeNow(answer, by);
    this.#answering.add(taken);
    const done = (): void => void this.#answering.delete(taken);
    taken.then(done, done);
    return taken;
  }

  async #takeNow(answer: PauseAnswer, by: PauseAnswerer): Promise<PauseRecord> {
    const pauseId = idOf(answer);
    const [pause] = await this.#engine.pauses({ id: pauseId, answered: true });
    if (pause === undefined) throw unknownPause(pauseId);
    if (pause.error !== undefined) throw errorFrom(pause.error);
    const { value, answeredBy } = takeAnswer(pausedAsk(pause), answer, by);
    const outcome = await this.#engine.answer({ runId: pause.runId, key: pause.key }, value, answeredBy);
    switch (outcome) {
      case "accepted":
        return pause;
      case "answered":
        throw tooLate(pauseId, "answer");
      case "expired":
        throw tooLate(pauseId, "expired");
      default:
        throw unknownPause(pauseId);
    }
  }

  attach(runId: string): RunHandle {
    return this.#runs.get(runId)?.handle ?? new GivenHandle(this.#attach(runId), runId);
  }

  async #attach(runId: string): Promise<Given> {
    const record = await this.#engine.status(runId);
    if (record === undefined) throw unknownRun(runId);
    const run = this.#runs.get(runId) ?? this.#adopt(runId, record.input);
    this.#watch(run);
    return { handle: run.handle };
  }

  async cancel(runId: string, reason?: string): Promise<boolean> {
    const isCancelled = await this.#engine.cancel(runId, reason ?? "the run was cancelled");
    (await this.#serving)?.wake();
    return isCancelled;
  }

  /** As `cancel`, for whoever cannot wait. */
  cancelNow(runId: string, reason: string): void {
    this.cancel(runId, reason).catch(async (error: unknown) => {
      const log = await this.#options.log();
      log({ level: "error", message: `the run \`${runId}\` could not be cancelled`, error });
    });
  }

  async pending(runId: string): Promise<RunResult["pending"]> {
    // What is being answered here does not wait.
    await Promise.allSettled(this.#answering);
    const moved = await this.#engine.list({ under: runId, states: ["queued", "running"], limit: 1 });
    if (moved.length > 0) return [];
    const pauses = await this.#engine.pauses({ under: runId });
    for (const { error } of pauses) if (error !== undefined) throw errorFrom(error);
    return pauses.map((pause) => pendingPause(pausedAsk(pause)));
  }

  async stillWaits(runId: string): Promise<boolean> {
    try {
      return (await this.#engine.status(runId))?.state === "waiting";
    } catch {
      // The store cannot be asked now; what is known is told.
      return true;
    }
  }

  follow(run: StoredRun): void {
    this.#runs.hold(run);
    this.#watch(run);
  }

  rested(run: StoredRun): void {
    this.#runs.rest(run);
    const { plan } = run;
    // Those above gave themselves up when it began: now they wait for the same people.
    for (const runId of above(plan.runId)) this.#runs.get(runId)?.belowRested();
  }

  forget(run: StoredRun): void {
    this.#runs.forget(run);
  }

  async list({ agent, ...filter }: RunsFilter): Promise<readonly RunSummary[]> {
    const records = await this.#engine.list(agent === undefined ? filter : { ...filter, flow: agent });
    return records.map(summaryOf);
  }

  async inspect(runId: string): Promise<RunInspection | undefined> {
    const record = await this.#engine.status(runId);
    if (record === undefined) return undefined;
    const [journal, approvals] = await Promise.all([
      this.#engine.journal(runId),
      this.approvals({ under: runId, answered: true }),
    ]);
    const { input, result } = record;
    return { ...summaryOf(record), input, ...(result === undefined ? {} : { result }), journal, approvals };
  }

  async approvals({ pauseId, ...filter }: ApprovalsFilter): Promise<readonly ApprovalRecord[]> {
    const pauses = await this.#engine.pauses(pauseId === undefined ? filter : { ...filter, id: pauseId });
    return pauses.map(approvalOf);
  }

  prune(endedBefore: number): Promise<number> {
    return this.#engine.prune({ endedBefore });
  }

  async start(): Promise<void> {
    await this.#serve();
    this.#alive ??= setInterval(() => undefined, LONGEST);
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    // What cannot be served any more was said when it was to be.
    const serving = await this.#serving?.catch(() => undefined);
    await serving?.close();
    for (const run of this.#runs.all) run.leave(closedError());
    clearInterval(this.#alive);
    await this.#engine.close();
  }

  #serve(): Promise<Serving> {
    if (this.#isClosed)
      return Promise.reject(new ToolpostError("app.closed", "the application is closed; no run can start"));
    this.#serving ??= this.#serveOnce();
    return this.#serving;
  }

  async #serveOnce(): Promise<Serving> {
    const { agents, clock, log } = this.#options;
    const flow: Flow = (run, input, attempt) => {
      const stored = this.#runs.get(attempt.runId) ?? this.#adopt(attempt.runId, input);
      this.#runs.hold(stored);
      this.#follow(stored);
      return stored.move(run, attempt);
    };
    const flows = Object.fromEntries(agents.map((agent) => [agent, flow]));
    const ownClock = clock === undefined ? {} : { clock };
    return this.#engine.serve(flows, { ...this.#version, ...ownClock, log: await log() });
  }

  /** A run that was ordered elsewhere, or before. */
  #adopt(runId: string, input: Json): StoredRun {
    const run = new StoredRun(new OrderedRun(runId, orderOf(input), this.#options.supplier), this);
    this.#runs.hold(run);
    return run;
  }

  /** Tells the run its end, whoever brings it about, until it rests. */
  #follow(run: StoredRun): void {
    const rest = this.#runs.follow(run);
    if (rest === undefined) return;
    run.isStored = true;
    this.#engine.result(run.plan.runId, rest, true).then(
      (record) => run.finish(record),
      (error: unknown) => rest.aborted || run.refuse(error),
    );
  }

  /** Tells the run also that it waits, where another process moves it, as long as somebody here waits for that. */
  #watch(run: StoredRun): void {
    if (run.isOver) return;
    this.#follow(run);
    run.watch ??= this.#options.supplier.clock.schedule(LOOK_EACH, () => {
      run.watch = undefined;
      this.#look(run).catch((error: unknown) => run.refuse(error));
    });
  }

  async #look(run: StoredRun): Promise<void> {
    if (run.isMovedHere || !run.isAwaited) return;
    const record = await this.#engine.status(run.plan.runId);
    if (record?.state === "waiting") run.waits(await this.pending(run.plan.runId));
    this.#watch(run);
  }
}

/** Nobody here would move the run: whoever awaits it would wait for another process, which may never come. */
function noAgentFor({ runId, flow }: RunRecord): ToolpostError {
  const message = `the answer is on record; the run \`${runId}\` is of the agent \`${flow}\`, which this application does not have`;
  return new ToolpostError("agent.unknown", message);
}

/** Runs of one conversation go on one after the other. */
function laneOf({ lane }: OrderedRun): { readonly lane?: string } {
  return lane === undefined ? {} : { lane };
}

/** Ids of all runs above one, the next first: an id goes on from the id above by the place of the call and a word. */
function above(runId: string): string[] {
  const parts = runId.split("/");
  const ids: string[] = [];
  for (let length = parts.length - 2; length > 0; length -= 2) ids.push(parts.slice(0, length).join("/"));
  return ids;
}
