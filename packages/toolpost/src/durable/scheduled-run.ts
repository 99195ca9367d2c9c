// `Run` as the code of one branch has it: its words become operations, and its waits end the branch's turn.
// It keeps nothing itself; the scheduler behind it knows what is under way.

import type { ToolpostError } from "../core/errors.ts";
import type { Answer, Kernel, PauseRequest, Run, Settled, StepInfo, StepOptions, Task } from "../core/run.ts";
import type { Clock } from "../std/clock.ts";
import type { Json } from "../std/json.ts";
import type { Soon } from "../std/soon.ts";
import type { Operation, Outcome } from "./operations.ts";
import { child, pause, sleep, step } from "./operations.ts";
import type { Fiber, Unit } from "./unit.ts";

/** What a branch needs of the scheduler. */
export interface Scheduling {
  readonly kernel: Kernel;
  readonly clock: Clock;
  /** Throws `run.misuse` for a key that stands for something else already. */
  take(key: string): void;
  /** Breaks the whole run, and gives the error to throw. */
  misuse(message: string): ToolpostError;
  start(key: string, operation: Operation): Unit;
  begin<T>(key: string, work: (run: Run) => Soon<T>): Unit;
  /** Ends the turn of the branch until `isReady`. */
  wait(fiber: Fiber, isReady: () => boolean): Promise<void>;
}

export class ScheduledRun implements Run {
  readonly #scheduler: Scheduling;
  readonly #fiber: Fiber;
  readonly #prefix: string;

  constructor(scheduler: Scheduling, fiber: Fiber, prefix: string) {
    this.#scheduler = scheduler;
    this.#fiber = fiber;
    this.#prefix = prefix;
  }

  get id(): string {
    return this.#scheduler.kernel.runId;
  }

  step<T>(key: string, fn: (step: StepInfo) => Soon<T>, options: StepOptions<T> = {}): Task<T> {
    const full = this.#take(key);
    return this.#start(full, step(this.#scheduler.kernel, full, fn, options));
  }

  perform<T, About>(key: string, work: (about: About) => Soon<T>, about: About): Soon<T> {
    return this.step(key, () => work(about));
  }

  child<T>(key: string, flow: string, input: Json): Task<T> {
    const full = this.#take(key);
    return this.#start(full, child(this.#scheduler.kernel, full, flow, input));
  }

  pause(key: string, request: PauseRequest): Task<Answer> {
    const full = this.#take(key);
    return this.#start(full, pause(this.#scheduler.kernel, full, request));
  }

  sleep(key: string, wait: { readonly ms: number } | { readonly at: number }): Task<void> {
    const full = this.#take(key);
    return this.#start(full, sleep(this.#scheduler.kernel, full, wait, this.#scheduler.clock));
  }

  now(key: string): Task<number> {
    return this.step(key, () => this.#scheduler.clock.now());
  }

  random(key: string): Task<number> {
    return this.step(key, () => Math.random());
  }

  branch<T>(key: string, fn: (run: Run) => Soon<T>): Task<T> {
    return new ScheduledTask(this.#scheduler, this.#fiber, this.#scheduler.begin(this.#take(key), fn));
  }

  all<const T extends readonly Task<unknown>[]>(
    tasks: T,
  ): Soon<{ -readonly [K in keyof T]: T[K] extends Task<infer V> ? V : never }> {
    const units = this.#unitsOf(tasks);
    return later(async () => {
      await this.#scheduler.wait(this.#fiber, () => units.every(({ outcome }) => outcome !== undefined));
      return units.map(outcomeValue) as never;
    });
  }

  next<T>(tasks: readonly Task<T>[]): PromiseLike<Settled<T>> {
    const units = this.#unitsOf(tasks);
    if (units.length === 0) throw this.#scheduler.misuse("run.next was given no task: it would wait for ever");
    return later(async (): Promise<Settled<T>> => {
      await this.#scheduler.wait(this.#fiber, () => units.some(({ outcome }) => outcome !== undefined));
      const settled = units.filter(({ outcome }) => outcome !== undefined);
      const first = settled.reduce((least, unit) => (unit.order < least.order ? unit : least));
      return { index: units.indexOf(first), key: first.key, ...(first.outcome as Outcome) } as Settled<T>;
    });
  }

  #take(key: string): string {
    const full = this.#prefix + key;
    this.#scheduler.take(full);
    return full;
  }

  #start<T>(key: string, operation: Operation): Task<T> {
    return new ScheduledTask(this.#scheduler, this.#fiber, this.#scheduler.start(key, operation));
  }

  #unitsOf(tasks: readonly Task<unknown>[]): readonly Unit[] {
    return tasks.map((task) => {
      if (task instanceof ScheduledTask) return task.unit;
      throw this.#scheduler.misuse(
        "run.all and run.next wait for tasks of their run alone: make a step of anything else",
      );
    });
  }
}

class ScheduledTask<T> implements Task<T> {
  readonly unit: Unit;
  readonly #scheduler: Scheduling;
  readonly #fiber: Fiber;

  constructor(scheduler: Scheduling, fiber: Fiber, unit: Unit) {
    this.#scheduler = scheduler;
    this.#fiber = fiber;
    this.unit = unit;
  }

  get key(): string {
    return this.unit.key;
  }

  // biome-ignore lint/suspicious/noThenProperty: a Task is awaited by contract
  then<A = T, B = never>(
    onOk?: ((value: T) => A | PromiseLike<A>) | null,
    onError?: ((error: unknown) => B | PromiseLike<B>) | null,
  ): Promise<A | B> {
    return this.#scheduler
      .wait(this.#fiber, () => this.unit.outcome !== undefined)
      .then(() => outcomeValue(this.unit) as T)
      .then(onOk, onError);
  }
}

function outcomeValue({ outcome }: Unit): Json {
  if (outcome?.ok === true) return outcome.value;
  throw new Error(outcome?.error);
}

/** Begins to wait when it is awaited. Not a promise: one that nobody awaits must not wait either. */
function later<T>(work: () => Promise<T>): PromiseLike<T> {
  // biome-ignore lint/suspicious/noThenProperty: that is what makes it awaitable
  return { then: (onOk, onError) => work().then(onOk, onError) };
}
