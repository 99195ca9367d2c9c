// A run without an engine: nothing is stored, every step happens at once.
// It keeps to the words of `Run` by a direct path of its own, so that code over it never asks which one it has.
// Work that is synchronous makes no promise: its task is settled when it is given.
// What needs a store to be true (child flows, waits that outlive the process) it refuses in words.

import type { PendingPause } from "../core/approval.ts";
import { ToolpostError } from "../core/errors.ts";
import { failureOf } from "../core/failure.ts";
import type { Answer, PauseRecord, PauseRequest, Run, Settled, StepInfo, Task, Work } from "../core/run.ts";
import { outcomeOf } from "../core/task.ts";
import type { LazyAbort } from "../std/abort.ts";
import type { Clock } from "../std/clock.ts";
import type { Json } from "../std/json.ts";
import type { Soon } from "../std/soon.ts";
import { isPromiseLike } from "../std/soon.ts";

/** A pause of an inline run that nobody has answered. */
export interface OpenPause {
  readonly key: string;
  readonly request: PauseRequest;
}

/** A run below another, as that one sees it. */
export interface InlineChild {
  /** What it comes to. Rejects with what it failed by. */
  readonly end: Promise<Json>;
  /** Whether nothing but people moves it. */
  readonly isWaiting: boolean;
  readonly pending: readonly PendingPause[];
  /** Called when it comes to wait for people, and when somebody has answered. */
  onChange(listener: () => void): void;
  abort(reason: unknown): void;
  /** Nobody is to be asked in it any more. */
  closeWaits(): void;
}

/** Starts a run below another. Throws where it cannot. */
export type StartChild = (runId: string, flow: string, input: Json) => InlineChild;

/** The shared state of one inline run: its pauses and whether anything but people moves it. */
export class InlineRun {
  readonly id: string;
  readonly abort: LazyAbort;
  readonly clock: Clock;
  readonly run: Run;
  /** Most runs never pause. */
  #pauses: Map<string, WaitingPause> | undefined = undefined;
  #closed: ClosedPause[] | undefined = undefined;
  /** Told each time the run comes to wait for people only. */
  watcher: { onWaiting(): void; onAnswer?(): void } | undefined = undefined;
  #openBranches = 0;
  /** A branch may ask for something while it waits for a person, such as through a channel. */
  #stepsUnderWay = 0;
  /** Runs below this one that go on. */
  readonly #children = new Set<InlineChild>();
  readonly #startChild: StartChild | undefined;

  constructor(id: string, abort: LazyAbort, clock: Clock, startChild?: StartChild) {
    this.id = id;
    this.abort = abort;
    this.clock = clock;
    this.#startChild = startChild;
    this.run = new DirectRun(this, undefined, "");
  }

  get pauses(): readonly OpenPause[] {
    return [...(this.#pauses ?? [])].map(([key, pause]) => ({ key, request: pause.request }));
  }

  /** Those that are answered, expired or closed, in that order. */
  get closedPauses(): readonly ClosedPause[] {
    return this.#closed ?? [];
  }

  /** True when every branch under way waits for a person. */
  get isWaiting(): boolean {
    let waiting = this.#pauses?.size ?? 0;
    if (this.#children.size > 0) for (const child of this.#children) if (child.isWaiting) waiting++;
    return waiting > 0 && waiting >= this.#openBranches && this.#stepsUnderWay === 0;
  }

  /** What waits for people in the runs below. */
  get pendingBelow(): readonly PendingPause[] {
    return [...this.#children].flatMap(({ pending }) => pending);
  }

  child(key: string, flow: string, input: Json): Promise<Json> {
    if (this.#startChild === undefined) throw noneBelow(key);
    return this.#follow(this.#startChild(`${this.id}/${key}`, flow, input));
  }

  async #follow(child: InlineChild): Promise<Json> {
    this.#children.add(child);
    child.onChange(() => (child.isWaiting ? this.#noticeWaiting() : this.watcher?.onAnswer?.()));
    const forget = this.abort.onAbort((reason) => child.abort(reason));
    try {
      return await child.end;
    } finally {
      forget();
      this.#children.delete(child);
    }
  }

  /** Settles a pause; false when there is none of that key any more. `by` is who answered. */
  answer(key: string, answer: Answer, by?: Json): boolean {
    const pause = this.#pauses?.get(key);
    if (pause === undefined) return false;
    this.#pauses?.delete(key);
    this.#keep(key, pause.request, answer, by);
    this.watcher?.onAnswer?.();
    pause.settle(answer);
    return true;
  }

  /** Settles every open pause as closed, here and below: nobody will answer any more. */
  closePauses(): void {
    for (const child of this.#children) child.closeWaits();
    for (const key of [...(this.#pauses?.keys() ?? [])]) this.answer(key, { type: "closed" });
  }

  #keep(key: string, request: PauseRequest, answer: Answer, answeredBy?: Json): void {
    const kept = { key, request, answer, answeredAt: this.clock.now() };
    this.#closed ??= [];
    this.#closed.push(answeredBy === undefined ? kept : { ...kept, answeredBy });
  }

  pause(key: string, request: PauseRequest): Soon<Answer> {
    const { abort, clock } = this;
    if (abort.aborted) return { type: "closed" };
    return new Promise((resolve) => {
      const timer =
        request.expiresAt === undefined
          ? undefined
          : clock.schedule(Math.max(0, request.expiresAt - clock.now()), () => this.answer(key, { type: "expired" }));
      const forget = abort.onAbort(() => this.answer(key, { type: "closed" }));
      const settle = (answer: Answer): void => {
        timer?.cancel();
        forget();
        resolve(answer);
      };
      this.#pauses ??= new Map();
      this.#pauses.set(key, { request, settle });
      this.#noticeWaiting();
    });
  }

  /** Counts a step among those under way until it has settled, and its branch has gone on with what it came to. */
  follow(step: PromiseLike<unknown>): void {
    this.#stepsUnderWay++;
    const settled = (): void =>
      void setImmediate(() => {
        this.#stepsUnderWay--;
        this.#noticeWaiting();
      });
    step.then(settled, settled);
  }

  branch<T>(run: Run, fn: (run: Run) => Soon<T>): Soon<T> {
    this.#openBranches++;
    let outcome: Soon<T>;
    try {
      outcome = fn(run);
    } catch (error) {
      outcome = Promise.reject(error);
    }
    if (isPromiseLike(outcome)) return this.#closeAfter(outcome);
    this.#closeBranch();
    return outcome;
  }

  #closeAfter<T>(outcome: PromiseLike<T>): PromiseLike<T> {
    return outcome.then(
      (value) => {
        this.#closeBranch();
        return value;
      },
      (error: unknown) => {
        this.#closeBranch();
        throw error;
      },
    );
  }

  #closeBranch(): void {
    this.#openBranches--;
    this.#noticeWaiting();
  }

  /** Looks a moment later: a branch that pauses at once may be the first of several that are about to start. */
  #noticeWaiting(): void {
    if (this.watcher === undefined || !this.isWaiting) return;
    queueMicrotask(() => {
      if (this.isWaiting) this.watcher?.onWaiting();
    });
  }
}

/** What came of a pause, as it is kept for the life of the run. */
export type ClosedPause = Omit<PauseRecord, "runId" | "askedAt"> & Required<Pick<PauseRecord, "answer" | "answeredAt">>;

interface WaitingPause {
  readonly request: PauseRequest;
  readonly settle: (answer: Answer) => void;
}

class DirectRun implements Run {
  readonly #owner: InlineRun;
  readonly #parent: DirectRun | undefined;
  readonly #key: string;
  #isWaiting = false;
  /** For those who wait until it waits; most branches have none. */
  #waiting: PromiseWithResolvers<void> | undefined = undefined;

  constructor(owner: InlineRun, parent: DirectRun | undefined, key: string) {
    this.#owner = owner;
    this.#parent = parent;
    this.#key = key;
  }

  /** Of the keys in this branch; put together when asked for, as most branches never pause. */
  get prefix(): string {
    return this.#parent === undefined ? "" : `${this.#parent.prefix}${this.#key}/`;
  }

  get id(): string {
    return this.#owner.id;
  }

  step<T>(key: string, fn: (step: StepInfo) => Soon<T>): Task<T> {
    let outcome: Soon<T>;
    try {
      outcome = fn(new DirectStep(this.#owner, this, key));
    } catch (error) {
      outcome = Promise.reject(error);
    }
    if (isPromiseLike(outcome)) this.#owner.follow(outcome);
    return new DirectTask(key, outcome);
  }

  get isReplaying(): boolean {
    return false;
  }

  perform<T, About>(_key: string, work: Work<T, About>, about: About): Soon<T> {
    try {
      return work.perform(about);
    } catch (error) {
      return Promise.reject(error);
    }
  }

  child<T>(key: string, flow: string, input: Json): Task<T> {
    return new DirectTask(key, this.#owner.child(this.prefix + key, flow, input) as Promise<T>);
  }

  pause(key: string, request: PauseRequest): Task<Answer> {
    return new DirectTask(key, this.#owner.pause(this.prefix + key, request));
  }

  settlePause(_key: string, pause: string, answer: Answer, by?: Json): void {
    this.#owner.answer(this.prefix + pause, answer, by);
  }

  sleep(key: string, wait: { readonly ms: number } | { readonly at: number }): Task<void> {
    const { abort, clock } = this.#owner;
    const delay = "ms" in wait ? wait.ms : wait.at - clock.now();
    const slept = new Promise<void>((resolve, reject) => {
      const timer = clock.schedule(Math.max(0, delay), () => {
        forget();
        resolve();
      });
      const forget = abort.onAbort((reason) => {
        timer.cancel();
        reject(reason);
      });
    });
    return new DirectTask(key, slept);
  }

  now(key: string): Task<number> {
    return new DirectTask(key, Promise.resolve(this.#owner.clock.now()));
  }

  random(key: string): Task<number> {
    return new DirectTask(key, Promise.resolve(Math.random()));
  }

  closePauses(): void {
    this.#owner.closePauses();
  }

  noteWaiting(): void {
    this.#isWaiting = true;
    this.#waiting?.resolve();
  }

  /** Resolves once the branch waits for a person. */
  get waiting(): Promise<void> {
    if (this.#isWaiting) return Promise.resolve();
    this.#waiting ??= Promise.withResolvers();
    return this.#waiting.promise;
  }

  quiet(branches: readonly Task<unknown>[]): Soon<void> {
    const open = branches.filter((branch) => isPromiseLike(outcomeOf(branch)));
    if (open.length === 0) return undefined;
    return Promise.all(open.map((branch) => (branch as DirectTask<unknown>).quiet)).then(() => undefined);
  }

  branch<T>(key: string, fn: (run: Run) => Soon<T>): Task<T> {
    const inner = new DirectRun(this.#owner, this, key);
    return new DirectTask(key, this.#owner.branch(inner, fn), inner);
  }

  all<const T extends readonly Task<unknown>[]>(
    tasks: T,
  ): Soon<{ -readonly [K in keyof T]: T[K] extends Task<infer V> ? V : never }> {
    const outcomes: unknown[] = [];
    let isSettled = true;
    for (const task of tasks) {
      const outcome = outcomeOf(task);
      if (isPromiseLike(outcome)) isSettled = false;
      outcomes.push(outcome);
    }
    return (isSettled ? outcomes : Promise.all(outcomes)) as never;
  }

  next<T>(tasks: readonly Task<T>[]): PromiseLike<Settled<T>> {
    if (tasks.length === 0) throw new ToolpostError("run.misuse", "run.next was given no task: it would wait for ever");
    return Promise.race(
      tasks.map((task, index) => {
        const about = { index, key: this.prefix + task.key };
        return task.then(
          (value): Settled<T> => ({ ...about, ok: true, value }),
          (error: unknown): Settled<T> => ({ ...about, ok: false, error: failureOf(error).message }),
        );
      }),
    );
  }
}

class DirectStep implements StepInfo {
  readonly #owner: InlineRun;
  readonly #branch: DirectRun;
  readonly #key: string;

  constructor(owner: InlineRun, branch: DirectRun, key: string) {
    this.#owner = owner;
    this.#branch = branch;
    this.#key = key;
  }

  get idempotencyKey(): string {
    return `${this.#owner.id}/${this.#branch.prefix}${this.#key}`;
  }

  get signal(): AbortSignal {
    return this.#owner.abort.signal;
  }
}

class DirectTask<T> implements Task<T> {
  readonly key: string;
  readonly outcome: Soon<T>;
  readonly #branch: DirectRun | undefined;

  constructor(key: string, outcome: Soon<T>, branch?: DirectRun) {
    this.key = key;
    this.outcome = outcome;
    this.#branch = branch;
  }

  /** Resolves when it has settled, or is a branch that waits for a person. */
  get quiet(): Promise<unknown> {
    const settled = this.then(nothing, nothing);
    return this.#branch === undefined ? settled : Promise.race([settled, this.#branch.waiting]);
  }

  get direct(): { readonly outcome: Soon<T> } {
    return this;
  }

  // biome-ignore lint/suspicious/noThenProperty: a Task is awaited by contract
  then<A = T, B = never>(
    onOk?: ((value: T) => A | PromiseLike<A>) | null,
    onError?: ((error: unknown) => B | PromiseLike<B>) | null,
  ): Promise<A | B> {
    return Promise.resolve(this.outcome).then(onOk, onError);
  }
}

function nothing(): void {}

function noneBelow(key: string): ToolpostError {
  return new ToolpostError("run.needs-engine", `no run can start below this one, as is asked for at \`${key}\``);
}
