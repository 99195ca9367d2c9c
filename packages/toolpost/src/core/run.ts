// The durable word: what a flow waits through, and what an engine implements below it.
// Types only. One scheduler writes `Run` over a `Kernel`; a run without an engine has a direct path.

import type { Clock } from "../std/clock.ts";
import type { Json } from "../std/json.ts";
import type { Soon } from "../std/soon.ts";
import type { Log } from "./govern.ts";
import type { ThreadStore } from "./thread.ts";

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
  /** By which whoever answers finds it. Unique. */
  readonly id?: string;
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

/** What went wrong, as a journal holds it. `code` and `data` are there where a `ToolpostError` was thrown. */
export interface Failure {
  readonly message: string;
  readonly code?: string;
  readonly data?: Json;
}

/**
 * A step whose value is more than JSON: how the work is done, and how what came of it goes into a journal and comes back.
 * One constant for all runs. A run that keeps no journal only does the work.
 */
export interface Work<T, About> {
  /** What it throws is a failure in the journal; whoever waits for the step gets the error, on replay one like it. */
  readonly perform: (about: About) => Soon<T>;
  /** What the journal is to hold of a throw, where that is not what was thrown. */
  readonly failed?: (error: unknown, about: About) => unknown;
  /** Without it the value is JSON. */
  readonly write?: (value: T, about: About) => Json;
  /**
   * Given what `write` gave, also right after the work was done: what goes on is what a replay would go on with.
   * `isReplayed` is false for the attempt that did the work.
   */
  readonly read?: (written: Json, about: About, isReplayed: boolean) => Soon<T>;
  /**
   * Makes the work at most once, where it gives something: that stands for the outcome of work found begun by a process
   * that is gone. Asked before the work is begun, on each replay again, so it must depend on nothing that changes.
   */
  readonly interrupted?: (about: About) => (() => T) | undefined;
}

/**
 * What a flow is written against. Keys are unique within a branch. A step's throw is a value of the journal and is
 * thrown again on replay; engines never retry a step.
 */
export interface Run {
  readonly id: string;
  /**
   * Whether what this branch waited for last came out of the journal. What it does until its next wait was done before, by
   * an attempt that may have told of it: nobody is told again. Always false without a journal.
   */
  readonly isReplaying: boolean;
  step<T>(key: string, fn: (step: StepInfo) => Soon<T>, options?: StepOptions<T>): Task<T>;
  /**
   * A step for whoever waits for its outcome right here: at once where the run keeps no journal and the work is
   * synchronous. What the work needs is handed through as `about`, as a closure for each step of each call costs more
   * than the step.
   */
  perform<T, About>(key: string, work: Work<T, About>, about: About): Soon<T>;
  child<T = Json>(key: string, flow: string, input: Json): Task<T>;
  pause(key: string, request: PauseRequest): Task<Answer>;
  /**
   * Answers, or closes, the pause of that key in this branch, unless somebody was first: whoever waits for it gets what
   * counts. `by` is who answered, for the record.
   */
  settlePause(key: string, pause: string, answer: Answer, by?: Json): Soon<void>;
  sleep(key: string, wait: { readonly ms: number } | { readonly at: number }): Task<void>;
  /** Epoch milliseconds, journaled. */
  now(key: string): Task<number>;
  /** A number from 0 up to 1, journaled. */
  random(key: string): Task<number>;
  /**
   * Answers every pause of the run that still waits with `closed`: nobody is to answer any more, nor is anybody asked again
   * by a child that goes on, or below it. With `cancelsChildren` those are cancelled.
   */
  closePauses(key: string, cancelsChildren?: boolean): Soon<void>;
  /** Says that this branch now waits for a person, so that nobody of the run who waits by `quiet` need wait for it. */
  noteWaiting(): void;
  /** Resolves when each of these branches has ended or waits for a person. They may be another branch's. */
  quiet(branches: readonly Task<unknown>[]): Soon<void>;
  /** Many steps of its own; keys inside are prefixed `${key}/`. */
  branch<T>(key: string, fn: (run: Run) => Soon<T>): Task<T>;
  /** Their values, in order; at once where all are settled. */
  all<const T extends readonly Task<unknown>[]>(
    tasks: T,
  ): Soon<{ -readonly [K in keyof T]: T[K] extends Task<infer V> ? V : never }>;
  /** The first settled one, by journaled order. Not a Task: awaiting would unwrap it. */
  next<T>(tasks: readonly Task<T>[]): PromiseLike<Settled<T>>;
}

/** The code of a run, called anew for each attempt. What it throws fails the run. */
export type Flow = (run: Run, input: Json, attempt: Attempt) => Promise<Json>;

/** One instance's go at a run: from the claim until the run ends, waits, or is lost. */
export interface Attempt {
  readonly runId: string;
  /** Fires when this instance may not go on: the lease was lost or the instance closes. The reason says which. */
  readonly signal: AbortSignal;
  /**
   * For a flow that ends itself in good order: called once, when the run was cancelled and all of its journal was given
   * again. From then on nothing is journaled, steps settle as they come, pauses are closed, and the flow has 10 s to end.
   * A flow that does not ask for this is left where it stands.
   */
  onCancel(listener: (reason: string) => void): void;
  /**
   * Gives the run up as it is, to be tried again after a lease: for trouble that is no outcome of the run, such as a server
   * that cannot be reached. The flow gets nothing more.
   */
  leave(reason: unknown): void;
  /** Called after the run was given up because all of its branches wait, with nothing under way. */
  onRest(listener: () => void): void;
}

/** One journaled operation. */
export type Op =
  | {
      readonly kind: "step";
      readonly key: string;
      readonly fn: (signal: AbortSignal) => Promise<Json>;
      /** The journal says that it begins: an attempt that only lets settle what is under way lets it begin too. */
      readonly isAnnounced?: boolean;
    }
  | { readonly kind: "child"; readonly key: string; readonly flow: string; readonly input: Json }
  | { readonly kind: "pause"; readonly key: string; readonly request: PauseRequest }
  | { readonly kind: "timer"; readonly key: string; readonly at: number }
  | {
      readonly kind: "close";
      readonly key: string;
      readonly pause: string;
      readonly answer: Answer;
      readonly by?: Json | undefined;
    }
  /** Closes what waits in a child and below it, now and later; or cancels it. The key ends with that of the child. */
  | { readonly kind: "close-child"; readonly key: string; readonly child: string; readonly isCancelled: boolean };

export interface Leaf {
  readonly op: Op;
  readonly value?: Json;
  /** Whether the value was in the journal when the attempt began. */
  readonly isReplayed?: boolean;
}

/**
 * One attempt of one run. `issue` registers an operation; `select` gives the next settled one of all open ones, in an order
 * that replays. Nothing that is not in the journal starts before all of the journal was given. `select` rejects only when
 * the run was cancelled (`RunCancelledError`), its lease lost (`ExecutionLeaseLostError`), or its journal does not match the
 * code (`run.replay-mismatch`); it never settles again once the run was given up.
 */
export interface Kernel {
  readonly runId: string;
  readonly signal: AbortSignal;
  /** Where the journal lies: acts that this process has begun are told apart by it. */
  readonly place?: string;
  /** Whether its journal held anything when the attempt began. */
  readonly hasJournal: boolean;
  issue(op: Op): Leaf;
  select(open: readonly Leaf[]): Promise<Leaf>;
}

export interface PauseRef {
  readonly runId: string;
  readonly key: string;
}

/** A pause as it is stored. `request` never changes; `answer` is there once it was answered, expired or closed. */
export interface PauseRecord extends PauseRef {
  readonly request: PauseRequest;
  /** Epoch milliseconds. */
  readonly askedAt: number;
  readonly answer?: Answer;
  readonly answeredAt?: number;
  /** Who answered, as `answer` was told. */
  readonly answeredBy?: Json;
  /** In a list: why what is stored of it could not be read; then `request.data` is `null`. */
  readonly error?: Failure;
}

export interface PauseFilter {
  readonly id?: string;
  /** What the id of the request starts with. */
  readonly prefix?: string;
  readonly under?: string;
  /** Those too that were answered, expired or closed. */
  readonly answered?: boolean;
}

export type RunState = "queued" | "running" | "waiting" | "done" | "failed" | "cancelled";

/** What an engine knows of a run. Times are epoch milliseconds. */
export interface RunRecord {
  readonly runId: string;
  readonly flow: string;
  readonly state: RunState;
  readonly input: Json;
  /** What the flow returned, once the state is `done`. */
  readonly result?: Json;
  /** In a list also `engine.unreadable`, where what is stored could not be read; then `input` is `null`, whatever the state. */
  readonly error?: Failure;
  /** Of the code that started it: no other finishes it. */
  readonly version?: string;
  /** Of a child. */
  readonly parent?: string;
  readonly lane?: string;
  readonly createdAt: number;
  readonly endedAt?: number;
  /** Of the instance that moves it. */
  readonly lease?: RunLease;
}

/** Until when a run stays with the instance that moves it, should it not be heard of; `isOwn` where that is the one asked. */
export interface RunLease {
  readonly until: number;
  readonly isOwn: boolean;
}

export interface RunOrder {
  readonly flow: string;
  readonly runId: string;
  readonly input: Json;
  readonly version?: string;
  /** Runs of one lane go on one after the other, in the order they were started. */
  readonly lane?: string;
}

export interface RunFilter {
  readonly states?: readonly RunState[];
  readonly flow?: string;
  readonly lane?: string;
  /** The run of that id and all below it. */
  readonly under?: string;
  /** What the id starts with; those below such a run have it as well. */
  readonly prefix?: string;
  /** Newest first; default 100. */
  readonly limit?: number;
}

/** An entry of a journal, for those who look at a run. */
export interface JournalEntry {
  readonly seq: number;
  readonly key: string;
  readonly kind: Op["kind"];
  readonly at: number;
  readonly value: Json;
}

/**
 * Keeps runs. `start` is idempotent by `runId`; ids of children start with `${parent}/`; `answer` has exactly one winner
 * among a person, the expiry and the end of the run, also with nobody alive; `cancel` reaches children and needs no live
 * worker: from then on the state is `cancelled`, and whoever serves the flow next lets it end in good order.
 * Every method rejects where the store cannot be reached.
 */
export interface Engine {
  start(order: RunOrder): Promise<{ readonly fresh: boolean }>;
  status(runId: string): Promise<RunRecord | undefined>;
  /**
   * Resolves once the run has ended, whoever moves it. Rejects with the signal's reason. Keeps the process alive meanwhile,
   * unless whoever asks only wants to hear of it.
   */
  result(runId: string, signal?: AbortSignal, isQuiet?: boolean): Promise<RunRecord>;
  list(filter?: RunFilter): Promise<readonly RunRecord[]>;
  journal(runId: string): Promise<readonly JournalEntry[]>;
  /** Oldest first. `under`: of a run and all below it; `id`: that of the request. Without `answered` only those that wait. */
  pauses(filter?: PauseFilter): Promise<readonly PauseRecord[]>;
  answer(
    pause: PauseRef,
    value: Json,
    answeredBy?: Json,
  ): Promise<"accepted" | "answered" | "expired" | "closed" | "unknown">;
  /** False where there is no such run or it had ended. */
  cancel(runId: string, reason?: string): Promise<boolean>;
  /** Deletes ended runs with all below them; gives how many there were. */
  prune(filter: { readonly endedBefore: number }): Promise<number>;
  /**
   * Moves runs of these flows and of this version, those left by others too, until closed. `close` takes no further run,
   * lets steps under way settle for up to `drain` milliseconds (default 10,000), and gives the others' runs up.
   */
  serve(flows: Readonly<Record<string, Flow>>, options?: ServeOptions): Promise<Serving>;
  /** Conversations, kept beside the runs. */
  readonly threads: ThreadStore;
  close(): Promise<void>;
}

export interface ServeOptions {
  readonly version?: string;
  readonly clock?: Clock;
  /** Told of what goes wrong outside of any run: a version nobody here serves, a store that cannot be reached. */
  readonly log?: Log;
}

export interface Serving {
  /** Looks for runs at once, as one was started or answered in this process. */
  wake(): void;
  close(options?: { readonly drain?: number }): Promise<void>;
}
