// All writes of one turn of the event loop are one transaction: a commit costs a turn of the disk, whatever is in it.
// A write that throws fails alone; the others are made without it. A store that another process holds is tried again.
// It knows no tables. Whoever reads in a write reads what nobody else can change before the write is committed.

import { ToolpostError } from "../../core/errors.ts";
import { systemClock } from "../../std/clock.ts";
import { tell } from "../../std/report.ts";
import type { Database, Statement } from "./database.ts";
import { isBusy, preparedWhenUsed } from "./database.ts";

/** One write. `apply` may run twice, when another write of its transaction throws: what is kept is the last one. */
export interface Write {
  /** For those who watch commits. */
  readonly key: string;
  /** Within the transaction. */
  apply(): void;
  /** It is on disk. */
  committed(): void;
  /** Nothing of it is. */
  failed(error: unknown): void;
}

/** Called around each commit with the keys of its writes. A throw before fails them all. */
export type CommitHook = (when: "before" | "after", keys: readonly string[]) => void;

const texts = { begin: "begin immediate", commit: "commit", rollback: "rollback", version: "pragma data_version" };

export class GroupCommit {
  /**
   * Another value whenever whose run is whose may have changed, since another connection wrote, or `bump` was called.
   * Within a write it is up to date.
   */
  generation = 0;
  readonly #db: Database;
  readonly #statements: Readonly<Record<keyof typeof texts, Statement>>;
  readonly #onCommit: CommitHook | undefined;
  #seen = -1;
  #queue: Write[] = [];
  #isDue = false;
  /** Since when another process has held the store. */
  #busySince: number | undefined = undefined;
  #closed: ToolpostError | undefined = undefined;
  readonly #onTurn = (): void => {
    this.#isDue = false;
    this.flush();
  };

  constructor(db: Database, onCommit?: CommitHook) {
    this.#db = db;
    this.#statements = preparedWhenUsed(db, texts);
    this.#onCommit = onCommit;
  }

  add(write: Write): void {
    if (this.#closed !== undefined) return write.failed(this.#closed);
    this.#queue.push(write);
    if (this.#isDue || this.#busySince !== undefined) return;
    this.#isDue = true;
    setImmediate(this.#onTurn);
  }

  /** What `work` gave, once it is on disk. */
  run<T>(key: string, work: () => T): Promise<T> {
    return new Promise((resolve, reject) => {
      let value: T;
      this.add({
        key,
        apply: () => {
          value = work();
        },
        committed: () => resolve(value),
        failed: reject,
      });
    });
  }

  /** Says that this connection changes whose run is whose. */
  bump(): void {
    this.generation++;
  }

  /** Changes when another connection has written. */
  dataVersion(): number {
    return (this.#statements.version.get() as { readonly data_version: number }).data_version;
  }

  /** Makes what is queued one transaction now. */
  flush(): void {
    const batch = this.#queue;
    this.#queue = [];
    if (batch.length > 0) this.#make(batch);
  }

  /** What is queued is made, what comes later fails. */
  close(reason: ToolpostError): void {
    this.flush();
    this.#closed = reason;
    this.#fail(this.#queue.splice(0), reason);
  }

  #make(batch: readonly Write[]): void {
    try {
      this.#statements.begin.run();
    } catch (error) {
      return isBusy(error) ? this.#later(batch) : this.#fail(batch, error);
    }
    this.#busySince = undefined;
    try {
      const version = this.dataVersion();
      if (version !== this.#seen) {
        this.#seen = version;
        this.generation++;
      }
      for (const write of batch) write.apply();
      if (this.#onCommit !== undefined) this.#watched(batch, this.#onCommit);
      else this.#statements.commit.run();
    } catch (error) {
      if (this.#db.isTransaction) this.#statements.rollback.run();
      return batch.length === 1 ? this.#fail(batch, error) : this.#makeEach(batch);
    }
    for (const write of batch) tell(() => write.committed());
  }

  /** Only the guilty one is to fail. */
  #makeEach(batch: readonly Write[]): void {
    for (const [index, write] of batch.entries()) {
      this.#make([write]);
      // It waits for the store; what comes after it stays behind it.
      if (this.#busySince !== undefined) return void this.#queue.splice(1, 0, ...batch.slice(index + 1));
    }
  }

  #watched(batch: readonly Write[], onCommit: CommitHook): void {
    const keys = batch.map(({ key }) => key);
    onCommit("before", keys);
    this.#statements.commit.run();
    onCommit("after", keys);
  }

  /** Puts the batch back to the front of the queue, and tries all of it a moment later. */
  #later(batch: readonly Write[]): void {
    const now = performance.now();
    this.#busySince ??= now;
    if (now - this.#busySince > patienceMs) {
      this.#busySince = undefined;
      const message = `another process has held the store for ${patienceMs / 1_000} s`;
      return this.#fail([...batch, ...this.#queue.splice(0)], new ToolpostError("engine.unreachable", message));
    }
    this.#queue.unshift(...batch);
    systemClock.schedule(retryMs, () => this.flush());
  }

  #fail(batch: readonly Write[], error: unknown): void {
    for (const write of batch) tell(() => write.failed(error));
  }
}

const retryMs = 8;
const patienceMs = 10_000;
