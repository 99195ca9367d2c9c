// `Run` as the code of one branch has it: its words become operations, and its waits end the branch's turn.
// It keeps nothing itself; the scheduler behind it knows what is under way.

import type { ToolpostError } from "../core/errors.ts";
import { errorFrom } from "../core/failure.ts";
import type { Answer, Kernel, PauseRequest, Run, Settled, StepInfo, StepOptions, Task, Work } from "../core/run.ts";
import type { Clock } from "../std/clock.ts";
import type { Json } from "../std/json.ts";
import type { Soon } from "../std/soon.ts";
import { andThen } from "../std/soon.ts";
import type { Perform } from "./operations.ts";
import { actOnce, child, closePauses, pause, settlePause, sleep } from "./operations.ts";
import type { Fiber, Operation, Wait } from "./unit.ts";
import { Unit } from "./unit.ts";

/** What a branch needs of the scheduler. */
export interface Scheduling {
  readonly kernel: Kernel;
  readonly clock: Clock;
  /** Keys of the pauses that nobody has answered yet, as far as the journal was given. */
  readonly pauses: Set<string>;
  /** The same of children. */
  readonly children: Set<string>;
  /** Throws `run.misuse` for a key that stands for something else already. */
  take(key: string): void;
  /** Breaks the whole run, and gives the error to throw. */
  misuse(message: string): ToolpostError;
  startStep(unit: Unit, perform: Perform): void;
  start(unit: Unit, operation: Operation): void;
  begin<T>(unit: Unit, work: (run: Run) => Soon<T>): void;
  /** The branch waits for a person from here on. */
  noteWaiting(unit: Unit): void;
  /** Ends the turn of the branch until the wait is ready, then resumes it; at once where it is. */
  wait(fiber: Fiber, wait: Wait): void;
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

  get isReplaying(): boolean {
    return this.#fiber.isReplaying;
  }

  step<T>(key: string, fn: (step: StepInfo) => Soon<T>, options?: StepOptions<T>): Task<T> {
    return this.#step(this.#unit(key), fn, options?.interrupted);
  }

  perform<T, About>(key: string, work: Work<T, About>, about: About): Soon<T> {
    const { write, read, failed } = work;
    const unit = this.#unit(key);
    if (read !== undefined) unit.read = (written, isReplayed) => read(written, about, isReplayed);
    const written = (made: Soon<T>): Soon<unknown> =>
      write === undefined ? made : andThen(made, (value: T) => write(value, about));
    const interrupted = work.interrupted?.(about);
    return this.#step(
      unit,
      failed === undefined
        ? () => written(work.perform(about))
        : () => failingAs(failed, () => written(work.perform(about)), about),
      interrupted === undefined ? undefined : () => written(interrupted()),
    );
  }

  child<T>(key: string, flow: string, input: Json): Task<T> {
    const unit = this.#unit(key);
    const { kernel, children } = this.#scheduler;
    return this.#start(unit, child(kernel, { kind: "child", key: unit.key, flow, input }, children));
  }

  pause(key: string, request: PauseRequest): Task<Answer> {
    if (request.expiresAt !== undefined) this.#mustBeTime(key, request.expiresAt);
    const unit = this.#unit(key);
    const { kernel, pauses } = this.#scheduler;
    return this.#start(unit, pause(kernel, unit.key, request, pauses));
  }

  settlePause(key: string, pause: string, answer: Answer, by?: Json): Soon<void> {
    const unit = this.#unit(key);
    const op = { kind: "close", key: unit.key, pause: this.#prefix + pause, answer, by } as const;
    return this.#start<void>(unit, settlePause(this.#scheduler.kernel, op));
  }

  closePauses(key: string, cancelsChildren = false): Soon<void> {
    const unit = this.#unit(key);
    const { kernel, pauses, children } = this.#scheduler;
    if (pauses.size === 0 && children.size === 0) return undefined;
    return this.#start<void>(unit, closePauses(kernel, unit.key, { pauses, children, cancelsChildren }));
  }

  sleep(key: string, wait: { readonly ms: number } | { readonly at: number }): Task<void> {
    this.#mustBeTime(key, "ms" in wait ? wait.ms : wait.at);
    const unit = this.#unit(key);
    return this.#start(unit, sleep(this.#scheduler.kernel, unit.key, wait, this.#scheduler.clock));
  }

  now(key: string): Task<number> {
    return this.step(key, () => this.#scheduler.clock.now());
  }

  random(key: string): Task<number> {
    return this.step(key, () => Math.random());
  }

  branch<T>(key: string, fn: (run: Run) => Soon<T>): Task<T> {
    const unit = this.#unit(key);
    this.#scheduler.begin(unit, fn);
    return new ScheduledTask(this.#scheduler, unit);
  }

  noteWaiting(): void {
    this.#scheduler.noteWaiting(this.#fiber.unit);
  }

  quiet(branches: readonly Task<unknown>[]): Soon<void> {
    const units = this.#unitsOf(branches);
    return later((resolve, reject) => this.#scheduler.wait(this.#fiber, new QuietWait(units, resolve, reject)));
  }

  all<const T extends readonly Task<unknown>[]>(
    tasks: T,
  ): Soon<{ -readonly [K in keyof T]: T[K] extends Task<infer V> ? V : never }> {
    const units = this.#unitsOf(tasks);
    return later((resolve, reject) => this.#scheduler.wait(this.#fiber, new AllWait(units, resolve, reject)));
  }

  next<T>(tasks: readonly Task<T>[]): PromiseLike<Settled<T>> {
    const units = this.#unitsOf(tasks);
    if (units.length === 0) throw this.#scheduler.misuse("run.next was given no task: it would wait for ever");
    return later((resolve, reject) => this.#scheduler.wait(this.#fiber, new NextWait(units, resolve, reject)));
  }

  /** A wait that never ends must be meant. */
  #mustBeTime(key: string, time: number): void {
    if (Number.isFinite(time)) return;
    throw this.#scheduler.misuse(`the time of \`${key}\` is \`${String(time)}\`: give a number of milliseconds`);
  }

  #unit(key: string): Unit {
    const full = this.#prefix + key;
    // A store would give back another one.
    if (!full.isWellFormed() || full.includes("\0"))
      throw this.#scheduler.misuse(
        `the key ${JSON.stringify(full)} holds a NUL or half a character: give it whole words`,
      );
    this.#scheduler.take(full);
    return new Unit(full, this.#fiber);
  }

  #step<T>(unit: Unit, perform: Perform, interrupted: (() => Soon<unknown>) | undefined): Task<T> {
    if (interrupted !== undefined)
      return this.#start(unit, actOnce(this.#scheduler.kernel, unit, perform, interrupted));
    this.#scheduler.startStep(unit, perform);
    return new ScheduledTask(this.#scheduler, unit);
  }

  #start<T>(unit: Unit, operation: Operation): Task<T> {
    this.#scheduler.start(unit, operation);
    return new ScheduledTask(this.#scheduler, unit);
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

  constructor(scheduler: Scheduling, unit: Unit) {
    this.#scheduler = scheduler;
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
    const { unit } = this;
    return new Promise<T>((resolve, reject) =>
      this.#scheduler.wait(unit.fiber as Fiber, new OneWait(unit, resolve as never, reject)),
    ).then(onOk, onError);
  }
}

type Resolve = (value: never) => void;
type Reject = (error: unknown) => void;

class OneWait implements Wait {
  readonly unit: Unit;
  readonly reject: Reject;
  readonly #resolve: Resolve;

  constructor(unit: Unit, resolve: Resolve, reject: Reject) {
    this.unit = unit;
    this.#resolve = resolve;
    this.reject = reject;
  }

  isReady(): boolean {
    return this.unit.order > 0;
  }

  resume(): void {
    try {
      this.#resolve(settledValue(this.unit) as never);
    } catch (error) {
      this.reject(error);
    }
  }
}

class AllWait implements Wait {
  readonly reject: Reject;
  readonly #units: readonly Unit[];
  readonly #resolve: Resolve;
  #settled = 0;

  constructor(units: readonly Unit[], resolve: Resolve, reject: Reject) {
    this.#units = units;
    this.#resolve = resolve;
    this.reject = reject;
  }

  isReady(): boolean {
    while (this.#settled < this.#units.length && this.#units[this.#settled]!.order > 0) this.#settled++;
    return this.#settled === this.#units.length;
  }

  resume(): void {
    try {
      const values = this.#units.map(settledValue);
      const isPlain = this.#units.every(({ read }) => read === undefined);
      this.#resolve((isPlain ? values : Promise.all(values)) as never);
    } catch (error) {
      this.reject(error);
    }
  }
}

/** The only wait for branches that another branch made: it takes none of their values. */
export class QuietWait implements Wait {
  readonly reject: Reject;
  readonly #units: readonly Unit[];
  readonly #resolve: () => void;

  constructor(units: readonly Unit[], resolve: () => void, reject: Reject) {
    this.#units = units;
    this.#resolve = resolve;
    this.reject = reject;
  }

  isReady(): boolean {
    return this.#units.every(({ order, isWaiting }) => order > 0 || isWaiting);
  }

  resume(): void {
    this.#resolve();
  }
}

class NextWait implements Wait {
  readonly reject: Reject;
  readonly #units: readonly Unit[];
  readonly #resolve: (value: Settled<never>) => void;

  constructor(units: readonly Unit[], resolve: (value: Settled<never>) => void, reject: Reject) {
    this.#units = units;
    this.#resolve = resolve;
    this.reject = reject;
  }

  isReady(): boolean {
    return this.#units.some(({ order }) => order > 0);
  }

  resume(): void {
    const settled = this.#units.filter(({ order }) => order > 0);
    const first = settled.reduce((least, unit) => (unit.order < least.order ? unit : least));
    const about = { index: this.#units.indexOf(first), key: first.key };
    if (first.outcome?.ok === false) return this.#resolve({ ...about, ok: false, error: first.outcome.error.message });
    Promise.resolve(settledValue(first)).then(
      (value) => this.#resolve({ ...about, ok: true, value: value as never }),
      this.reject,
    );
  }
}

/** The work, whose throw the journal holds as another one. */
async function failingAs<About>(
  failed: (error: unknown, about: About) => unknown,
  work: () => Soon<unknown>,
  about: About,
): Promise<unknown> {
  try {
    return await work();
  } catch (error) {
    throw failed(error, about);
  }
}

/** What a settled unit is to whoever waits for it. */
function settledValue(unit: Unit): unknown {
  const { outcome, thrown } = unit;
  // Of a branch, whose value is no part of the journal.
  if (outcome === undefined) return unit.value;
  if (outcome.ok) return unit.read === undefined ? outcome.value : unit.read(outcome.value, unit.isReplayed);
  // Whoever did the work gets the very error; a replay one like it.
  if (thrown !== undefined) throw thrown.error;
  throw errorFrom(outcome.error);
}

/** Begins to wait when it is awaited. Not a promise: one that nobody awaits must not wait either. */
function later<T>(begin: (resolve: (value: T) => void, reject: Reject) => void): PromiseLike<T> {
  // biome-ignore lint/suspicious/noThenProperty: that is what makes it awaitable
  return { then: (onOk, onError) => new Promise<T>(begin).then(onOk, onError) };
}
