// A run that an engine keeps, as one process sees it: its handle, and the attempts that this process makes to move it.
// An attempt starts from the journal's first entry each time; what is known here of its result is given only once the
// engine has it. Another process may move the run in between, and end it.

import { noUsage } from "../core/budget.ts";
import { isToolpostError, ToolpostError } from "../core/errors.ts";
import type { AgentEvent } from "../core/event.ts";
import { errorFrom } from "../core/failure.ts";
import type { Message } from "../core/message.ts";
import type { Attempt, Run, RunRecord, Work } from "../core/run.ts";
import { BudgetExceededError, RunCancelledError } from "../core/run-errors.ts";
import type { RunHandle } from "../core/run-handle.ts";
import type { RunResult } from "../core/run-result.ts";
import { aborted, abortText, follow, LazyAbort, unlessAborted } from "../std/abort.ts";
import { Broadcast } from "../std/async.ts";
import type { Timer } from "../std/clock.ts";
import { formatDuration } from "../std/format.ts";
import type { Json } from "../std/json.ts";
import { toJson } from "../std/json.ts";
import type { AgentRun } from "./agent-run.ts";
import { childEndOf, childFailureOf } from "./child-end.ts";
import { LatestResult } from "./latest-result.ts";
import { LiveHandle } from "./live-handle.ts";
import type { RunPlan, RunSetup } from "./live-run.ts";
import { withPartial } from "./partial.ts";
import { resultOf, runEnd, waitingResult } from "./run-ends.ts";

/** What a run needs of who keeps it. */
export interface RunKeeper {
  /** What waits for people in the run and below it. Rejects where the store cannot be reached. */
  pending(runId: string): Promise<RunResult["pending"]>;
  /** Whether it waits as before, as far as can be told. */
  stillWaits(runId: string): Promise<boolean>;
  /** Somebody waits for what comes after its rest, whoever brings it about. */
  follow(run: StoredRun): void;
  /** The run has come to wait for people. */
  rested(run: StoredRun): void;
  cancelNow(runId: string, reason: string): void;
  /** No attempt and no handle of the run needs it any more. */
  forget(run: StoredRun): void;
}

/** Of a timer, milliseconds. */
const LONGEST: number = 2 ** 31 - 1;

/** How an attempt ended that got that far. */
type Outcome = { readonly result: RunResult; readonly event: AgentEvent } | { readonly error: unknown };

export class StoredRun {
  readonly plan: RunPlan;
  readonly handle: RunHandle;
  readonly #keeper: RunKeeper;
  readonly #events = new Broadcast<AgentEvent>();
  readonly #result = new LatestResult();
  #attempts = 0;
  /** Whether its last attempt was given up as all of it waits. */
  #isResting = false;
  #state: AgentRun | undefined = undefined;
  #outcome: Outcome | undefined = undefined;
  #cancelReason: { readonly reason: unknown } | undefined = undefined;
  #lastWait: AgentEvent | undefined = undefined;
  #waiting: RunResult | undefined = undefined;
  #isOver = false;
  /** The process lives while somebody waits for what is to come of it. */
  #alive: NodeJS.Timeout | undefined = undefined;
  /** Whether the store has it, so that it can be seen what other processes make of it. */
  isStored = false;
  /** There while somebody looks what another process makes of it. */
  watch: Timer | undefined = undefined;
  #isMoving = false;
  readonly #letGo: (() => void) | undefined;
  readonly #timer: Timer | undefined;

  constructor(plan: RunPlan, keeper: RunKeeper) {
    this.plan = plan;
    this.#keeper = keeper;
    this.handle = new LiveHandle(this, plan.runId, this.#events);
    const { clock, signal, timeout } = plan;
    const giveUp = (): void =>
      this.abort(new DOMException(`timed out after ${formatDuration(timeout ?? 0)}`, "TimeoutError"));
    this.#timer = timeout === undefined ? undefined : clock.schedule(timeout, giveUp);
    this.#letGo = signal === undefined ? undefined : follow(signal, (reason) => this.abort(reason));
  }

  get result(): Promise<RunResult> {
    if (this.#isResting && this.#result.isGiven) return this.#fresh();
    return this.#promise;
  }

  /** What it gave when it came to rest may no longer be so: others may have moved or ended it. */
  async #fresh(): Promise<RunResult> {
    const { runId } = this.plan;
    if (!(await this.#keeper.stillWaits(runId))) this.goOn();
    else {
      const pending = await this.#keeper.pending(runId).catch(() => []);
      if (this.#result.isGiven) this.waits(pending);
    }
    return this.#promise;
  }

  get #promise(): Promise<RunResult> {
    const { promise } = this.#result;
    if (this.#result.isAwaited) {
      this.#alive ??= setInterval(() => undefined, LONGEST);
      this.#lookOn();
    }
    return promise;
  }

  /** Whoever waits for it hears of what other processes make of it. */
  #lookOn(): void {
    if (this.isStored && this.isAwaited && !this.#isMoving) this.#keeper.follow(this);
  }

  get isAwaited(): boolean {
    return this.#result.isAwaited;
  }

  get isOver(): boolean {
    return this.#isOver;
  }

  /** Whether this process is the one that moves it now. */
  get isMovedHere(): boolean {
    return this.#isMoving;
  }

  get cancelReason(): string | undefined {
    return this.#cancelReason === undefined ? undefined : textOf(this.#cancelReason.reason);
  }

  isWaitingSince(event: AgentEvent): boolean {
    return !this.#isOver && event === this.#lastWait;
  }

  abort(reason?: unknown): void {
    if (this.#isOver || this.#cancelReason !== undefined) return;
    this.#cancelReason = { reason };
    this.goOn();
    this.#keeper.cancelNow(this.plan.runId, textOf(reason));
  }

  /** One attempt, which the engine makes: from the beginning to the end, or until the run waits. */
  async move(run: Run, attempt: Attempt): Promise<Json> {
    const number = ++this.#attempts;
    this.#waiting = undefined;
    this.#isResting = false;
    this.#isMoving = true;
    this.goOn();
    const abort = new LazyAbort();
    const cancel = new LazyAbort();
    cancel.onAbort((reason) => abort.abort(reason));
    const letGo = follow(attempt.signal, (reason) => this.#lose(reason, cancel));
    attempt.onCancel((reason) => cancel.abort(this.#cancelReason === undefined ? reason : this.#cancelReason.reason));
    const { motion, setup, start } = await this.#preparedOrAborted(run, attempt, abort);
    const leave = (reason: unknown): void => attempt.leave(reason);
    const state = motion.begin(setup, start, { run, abort, cancel, events: this.#events, leave });
    this.#state = state;
    const overrun = this.#limitTime(state);
    attempt.onRest(() => {
      this.#isResting = true;
      this.#isMoving = false;
      overrun?.cancel();
      letGo();
      void state.dispose();
      void this.#rest(state, number);
    });
    try {
      const end = await motion.move(state);
      await this.#close(state, attempt);
      state.timePassed();
      const result = resultOf(state, end);
      this.#outcome = { result, event: runEnd(state, end) };
      return toJson(start.above === undefined ? result : { ...result, ...childEndOf(result, state) });
    } catch (error) {
      await this.#close(state, attempt);
      this.#outcome = { error: withPartial(error, state) };
      throw start.above === undefined ? error : childFailureOf(error, state);
    } finally {
      overrun?.cancel();
      letGo();
    }
  }

  /** A run that has done nothing yet is over at once when it is cancelled; any other brings what it did into its thread. */
  async #preparedOrAborted(run: Run, attempt: Attempt, abort: LazyAbort): Promise<RunSetup> {
    const preparing = this.#prepared(run, attempt);
    if (run.isReplaying) return preparing;
    const prepared = await unlessAborted(preparing, abort);
    if (prepared === aborted) throw new RunCancelledError(abort.reason, abortText(abort.reason));
    return prepared;
  }

  /** What keeps a run from going on where it stands, such as a server that is down, is no outcome of it: it is tried again. */
  async #prepared(run: Run, attempt: Attempt): Promise<RunSetup> {
    try {
      return await this.plan.prepare();
    } catch (error) {
      if (!run.isReplaying) throw error;
      attempt.leave(error);
      return new Promise(() => undefined);
    }
  }

  /** What was given is not the last word: somebody answered, or is about to. */
  goOn(): void {
    this.#lastWait = undefined;
    if (!this.#isOver) this.#result.renew();
  }

  /** Whether it last gave a result that waits for this answer. */
  waitsFor(pauseId: string): boolean {
    return this.#waiting?.pending.some((pause) => pause.pauseId === pauseId) === true;
  }

  /** The run waits for people, and another process may hold what else is known of it. */
  waits(pending: RunResult["pending"]): void {
    if (this.#isOver || this.#isMoving || this.#cancelReason !== undefined || pending.length === 0) return;
    if (JSON.stringify(pending) !== JSON.stringify(this.#waiting?.pending)) this.#waiting = this.#waitingFor(pending);
    this.#give(this.#waiting as RunResult);
  }

  #waitingFor(pending: RunResult["pending"]): RunResult {
    if (this.#state !== undefined) return waitingResult(this.#state, pending);
    const { runId, threadId } = this.plan;
    const nothing = { text: "", output: undefined, usage: noUsage, calls: [], messages: [], steps: 0 };
    return { runId, threadId, status: "waiting", pending, ...nothing };
  }

  /** The run has ended, whoever ended it. */
  finish(record: RunRecord): void {
    if (this.#isOver) return;
    const outcome = this.#outcome;
    if (outcome === undefined) this.#finishAs(record);
    else if ("result" in outcome) {
      this.#state?.emit(outcome.event);
      this.#leave();
      this.#give(outcome.result);
    } else this.refuse(outcome.error);
  }

  #finishAs({ state, result, error }: RunRecord): void {
    if (state === "done" && result !== undefined) {
      // For the readers of this handle alone, as below.
      const { status, usage } = result as unknown as RunResult;
      const { runId, clock } = this.plan;
      const end = status === "stopped" ? "stopped" : "done";
      this.#events.push({ type: "run-end", runId, at: clock.now(), status: end, usage });
      this.#leave();
      this.#give({ output: undefined, ...(result as object) } as RunResult);
      return;
    }
    const failure = errorFrom(error ?? { message: "the run was cancelled", code: "run.cancelled" });
    // For the readers of this handle alone: to listeners tells whoever ended it.
    this.#events.push(this.#failedEnd(failure));
    this.#leave();
    this.#letDie();
    this.#result.refuse(failure);
  }

  /** This process has nothing to do with it any more. It may go on elsewhere, so nobody is told of an end. */
  leave(reason: unknown): void {
    if (this.#isOver) return;
    this.#events.push(this.#failedEnd(reason));
    this.#leave();
    this.#letDie();
    this.#result.refuse(reason);
  }

  /** It ended with an error, or never began. */
  refuse(error: unknown): void {
    if (this.#isOver) return;
    const end = this.#failedEnd(error);
    if (this.#state === undefined) this.#events.push(end);
    else this.#state.emit(end);
    this.#leave();
    this.#letDie();
    this.#result.refuse(error);
  }

  #give(result: RunResult): void {
    this.#letDie();
    this.#result.give(result);
  }

  #letDie(): void {
    clearInterval(this.#alive);
    this.#alive = undefined;
  }

  #failedEnd(error: unknown): AgentEvent {
    const { runId, clock } = this.plan;
    const usage = this.#state?.usage() ?? noUsage;
    const errorCode = isToolpostError(error) ? error.code : "tool.failed";
    return { type: "run-end", runId, at: clock.now(), status: "failed", usage, errorCode };
  }

  #leave(): void {
    this.#isOver = true;
    this.#letGo?.();
    this.#timer?.cancel();
    this.watch?.cancel();
    this.#events.end();
    this.#keeper.forget(this);
  }

  /** This attempt may not go on: nothing more is started, and what is under way is told to stop. */
  #lose(reason: unknown, cancel: LazyAbort): void {
    this.#outcome = undefined;
    this.#isMoving = false;
    cancel.abort(reason);
    void this.#state?.dispose();
    const code = isToolpostError(reason) ? reason.code : undefined;
    if (code === "engine.closed") this.leave(closedError());
    else if (code === "run.lease-lost") this.leave(reason);
    // Otherwise it is tried again, here or elsewhere: whoever waits for it goes on waiting.
    else this.#lookOn();
  }

  async #rest(state: AgentRun, number: number): Promise<void> {
    let pending: RunResult["pending"];
    try {
      pending = await this.#keeper.pending(this.plan.runId);
    } catch (error) {
      state.slots.log({ level: "error", message: "what the run waits for could not be read", error });
      return;
    }
    if (this.#isOver || number !== this.#attempts) return;
    // It may have been answered meanwhile, or be waited for what is below it and moved elsewhere.
    if (pending.length === 0) return this.#lookOn();
    state.timePassed();
    const event = { type: "run-wait", runId: state.runId, at: state.now, pending } as const;
    const result = waitingResult(state, pending);
    this.#lastWait = event;
    this.#waiting = result;
    state.emit(event);
    // A listener may have answered.
    if (this.#lastWait === event && !this.#isOver) this.#give(result);
    this.#keeper.rested(this);
  }

  /** A run below it has come to wait for people. */
  belowRested(): void {
    if (this.#state !== undefined && this.#isResting) void this.#rest(this.#state, this.#attempts);
  }

  #limitTime(state: AgentRun): Timer | undefined {
    const left = state.budget.timeLeft();
    if (left === undefined) return undefined;
    return this.plan.clock.schedule(left, () => {
      // What cancelled it before may be on its way into the journal.
      if (!state.abort.aborted) state.fail(new BudgetExceededError("time", left, left), true);
    });
  }

  /** Disposes, and brings the run's messages into its thread: once, however often it is tried. */
  async #close(state: AgentRun, attempt: Attempt): Promise<void> {
    await state.dispose();
    if (this.plan.isKept) await state.run.perform("save", saveStep, { state, plan: this.plan, attempt });
  }
}

interface Saving {
  readonly state: AgentRun;
  readonly plan: RunPlan;
  readonly attempt: Attempt;
}

const saveStep: Work<null, Saving> = {
  perform: async ({ state, plan, attempt }) => {
    try {
      await plan.save(state.messages satisfies readonly Message[]);
      return null;
    } catch (error) {
      state.slots.log({ level: "error", message: "the run's messages could not be kept in its thread", error });
      // It is refused for good; anything else is trouble with the store, and tried again.
      if (isToolpostError(error) && error.code === "thread.foreign") return null;
      attempt.leave(error);
      return new Promise(() => undefined);
    }
  },
};

function textOf(reason: unknown): string {
  if (reason instanceof Error) return reason.message;
  return typeof reason === "string" && reason !== "" ? reason : "the run was cancelled";
}

/** What a handle rejects with whose process moves no runs any more. */
export function closedError(): ToolpostError {
  return new ToolpostError("app.closed", "the application was closed; the run goes on where it is served");
}
