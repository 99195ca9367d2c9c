// The durable word: what a flow waits through, and what an engine implements below it.
// Types only. One scheduler writes `Run` over a `Kernel`; a run without an engine has a direct path.

import type { Json } from "../std/json.ts";
import type { Soon } from "../std/soon.ts";

/** Handed to a step. `idempotencyKey` is the run's id and the step's key, the same after a crash. */
export interface StepInfo {
  readonly idempotencyKey: string;
  readonly signal: AbortSignal;
}

export interface StepOptions<T> {
  /** Makes the step at most once: when it is found started without an outcome, this value stands in its place. */
  readonly interrupted?: () => T;
}

/** A wait for a person. Immutable; `expiresAt` is epoch milliseconds from journaled time. */
export interface PauseRequest {
  readonly kind: string;
  readonly data: Json;
  readonly expiresAt?: number;
}

export type Answer =
  | { readonly type: "answer"; readonly value: Json }
  | { readonly type: "expired" }
  | { readonly type: "closed" };

/**
 * Something under way. It starts when it is made; await it only in the branch that made it. A run that keeps no journal
 * gives what came of it in `direct`: the value itself where the work was synchronous, so that nothing need wait for it
 * (see `outcomeOf` in task.ts).
 */
export interface Task<T> extends PromiseLike<T> {
  readonly key: string;
  readonly direct?: { readonly outcome: Soon<T> } | undefined;
}

export type Settled<T> = { readonly index: number; readonly key: string } & (
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly error: string }
);

/**
 * What a flow is written against. Keys are unique within a branch. A step's throw is a value of the journal and is
 * thrown again on replay; engines never retry a step.
 */
export interface Run {
  readonly id: string;
  step<T>(key: string, fn: (step: StepInfo) => Soon<T>, options?: StepOptions<T>): Task<T>;
  /**
   * A step for whoever waits for its outcome right here: at once where the run keeps no journal and the work is
   * synchronous. What the work needs is handed through as `about`, as a closure for each step of each call costs more
   * than the step.
   */
  perform<T, About>(key: string, work: (about: About) => Soon<T>, about: About): Soon<T>;
  child<T = Json>(key: string, flow: string, input: Json): Task<T>;
  pause(key: string, request: PauseRequest): Task<Answer>;
  sleep(key: string, wait: { readonly ms: number } | { readonly at: number }): Task<void>;
  /** Epoch milliseconds, journaled. */
  now(key: string): Task<number>;
  /** A number from 0 up to 1, journaled. */
  random(key: string): Task<number>;
  /** Many steps of its own; keys inside are prefixed `${key}/`. */
  branch<T>(key: string, fn: (run: Run) => Soon<T>): Task<T>;
  /** Their values, in order; at once where all are settled. */
  all<const T extends readonly Task<unknown>[]>(
    tasks: T,
  ): Soon<{ -readonly [K in keyof T]: T[K] extends Task<infer V> ? V : never }>;
  /** The first settled one, by journaled order. Not a Task: awaiting would unwrap it. */
  next<T>(tasks: readonly Task<T>[]): PromiseLike<Settled<T>>;
}

export type Flow = (run: Run, input: Json) => Promise<Json>;

/** One journaled operation. */
export type Op =
  | { readonly kind: "step"; readonly key: string; readonly fn: (signal: AbortSignal) => Promise<Json> }
  | { readonly kind: "child"; readonly key: string; readonly flow: string; readonly input: Json }
  | { readonly kind: "pause"; readonly key: string; readonly request: PauseRequest }
  | { readonly kind: "timer"; readonly key: string; readonly at: number }
  | { readonly kind: "close"; readonly key: string; readonly pause: string; readonly answer: Answer };

export interface Leaf {
  readonly op: Op;
  readonly value?: Json;
  readonly replayed?: boolean;
}

/**
 * One attempt of one run. `issue` registers an operation, `select` gives the next settled one of all open ones, in an
 * order that replays. `select` throws only when the run was cancelled, its lease lost, or its journal does not match.
 */
export interface Kernel {
  readonly runId: string;
  readonly signal: AbortSignal;
  issue(op: Op): Leaf;
  select(open: readonly Leaf[]): Promise<Leaf>;
}

export interface PauseRef {
  readonly runId: string;
  readonly key: string;
}

export interface RunStatus {
  readonly runId: string;
  readonly state: "queued" | "running" | "waiting" | "done" | "failed" | "cancelled";
  readonly result?: Json;
  readonly error?: string;
}

/**
 * Keeps runs. `answer` has exactly one winner among a person, the expiry and the end of the run; ids of children start
 * with `${parent}/`; `start` is idempotent by `runId`; `cancel` reaches children and needs no live worker.
 */
export interface Engine {
  start(run: {
    readonly flow: string;
    readonly runId: string;
    readonly input: Json;
    readonly version?: string;
  }): Promise<{ readonly fresh: boolean }>;
  status(runId: string): Promise<RunStatus | undefined>;
  result(runId: string, signal?: AbortSignal): Promise<RunStatus>;
  pauses(filter?: { readonly under?: string }): Promise<readonly (PauseRef & { readonly request: PauseRequest })[]>;
  answer(pause: PauseRef, value: Json): Promise<"accepted" | "answered" | "expired" | "closed" | "unknown">;
  cancel(runId: string): Promise<void>;
  serve(
    flows: Readonly<Record<string, Flow>>,
    options?: { readonly version?: string },
  ): Promise<{ close(): Promise<void> }>;
}
