// The embedded engine: runs in a SQLite file, moved by every process that serves their flows. Nothing to start, nothing to
// keep alive: whoever answers, cancels or looks needs the file alone.
// Other processes are noticed by asking SQLite whether somebody has written, which costs next to nothing.

import { ToolpostError } from "../../core/errors.ts";
import type {
  Engine,
  Flow,
  JournalEntry,
  PauseFilter,
  PauseRecord,
  PauseRef,
  RunFilter,
  RunOrder,
  RunRecord,
  ServeOptions,
  Serving,
} from "../../core/run.ts";
import type { ThreadStore } from "../../core/thread.ts";
import type { Timer } from "../../std/clock.ts";
import { systemClock } from "../../std/clock.ts";
import type { Json } from "../../std/json.ts";
import { answerPause } from "./answer.ts";
import { cancelRuns, reasonOf } from "./cancel.ts";
import { openFile } from "./open-file.ts";
import { pruneRuns } from "./prune.ts";
import { listPauses, listRuns, readJournal, recordOf } from "./records.ts";
import type { ServingHost } from "./serving.ts";
import { closedError, quietly, SqliteServing } from "./serving.ts";
import type { SqliteOptions, WatchedOptions } from "./sqlite-options.ts";
import { checkSqliteOptions } from "./sqlite-options.ts";
import { sqliteThreads } from "./sqlite-threads.ts";
import { insertRun } from "./start-run.ts";
import type { RunRow } from "./statements.ts";
import { Store } from "./store.ts";

const defaultLeaseMs = 30_000;
const pollMs = 50;
const pruneEveryMs = 3_600_000;

/**
 * An engine over a SQLite file, which is made where there is none.
 * @param path a file on a local disk; network file systems do not lock as SQLite needs it
 * @throws ToolpostError `engine.invalid`, `engine.cannot-open`, `engine.newer-schema`
 */
export function sqlite(path: string, options: SqliteOptions = {}): Engine {
  return openEngine(path, options);
}

/** An engine that keeps its runs as long as the process lives. */
export function memoryEngine(options: SqliteOptions = {}): Engine {
  return openEngine(":memory:", options);
}

export function openEngine(path: string, options: WatchedOptions): SqliteEngine {
  checkSqliteOptions(path, options);
  const { lease, clock, codec, retention, maxRuns = Number.POSITIVE_INFINITY, onCommit } = options;
  const db = openFile(path);
  const store = new Store(db, { clock: clock ?? systemClock, codec, leaseMs: lease?.ms ?? defaultLeaseMs, onCommit });
  return new SqliteEngine(store, { maxRuns, retentionMs: retention?.ms });
}

interface Limits {
  readonly maxRuns: number;
  readonly retentionMs: number | undefined;
}

export class SqliteEngine implements Engine, ServingHost {
  readonly maxRuns: number;
  readonly #store: Store;
  readonly #retentionMs: number | undefined;
  readonly #servings = new Set<SqliteServing>();
  /** Who waits for the end of a run. */
  readonly #waiters = new Map<string, Set<() => void>>();
  /** Those of them that the process is to live for. */
  #loud = 0;
  #threads: ThreadStore | undefined = undefined;
  #poll: NodeJS.Timeout | undefined = undefined;
  #seenVersion = 0;
  #pruning: Timer | undefined = undefined;
  #isClosed = false;

  constructor(store: Store, { maxRuns, retentionMs }: Limits) {
    this.#store = store;
    this.maxRuns = maxRuns;
    this.#retentionMs = retentionMs;
  }

  get threads(): ThreadStore {
    this.#threads ??= sqliteThreads({
      db: this.#store.db,
      commit: (write) => this.#store.commit.run("threads", write),
      codec: this.#store.payloads,
    });
    return this.#threads;
  }

  async start({ flow, runId, input, version = "", lane }: RunOrder): Promise<{ readonly fresh: boolean }> {
    this.#mustBeOpen();
    const store = this.#store;
    const stored = store.payloads.write("input", input);
    const fresh = await store.commit.run(`${runId}:start`, () =>
      insertRun(store, { id: runId, flow, version, lane: lane ?? null, parent: null, input: stored }),
    );
    if (fresh) this.wake(runId);
    return { fresh };
  }

  async status(runId: string): Promise<RunRecord | undefined> {
    this.#mustBeOpen();
    const row = await this.#row(runId);
    return row === undefined ? undefined : recordOf(this.#store, row);
  }

  async result(runId: string, signal?: AbortSignal, isQuiet = false): Promise<RunRecord> {
    this.#mustBeOpen();
    for (;;) {
      signal?.throwIfAborted();
      const row = await this.#row(runId);
      if (row === undefined) throw new ToolpostError("run.unknown", `there is no run \`${runId}\``);
      if (row.ended_at !== null) return recordOf(this.#store, row);
      await this.#nextChange(runId, signal, isQuiet);
      this.#mustBeOpen();
    }
  }

  async list(filter: RunFilter = {}): Promise<readonly RunRecord[]> {
    this.#mustBeOpen();
    return listRuns(this.#store, filter);
  }

  async journal(runId: string): Promise<readonly JournalEntry[]> {
    this.#mustBeOpen();
    return readJournal(this.#store, runId);
  }

  async pauses(filter: PauseFilter = {}): Promise<readonly PauseRecord[]> {
    this.#mustBeOpen();
    return listPauses(this.#store, filter);
  }

  async answer(
    pause: PauseRef,
    value: Json,
    answeredBy?: Json,
  ): Promise<"accepted" | "answered" | "expired" | "closed" | "unknown"> {
    this.#mustBeOpen();
    const outcome = await answerPause(this.#store, pause, value, answeredBy);
    if (outcome === "accepted" || outcome === "expired") this.wake(pause.runId);
    return outcome;
  }

  async cancel(runId: string, reason = "the run was cancelled"): Promise<boolean> {
    this.#mustBeOpen();
    const store = this.#store;
    const cancelled = await store.commit.run(`${runId}:cancel`, () => {
      const row = store.statements.run.get(runId) as RunRow | undefined;
      return row === undefined || row.ended_at !== null
        ? undefined
        : ([cancelRuns(store, runId, reason, true), row] as const);
    });
    if (cancelled === undefined) return false;
    const [ids, { parent }] = cancelled;
    for (const id of ids) {
      this.wake(id);
      this.ended(id);
    }
    if (parent !== null) this.wake(parent);
    return true;
  }

  async prune({ endedBefore }: { readonly endedBefore: number }): Promise<number> {
    this.#mustBeOpen();
    return pruneRuns(this.#store, endedBefore);
  }

  async serve(flows: Readonly<Record<string, Flow>>, options: ServeOptions = {}): Promise<Serving> {
    this.#mustBeOpen();
    if (options.clock !== undefined) this.#store.clock = options.clock;
    const serving = new SqliteServing(this.#store, this, flows, options);
    this.#servings.add(serving);
    this.#watch();
    this.#startPruning();
    serving.wake();
    return serving;
  }

  async close(): Promise<void> {
    if (this.#isClosed) return;
    await Promise.all([...this.#servings].map((serving) => serving.close()));
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#pruning?.cancel();
    clearInterval(this.#poll);
    for (const runId of [...this.#waiters.keys()]) this.ended(runId);
    this.#store.commit.close(closedError());
    this.#store.db.close();
  }

  wake(runId: string): void {
    for (const serving of this.#servings) {
      const attempt = serving.attempts.get(runId);
      if (attempt === undefined) serving.wake();
      else attempt.notice();
    }
  }

  ended(runId: string): void {
    // Its lane is free, also for flows of another serving.
    for (const serving of this.#servings) serving.wake();
    const waiters = this.#waiters.get(runId);
    if (waiters === undefined) return;
    this.#waiters.delete(runId);
    for (const waiter of waiters) waiter();
    this.#watch();
  }

  closed(serving: SqliteServing): void {
    this.#servings.delete(serving);
    this.#watch();
  }

  #mustBeOpen(): void {
    if (this.#isClosed) throw closedError();
  }

  /** A run that was cancelled while an instance moved it that is gone needs nobody to be over. */
  async #row(runId: string): Promise<RunRow | undefined> {
    const { statements, commit, clock } = this.#store;
    const read = () => statements.run.get(runId) as RunRow | undefined;
    const row = read();
    if (row === undefined || row.ended_at !== null || row.cancel === null || row.due! > clock.now()) return row;
    await commit.run(`${runId}:cancel`, () => {
      if (read()?.ended_at === null) cancelRuns(this.#store, runId, reasonOf(this.#store, row) as string, true);
    });
    return read();
  }

  /** Resolves when the run may have ended. */
  #nextChange(runId: string, signal: AbortSignal | undefined, isQuiet: boolean): Promise<void> {
    return new Promise((resolve, reject) => {
      const waiters = this.#waiters.get(runId) ?? new Set();
      this.#waiters.set(runId, waiters);
      const letGo = (): void => {
        waiters.delete(waiter);
        if (!isQuiet) this.#loud--;
        if (waiters.size === 0 && this.#waiters.get(runId) === waiters) this.#waiters.delete(runId);
        signal?.removeEventListener("abort", abort);
        this.#watch();
      };
      const waiter = (): void => {
        letGo();
        resolve();
      };
      const abort = (): void => {
        letGo();
        reject(signal?.reason);
      };
      waiters.add(waiter);
      if (!isQuiet) this.#loud++;
      signal?.addEventListener("abort", abort, { once: true });
      this.#watch();
    });
  }

  /** Asks whether another process has written, as long as anybody here wants to know; keeps the process alive for those alone who wait. */
  #watch(): void {
    if (this.#isClosed || (this.#servings.size === 0 && this.#waiters.size === 0)) {
      clearInterval(this.#poll);
      this.#poll = undefined;
      return;
    }
    if (this.#poll === undefined) {
      // Of no version yet: somebody may have written between the look that led here and now.
      this.#seenVersion = -1;
      this.#poll = setInterval(() => this.#lookForOthers(), pollMs);
    }
    if (this.#loud > 0) this.#poll.ref();
    else this.#poll.unref();
  }

  #lookForOthers(): void {
    let version: number;
    try {
      version = this.#store.commit.dataVersion();
    } catch {
      // It cannot be read now; leases say when that lasts too long.
      return;
    }
    if (version === this.#seenVersion) return;
    this.#seenVersion = version;
    for (const serving of this.#servings) serving.noticeAll();
    for (const runId of [...this.#waiters.keys()]) this.ended(runId);
  }

  #startPruning(): void {
    const retentionMs = this.#retentionMs;
    if (retentionMs === undefined || this.#pruning !== undefined) return;
    const prune = (): void => {
      if (this.#isClosed) return;
      // What it could not delete it deletes the next time.
      void pruneRuns(this.#store, this.#store.clock.now() - retentionMs).catch(() => undefined);
      this.#pruning = quietly(this.#store, pruneEveryMs, prune);
    };
    prune();
  }
}
