// A run from its start to its end, and the handle that is given at once. Turns the loop's end into the run's result
// or its error, writes the thread, disposes. A rejection nobody awaits is never unhandled: the events tell of it.

import { noUsage } from "../core/budget.ts";
import { isToolpostError } from "../core/errors.ts";
import type { AgentEvent } from "../core/event.ts";
import type { Message } from "../core/message.ts";
import type { Answer } from "../core/run.ts";
import { BudgetExceededError, RunCancelledError } from "../core/run-errors.ts";
import type { RunHandle } from "../core/run-handle.ts";
import type { RunResult } from "../core/run-result.ts";
import type { PausedAsk } from "../pipeline/ask-person.ts";
import { orLeft } from "../pipeline/disposal.ts";
import { aborted, abortText, follow, LazyAbort, unlessAborted } from "../std/abort.ts";
import { Broadcast } from "../std/async.ts";
import type { Clock, Timer } from "../std/clock.ts";
import { formatDuration } from "../std/format.ts";
import type { Soon } from "../std/soon.ts";
import type { AgentRun } from "./agent-run.ts";
import type { Motion } from "./motion.ts";
import type { PreparedAgent, RunStart } from "./prepared-agent.ts";
import type { LoopEnd } from "./run-loop.ts";

/** What a run starts from; what moves it comes along, as that is loaded when the first run of a process is prepared. */
export interface PreparedRun {
  readonly motion: Motion;
  readonly setup: PreparedAgent;
  readonly start: RunStart;
}

export interface RunPlan {
  readonly runId: string;
  readonly clock: Clock;
  /** Reads history, connects sources; what it rejects with, the run rejects with. */
  readonly prepare: () => Soon<PreparedRun>;
  /** Takes the run's messages into its thread; absent where it has none. */
  readonly save: ((messages: readonly Message[]) => Promise<void>) | undefined;
  /** Of the caller: aborting it cancels the run. */
  readonly signal: AbortSignal | undefined;
  /** Milliseconds after which the caller gives up and the run is cancelled. */
  readonly timeout: number | undefined;
}

/** A run that goes on, with what its application needs to answer its pauses and to end it. */
export class LiveRun {
  readonly handle: RunHandle;
  /** Resolves when the run has come to its end, whichever. */
  readonly ended: Promise<void>;
  readonly #plan: RunPlan;
  readonly #abort = new LazyAbort();
  readonly #events = new Broadcast<AgentEvent>();
  readonly #timers: Timer[] = [];
  #state: AgentRun | undefined;
  #result = newResult();
  #isResultGiven = false;
  #isOver = false;

  constructor(plan: RunPlan) {
    this.#plan = plan;
    this.handle = new Handle(this, plan.runId, this.#events);
    // A run that waits has given a result already; cancelled, it comes to another end.
    this.#abort.onAbort(() => this.#isOver || this.#renewResult());
    this.ended = this.#live();
  }

  get result(): Promise<RunResult> {
    return this.#result.promise;
  }

  abort(reason?: unknown): void {
    this.#abort.abort(reason);
  }

  get isWaiting(): boolean {
    return !this.#isOver && this.#state?.inline.isWaiting === true;
  }

  /** Everything that waits for a person, with the ids that answer it. */
  get pauses(): readonly PausedAsk[] {
    return this.#state?.inline.pauses.map(({ request }) => request.data as unknown as PausedAsk) ?? [];
  }

  /** Answers a pause and lets the run go on; false when there is no such pause any more. */
  answer(pauseId: string, answer: Answer): boolean {
    const inline = this.#state?.inline;
    const pause = inline?.pauses.find(({ request }) => (request.data as unknown as PausedAsk).pauseId === pauseId);
    if (inline === undefined || pause === undefined) return false;
    this.#renewResult();
    return inline.answer(pause.key, answer);
  }

  async #live(): Promise<void> {
    const { clock, signal, timeout, prepare, save } = this.#plan;
    const letGo = signal === undefined ? undefined : follow(signal, (reason) => this.#abort.abort(reason));
    if (timeout !== undefined) {
      const giveUp = (): void =>
        this.#abort.abort(new DOMException(`timed out after ${formatDuration(timeout)}`, "TimeoutError"));
      this.#timers.push(clock.schedule(timeout, giveUp));
    }
    let state: AgentRun | undefined;
    try {
      const prepared = await unlessAborted(prepare(), this.#abort);
      if (prepared === aborted) throw new RunCancelledError(this.#abort.reason, abortText(this.#abort.reason));
      const { motion, setup, start } = prepared;
      state = motion.begin(setup, start, this.#abort, this.#events);
      this.#state = state;
      this.#watch(state);
      state.emit({ type: "run-start", agent: setup.name });
      const end = await motion.move(state);
      const closed = this.#close(state, save);
      if (closed !== undefined) await closed;
      state.emit({ type: "run-end", status: end.status, usage: state.usage(), ...endFields(end) });
      this.#give(resultOf(state, end));
    } catch (error) {
      if (state !== undefined) await this.#close(state, save);
      const errorCode = isToolpostError(error) ? error.code : "tool.failed";
      const end = { type: "run-end", status: "failed", usage: state?.usage() ?? noUsage, errorCode } as const;
      if (state === undefined) this.#events.push({ ...end, runId: this.#plan.runId, at: clock.now() });
      else state.emit(end);
      this.#refuse(state === undefined ? error : withPartial(error, state));
    } finally {
      this.#isOver = true;
      letGo?.();
      for (const timer of this.#timers) timer.cancel();
      this.#events.end();
    }
  }

  #watch(state: AgentRun): void {
    state.inline.onWaiting(() => {
      state.emit({ type: "run-wait", pending: state.pending });
      // A listener may have answered meanwhile.
      if (state.inline.isWaiting) this.#give(waitingResult(state));
    });
    const left = state.budget.timeLeft();
    if (left === undefined) return;
    const overrun = (): void => state.fail(new BudgetExceededError("time", left, left), true);
    this.#timers.push(this.#plan.clock.schedule(left, overrun));
  }

  /** Disposes and saves; `undefined` where there is nothing of either. */
  #close(state: AgentRun, save: RunPlan["save"]): Promise<void> | undefined {
    const disposed = state.dispose();
    if (disposed === undefined && save === undefined) return undefined;
    return this.#saved(state, disposed, save);
  }

  async #saved(state: AgentRun, disposed: Promise<void> | undefined, save: RunPlan["save"]): Promise<void> {
    await disposed;
    try {
      await orLeft(save?.(state.messages), this.#plan.clock);
    } catch (error) {
      state.slots.log({ level: "error", message: "the run's messages could not be kept in its thread", error });
    }
  }

  #give(result: RunResult): void {
    this.#renewResult();
    this.#isResultGiven = true;
    this.#result.resolve(result);
  }

  #refuse(error: unknown): void {
    this.#renewResult();
    this.#isResultGiven = true;
    this.#result.reject(error);
  }

  /** A run that waited has given a result already; the next one is a new promise. */
  #renewResult(): void {
    if (!this.#isResultGiven) return;
    this.#isResultGiven = false;
    this.#result = newResult();
  }
}

class Handle implements RunHandle {
  readonly runId: string;
  readonly #events: AsyncIterable<AgentEvent>;
  readonly #run: LiveRun;

  constructor(run: LiveRun, runId: string, events: AsyncIterable<AgentEvent>) {
    this.#run = run;
    this.runId = runId;
    this.#events = events;
  }

  get events(): AsyncIterable<AgentEvent> {
    return { [Symbol.asyncIterator]: () => untilItWaits(this.#run, this.#events) };
  }

  get textStream(): AsyncIterable<string> {
    return texts(this.events);
  }

  abort(reason?: unknown): void {
    this.#run.abort(reason);
  }

  // biome-ignore lint/suspicious/noThenProperty: a run handle is awaited by contract
  then<A = RunResult, B = never>(
    onOk?: ((result: RunResult) => A | PromiseLike<A>) | null,
    onError?: ((error: unknown) => B | PromiseLike<B>) | null,
  ): Promise<A | B> {
    return this.#run.result.then(onOk, onError);
  }

  catch<T = never>(onRejected: (error: unknown) => T | PromiseLike<T>): Promise<RunResult | T> {
    return this.#run.result.catch(onRejected);
  }

  finally(onFinally: () => void): Promise<RunResult> {
    return this.#run.result.finally(onFinally);
  }
}

/**
 * Ends with the run, and where it waits for people as awaiting it does: a reader that answered inside its loop goes on
 * reading, one that did not is not left hanging.
 */
async function* untilItWaits(
  run: LiveRun,
  events: AsyncIterable<AgentEvent>,
): AsyncGenerator<AgentEvent, void, undefined> {
  for await (const event of events) {
    yield event;
    if (event.type === "run-wait" && run.isWaiting) return;
  }
}

async function* texts(events: AsyncIterable<AgentEvent>): AsyncGenerator<string, void, undefined> {
  for await (const event of events) if (event.type === "text-delta") yield event.text;
}

function newResult(): PromiseWithResolvers<RunResult> {
  const result = Promise.withResolvers<RunResult>();
  result.promise.catch(() => undefined);
  return result;
}

function endFields({ stoppedBy, endedByTool }: LoopEnd): {
  stoppedBy?: LoopEnd["stoppedBy"] & string;
  endedByTool?: string;
} {
  return { ...(stoppedBy === undefined ? {} : { stoppedBy }), ...(endedByTool === undefined ? {} : { endedByTool }) };
}

function resultOf(state: AgentRun, end: LoopEnd): RunResult {
  return { ...common(state), status: end.status, output: end.answer?.value, pending: [], ...endFields(end) };
}

function waitingResult(state: AgentRun): RunResult {
  return { ...common(state), calls: state.settledCalls, status: "waiting", output: undefined, pending: state.pending };
}

function common(state: AgentRun): Omit<RunResult, "status" | "output" | "pending"> {
  const { runId, threadId, text, steps } = state;
  return { runId, threadId, text, usage: state.usage(), calls: [...state.calls], messages: state.messages, steps };
}

/** What the run had stands on the error, hidden from printing. A frozen error goes without. */
function withPartial(error: unknown, state: AgentRun): unknown {
  if (error instanceof Error)
    Reflect.defineProperty(error, "partial", { value: state.partial(), configurable: true, writable: true });
  return error;
}
