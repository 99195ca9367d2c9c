// A run from its start to its end, and the handle that is given at once. Turns the loop's end into the run's result
// or its error, writes the thread, disposes. A rejection nobody awaits is never unhandled: the events tell of it.

import type { PendingPause } from "../core/approval.ts";
import { noUsage } from "../core/budget.ts";
import { isToolpostError } from "../core/errors.ts";
import type { AgentEvent } from "../core/event.ts";
import type { Message } from "../core/message.ts";
import type { Answer } from "../core/run.ts";
import { BudgetExceededError, RunCancelledError } from "../core/run-errors.ts";
import type { RunHandle } from "../core/run-handle.ts";
import type { RunResult } from "../core/run-result.ts";
import type { InlineChild, StartChild } from "../durable/inline-run.ts";
import { InlineRun } from "../durable/inline-run.ts";
import type { PausedAsk } from "../pipeline/ask-person.ts";
import { pendingPause } from "../pipeline/ask-person.ts";
import { orLeft } from "../pipeline/disposal.ts";
import { aborted, abortText, follow, LazyAbort, unlessAborted } from "../std/abort.ts";
import { Broadcast } from "../std/async.ts";
import type { Clock, Timer } from "../std/clock.ts";
import { formatDuration } from "../std/format.ts";
import type { Json } from "../std/json.ts";
import { toJson } from "../std/json.ts";
import { Link, unlink } from "../std/links.ts";
import type { Soon } from "../std/soon.ts";
import { isPromiseLike } from "../std/soon.ts";
import type { AgentRun } from "./agent-run.ts";
import { childEndOf, childFailureOf } from "./child-end.ts";
import { LatestResult } from "./latest-result.ts";
import { LiveHandle } from "./live-handle.ts";
import type { Motion } from "./motion.ts";
import { withPartial } from "./partial.ts";
import type { PreparedAgent, RunStart } from "./prepared-agent.ts";
import { resultOf, runEnd, waitingResult } from "./run-ends.ts";
import type { LoopEnd } from "./run-loop.ts";

/** What a run starts from; what moves it comes along, as that is loaded when the first run of a process is prepared. */
export interface RunSetup {
  readonly motion: Motion;
  readonly setup: PreparedAgent;
  readonly start: RunStart;
}

export interface RunPlan {
  readonly runId: string;
  readonly agentName: string;
  readonly threadId: string | undefined;
  readonly ownerId: string | undefined;
  /** Epoch milliseconds. */
  readonly startedAt: number;
  readonly clock: Clock;
  /** Reads history, connects sources; what it rejects with, the run rejects with. */
  prepare(): Soon<RunSetup>;
  /** Starts a run below this one. */
  readonly startChild: StartChild;
  /** Whether the run has a thread. */
  readonly isKept: boolean;
  /** Takes the run's messages into its thread. */
  save(messages: readonly Message[]): Promise<void>;
  /** Of the caller: aborting it cancels the run. */
  readonly signal: AbortSignal | undefined;
  /** Milliseconds after which the caller gives up and the run is cancelled. */
  readonly timeout: number | undefined;
}

/** A run that goes on, with what its application needs to answer its pauses and to end it. On the list of its runs. */
export class LiveRun extends Link implements InlineChild {
  readonly handle: RunHandle;
  readonly plan: RunPlan;
  readonly #abort = new LazyAbort();
  readonly #events = new Broadcast<AgentEvent>();
  readonly #result = new LatestResult();
  #timers: Timer[] | undefined = undefined;
  #state: AgentRun | undefined = undefined;
  #inline: InlineRun | undefined = undefined;
  #ended: PromiseWithResolvers<void> | undefined = undefined;
  readonly #letGo: (() => void) | undefined;
  #lastWait: AgentEvent | undefined = undefined;
  #isOver = false;
  #areWaitsClosed = false;
  #childEnd: PromiseWithResolvers<Json> | undefined = undefined;
  #onChange: (() => void) | undefined = undefined;

  constructor(plan: RunPlan) {
    super();
    this.plan = plan;
    this.handle = new LiveHandle(this, plan.runId, this.#events);
    this.#letGo = this.#followCaller();
    this.#begin();
  }

  get result(): Promise<RunResult> {
    return this.#result.promise;
  }

  abort(reason?: unknown): void {
    this.#abort.abort(reason);
  }

  /** Whether nothing has happened since the event but that people are waited for. */
  isWaitingSince(event: AgentEvent): boolean {
    return this.isWaiting && event === this.#lastWait;
  }

  /** Somebody answered, or nobody will any more: what was given is not the last word. */
  onAnswer(): void {
    if (this.#isOver) return;
    this.#result.renew();
    this.#onChange?.();
  }

  /** What it comes to as a call of the run above. */
  get end(): Promise<Json> {
    this.#childEnd ??= Promise.withResolvers();
    return this.#childEnd.promise;
  }

  /** Tells the run above that it waits for people now, or does no longer. */
  onChange(listener: () => void): void {
    this.#onChange = listener;
  }

  /** The run above asks nobody any more: neither does this one, whatever it comes to. */
  closeWaits(): void {
    this.#areWaitsClosed = true;
    this.#state?.endWaits(false);
    this.#inline?.closePauses();
  }

  /** What waits for people in it and in the runs below it. */
  get pending(): readonly PendingPause[] {
    return [...this.pauses.map(pendingPause), ...(this.#inline?.pendingBelow ?? [])];
  }

  get isWaiting(): boolean {
    return !this.#isOver && this.#inline?.isWaiting === true;
  }

  /** Everything that waits for a person, with the ids that answer it. */
  get pauses(): readonly PausedAsk[] {
    return this.#inline?.pauses.map(({ request }) => request.data as unknown as PausedAsk) ?? [];
  }

  /** What came of what waits no more. */
  get closedPauses(): InlineRun["closedPauses"] {
    return this.#inline?.closedPauses ?? [];
  }

  /** Answers a pause and lets the run go on; false when there is no such pause any more. */
  answer(pauseId: string, answer: Answer, by: Json): boolean {
    const inline = this.#inline;
    const pause = inline?.pauses.find(({ request }) => (request.data as unknown as PausedAsk).pauseId === pauseId);
    if (inline === undefined || pause === undefined) return false;
    return inline.answer(pause.key, answer, by);
  }

  /** Resolves when the run has come to its end, whichever. */
  get ended(): Promise<void> {
    if (this.#isOver) return Promise.resolve();
    this.#ended ??= Promise.withResolvers();
    return this.#ended.promise;
  }

  /** No async function: the promises and the frame of one weigh as much as all else of a run that waits for its model. */
  #begin(): void {
    let prepared: Soon<RunSetup>;
    try {
      prepared = this.plan.prepare();
    } catch (error) {
      prepared = Promise.reject(error);
    }
    // Not before the handle is given.
    if (!isPromiseLike(prepared)) queueMicrotask(() => this.#move(prepared as RunSetup));
    else
      unlessAborted(prepared, this.#abort).then(
        (setup) => this.#move(setup),
        (error: unknown) => this.#fail(error),
      );
  }

  #move(prepared: RunSetup | typeof aborted): void {
    try {
      if (prepared === aborted || this.#abort.aborted)
        throw new RunCancelledError(this.#abort.reason, abortText(this.#abort.reason));
      const { motion, setup, start } = prepared;
      const inline = new InlineRun(start.runId, this.#abort, setup.slots.clock, this.plan.startChild);
      this.#inline = inline;
      inline.watcher = this;
      const state = motion.begin(setup, start, { run: inline.run, abort: this.#abort, events: this.#events });
      this.#state = state;
      if (this.#areWaitsClosed) state.endWaits(false);
      this.#watch(state);
      motion.move(state).then(
        (end) => this.#end(end, state),
        (error: unknown) => this.#fail(error),
      );
    } catch (error) {
      this.#fail(error);
    }
  }

  #end(end: LoopEnd, state: AgentRun): void {
    const closed = this.#close(state);
    if (closed === undefined) return this.#tellEnd(end, state);
    void closed.then(() => {
      state.timePassed();
      this.#tellEnd(end, state);
    });
  }

  #tellEnd(end: LoopEnd, state: AgentRun): void {
    state.emit(runEnd(state, end));
    this.#leave();
    const result = resultOf(state, end);
    this.#result.give(result);
    this.#childEnd?.resolve(toJson(childEndOf(result, state)));
  }

  #fail(error: unknown): void {
    const state = this.#state;
    const closed = state === undefined ? undefined : this.#close(state);
    if (closed === undefined) this.#tellFailure(error, state);
    else void closed.then(() => this.#tellFailure(error, state));
  }

  #tellFailure(error: unknown, state: AgentRun | undefined): void {
    const end = {
      type: "run-end",
      runId: this.plan.runId,
      at: this.plan.clock.now(),
      status: "failed",
      usage: state?.usage() ?? noUsage,
      errorCode: isToolpostError(error) ? error.code : "tool.failed",
    } as const;
    if (state === undefined) this.#events.push(end);
    else state.emit(end);
    this.#leave();
    this.#result.refuse(state === undefined ? error : withPartial(error, state));
    this.#childEnd?.reject(state === undefined ? error : childFailureOf(error, state));
  }

  #leave(): void {
    this.#isOver = true;
    this.#letGo?.();
    for (const timer of this.#timers ?? []) timer.cancel();
    this.#events.end();
    unlink(this);
    this.#ended?.resolve();
  }

  /** The caller's signal, and how long the caller waits. */
  #followCaller(): (() => void) | undefined {
    const { clock, signal, timeout } = this.plan;
    if (timeout !== undefined) {
      const giveUp = (): void =>
        this.#abort.abort(new DOMException(`timed out after ${formatDuration(timeout)}`, "TimeoutError"));
      this.#timers = [clock.schedule(timeout, giveUp)];
    }
    return signal === undefined ? undefined : follow(signal, (reason) => this.#abort.abort(reason));
  }

  /** The run has come to wait for people only. */
  onWaiting(): void {
    const state = this.#state;
    if (state === undefined) return;
    state.timePassed();
    const event = { type: "run-wait", runId: state.runId, at: state.now, pending: this.pending } as const;
    this.#lastWait = event;
    state.emit(event);
    // A listener may have answered meanwhile.
    if (!this.isWaiting) return;
    this.#result.give(waitingResult(state, this.pending));
    this.#onChange?.();
  }

  #watch(state: AgentRun): void {
    const left = state.budget.timeLeft();
    if (left === undefined) return;
    const overrun = (): void => state.fail(new BudgetExceededError("time", left, left), true);
    this.#timers ??= [];
    this.#timers.push(this.plan.clock.schedule(left, overrun));
  }

  /** Disposes and saves; `undefined` where there is nothing of either. */
  #close(state: AgentRun): Promise<void> | undefined {
    const disposed = state.dispose();
    return this.plan.isKept ? this.#saved(state, disposed) : disposed;
  }

  async #saved(state: AgentRun, disposed: Promise<void> | undefined): Promise<void> {
    await disposed;
    try {
      await orLeft(this.plan.save(state.messages), this.plan.clock);
    } catch (error) {
      state.slots.log({ level: "error", message: "the run's messages could not be kept in its thread", error });
    }
  }
}
