// Moves the runs of some flows: claims those that are due, keeps the leases of those it moves, and gives them up when it is
// closed. A run is claimed by one instance at a time, in one transaction, with a token that goes up.
// It claims runs of its own version alone; of others it tells the log once.

import { ToolpostError } from "../../core/errors.ts";
import type { Flow, ServeOptions, Serving } from "../../core/run.ts";
import type { Timer } from "../../std/clock.ts";
import { systemClock } from "../../std/clock.ts";
import type { AttemptHost } from "./attempt.ts";
import { SqliteAttempt } from "./attempt.ts";
import type { Claim } from "./fence.ts";
import type { EntryRow, RunRow } from "./statements.ts";
import type { Store } from "./store.ts";

/** What a serving tells its engine. */
export interface ServingHost {
  readonly maxRuns: number;
  /** A run may go on; whoever moves it, or could, looks. */
  wake(runId: string): void;
  /** A run has ended here. */
  ended(runId: string): void;
  closed(serving: SqliteServing): void;
}

/** As many are claimed by one transaction. */
const claimedAtOnce = 100;
const defaultDrainMs = 10_000;

export class SqliteServing implements Serving, AttemptHost {
  /** By the id of their run. */
  readonly attempts: Map<string, SqliteAttempt> = new Map<string, SqliteAttempt>();
  readonly #store: Store;
  readonly #host: ServingHost;
  readonly #flows: ReadonlyMap<string, Flow>;
  /** The names of the flows, as statements take them. */
  readonly #served: string;
  readonly #version: string;
  readonly #log: ServeOptions["log"];
  readonly #told = new Set<string>();
  #tellAgain = 0;
  /** When the first lease of a run of another version is over; infinite where there is none. */
  #nextLost: number = Number.POSITIVE_INFINITY;
  #isDue = false;
  #isClaiming = false;
  #beat: Timer | undefined = undefined;
  #awake: NodeJS.Timeout | undefined = undefined;
  #next: Timer | undefined = undefined;
  #closed: PromiseWithResolvers<void> | undefined = undefined;

  constructor(store: Store, host: ServingHost, flows: Readonly<Record<string, Flow>>, options: ServeOptions) {
    this.#store = store;
    this.#host = host;
    this.#flows = new Map(Object.entries(flows));
    this.#served = JSON.stringify([...this.#flows.keys()]);
    this.#version = options.version ?? "";
    this.#log = options.log;
  }

  wake(): void {
    if (this.#isDue || this.#closed !== undefined) return;
    this.#isDue = true;
    setImmediate(() => {
      this.#isDue = false;
      this.#look();
    });
  }

  async close({ drain = defaultDrainMs }: { readonly drain?: number } = {}): Promise<void> {
    if (this.#closed === undefined) {
      this.#closed = Promise.withResolvers();
      this.#next?.cancel();
      for (const attempt of [...this.attempts.values()]) attempt.drain(drain);
      this.#finishClose();
    }
    await this.#closed.promise;
    // What gives the runs up is on disk.
    await this.#store.commit.run("close", () => undefined).catch(() => undefined);
    this.#host.closed(this);
  }

  #finishClose(): void {
    if (this.attempts.size > 0 || this.#isClaiming) return;
    this.#closed?.resolve();
  }

  over(attempt: SqliteAttempt, how: "ended" | "rested" | "left"): void {
    // It may have been claimed again by then.
    if (this.attempts.get(attempt.runId) === attempt) this.attempts.delete(attempt.runId);
    // It would keep the process alive.
    if (this.attempts.size === 0) this.#stopBeat();
    if (how === "ended") this.#host.ended(attempt.runId);
    if (this.#closed !== undefined) this.#finishClose();
    else this.wake();
  }

  /** Of an attempt here: whoever could move the run may be another serving of the engine. */
  wakeRun(runId: string): void {
    this.#host.wake(runId);
  }

  report(message: string, error: unknown): void {
    this.#tell("error", message, error);
  }

  /** Another instance has written something. */
  noticeAll(): void {
    for (const attempt of [...this.attempts.values()]) attempt.notice();
    this.wake();
  }

  #look(): void {
    if (this.#closed !== undefined || this.#isClaiming) return;
    const { statements, clock } = this.#store;
    const now = clock.now();
    try {
      this.#tellOthers(now);
      const room = Math.min(this.#host.maxRuns - this.attempts.size, claimedAtOnce);
      if (room <= 0) return;
      if (statements.claimable.get(this.#served, this.#version, now, this.#served, 1) === undefined) this.#arm(now);
      else void this.#claim(room);
    } catch (error) {
      this.report("the store could not be read", error);
      this.#later(1_000);
    }
  }

  async #claim(room: number): Promise<void> {
    this.#isClaiming = true;
    const claims: Claim[] = [];
    try {
      await this.#store.commit.run("claim", () => this.#take(room, claims));
    } catch (error) {
      claims.length = 0;
      this.report("runs could not be claimed", error);
    }
    this.#isClaiming = false;
    for (const claim of claims) this.#begin(claim);
    if (this.#closed !== undefined) this.#finishClose();
    // There may be more; where the store failed, not at once.
    else if (claims.length > 0) this.wake();
    else this.#later(1_000);
  }

  /** Within a write. */
  #take(room: number, claims: Claim[]): void {
    const { statements, clock, owner, leaseMs, commit } = this.#store;
    claims.length = 0;
    const now = clock.now();
    const leaseUntil = now + leaseMs;
    for (const row of statements.claimable.all(
      this.#served,
      this.#version,
      now,
      this.#served,
      room,
    ) as unknown as RunRow[]) {
      statements.claim.run(owner, leaseUntil, row.number);
      // A run that nobody has moved yet has nothing to read.
      const isNew = row.token === 0;
      const entries = isNew ? [] : (statements.entries.all(row.number) as unknown as EntryRow[]);
      const pauses = isNew ? [] : statements.pausesOf.all(row.number).map(({ key }) => String(key));
      claims.push({ row, token: row.token + 1, leaseUntil, entries, pauses });
    }
    if (claims.length > 0) commit.bump();
  }

  #begin(claim: Claim): void {
    const attempt = new SqliteAttempt(this.#store, this, claim);
    // One whose lease ran out here, and that this very engine has claimed again.
    this.attempts.get(attempt.runId)?.checkLease();
    this.attempts.set(attempt.runId, attempt);
    this.#startBeat();
    void attempt.run(this.#flows.get(claim.row.flow) as Flow);
    if (this.#closed !== undefined) attempt.drain(0);
  }

  /** Keeps the leases while anything is moved. */
  #startBeat(): void {
    const { clock, leaseMs } = this.#store;
    // A clock moved by hand keeps no process alive, and what is under way here is to settle.
    if (clock !== systemClock) this.#awake ??= setInterval(() => undefined, longestDelay);
    this.#beat ??= clock.schedule(leaseMs / 3, () => {
      this.#beat = undefined;
      for (const attempt of [...this.attempts.values()]) attempt.checkLease();
      if (this.attempts.size === 0) return;
      this.#startBeat();
      this.#keepLeases();
    });
  }

  #stopBeat(): void {
    this.#beat?.cancel();
    this.#beat = undefined;
    clearInterval(this.#awake);
    this.#awake = undefined;
  }

  #keepLeases(): void {
    const { commit, statements, clock, leaseMs, owner } = this.#store;
    const kept = [...this.attempts.values()];
    let leaseUntil = 0;
    commit.add({
      key: "beat",
      apply: () => {
        const now = clock.now();
        leaseUntil = now + leaseMs;
        // One that ran out stays so: it was lost here already.
        statements.beat.run(leaseUntil, owner, now);
      },
      committed: () => {
        for (const attempt of kept) attempt.keep(leaseUntil);
      },
      failed: (error) => this.report("the leases of runs could not be kept", error),
    });
  }

  /** Looks again when the first timer, or the first lease of another instance, is over. */
  #arm(now: number): void {
    const row = this.#store.statements.nextDue.get(this.#version, now, this.#served) as { readonly due: number | null };
    this.#next?.cancel();
    this.#next = undefined;
    const due = Math.min(row.due ?? Number.POSITIVE_INFINITY, this.#nextLost);
    if (Number.isFinite(due)) this.#later(due - now);
  }

  #later(ms: number): void {
    this.#next?.cancel();
    this.#next = quietly(this.#store, ms, () => this.wake());
  }

  #tellOthers(now: number): void {
    if (now < this.#tellAgain) return;
    const { statements, owner } = this.#store;
    const [flows, own] = [this.#served, this.#version];
    const lost = statements.nextLost.get(owner, owner, now, own, flows) as { readonly due: number | null };
    this.#nextLost = lost.due ?? Number.POSITIVE_INFINITY;
    if (statements.otherVersion.get(flows, own, now, own, now) === undefined) return;
    for (const row of statements.otherVersions.all(flows, own, now) as unknown as OtherVersion[])
      this.#tellVersion(row);
    // They lie there until somebody serves them: to count them at each turn would cost for nothing.
    this.#tellAgain = now + 1_000;
  }

  #tellVersion({ flow, version, count, id }: OtherVersion): void {
    const key = JSON.stringify([flow, version]);
    if (this.#told.has(key)) return;
    this.#told.add(key);
    const runs = count === 1 ? `run ${id} was` : `${count} runs, of which ${id} is the first, were`;
    const theirs = version === "" ? "without a version" : `by version \`${version}\``;
    const ours = this.#version === "" ? "none" : `\`${this.#version}\``;
    this.#tell(
      "warn",
      `of the flow \`${flow}\`, ${runs} started ${theirs}, and this instance serves ${ours}: ` +
        "keep an instance of that version until they have ended, or cancel them",
    );
  }

  #tell(level: "warn" | "error", message: string, error?: unknown): void {
    try {
      this.#log?.({ level, message, error });
    } catch {
      // A log that throws is its own affair.
    }
  }
}

interface OtherVersion {
  readonly flow: string;
  readonly version: string;
  readonly count: number;
  readonly id: string;
}

/** On the machine's clock a timer that does not keep the process alive: a run that sleeps for days must not. */
export function quietly({ clock }: Pick<Store, "clock">, ms: number, callback: () => void): Timer {
  const delay = Math.min(Math.max(ms, 0), longestDelay);
  if (clock !== systemClock) return clock.schedule(delay, callback);
  const timer = setTimeout(callback, delay);
  timer.unref();
  return { cancel: () => clearTimeout(timer) };
}

/** Node makes 1 ms of a longer one. Whoever looks too early looks again. */
const longestDelay: number = 2 ** 31 - 1;

export function closedError(): ToolpostError {
  return new ToolpostError(
    "engine.closed",
    "the engine is closed; it closes with any application that has it: give each one of its own",
  );
}
