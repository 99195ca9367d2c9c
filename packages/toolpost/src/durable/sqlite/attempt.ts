// One instance's go at one run, and the kernel that the scheduler drives it by. Each of its writes is made only if the run
// is still its own and was not cancelled, in the transaction of the write. What others do (answers, children, time) becomes
// an entry when it is seen here: that fixes its place in the order.
// Nothing new starts before all of the journal was given, nor once the lease has run out on this machine's clock.

import { ToolpostError } from "../../core/errors.ts";
import { failureOf } from "../../core/failure.ts";
import type { Attempt, Failure, Flow, Kernel, Leaf, Op } from "../../core/run.ts";
import { ExecutionLeaseLostError } from "../../core/run-errors.ts";
import type { Timer } from "../../std/clock.ts";
import type { Json } from "../../std/json.ts";
import { tell } from "../../std/report.ts";
import { drive } from "../drive.ts";
import { forgetActs } from "../operations.ts";
import { AttemptWrites } from "./attempt-writes.ts";
import { cancelledError, closedValue } from "./cancel.ts";
import { isStoreTrouble } from "./database.ts";
import type { Claim } from "./fence.ts";
import { Fence } from "./fence.ts";
import { Journal, OpLeaf } from "./journal.ts";
import type { Came } from "./outside.ts";
import { Outside } from "./outside.ts";
import type { Stored } from "./payloads.ts";
import type { RunRow } from "./statements.ts";
import type { Store } from "./store.ts";

/** What an attempt tells whoever made it. */
export interface AttemptHost {
  /** It is no longer under way here. `ended` where the run is over, `rested` where all of it waits. */
  over(attempt: SqliteAttempt, how: "ended" | "rested" | "left"): void;
  /** A run was started or may go on. */
  wakeRun(runId: string): void;
  /** What went wrong and is no outcome of the run. */
  report(message: string, error: unknown): void;
}

/** How long a cancelled flow has to end in good order. */
const closingMs = 10_000;

export class SqliteAttempt implements Kernel, Attempt {
  readonly runId: string;
  readonly hasJournal: boolean;
  readonly #store: Store;
  readonly #host: AttemptHost;
  readonly #row: RunRow;
  readonly #fence: Fence;
  readonly #journal: Journal;
  readonly #outside: Outside;
  readonly #writes: AttemptWrites;
  readonly #abort = new AbortController();
  readonly #onCancel: ((reason: string) => void)[] = [];
  readonly #onRest: (() => void)[] = [];
  /** Its signal goes to steps: they hear of a cancel too. */
  #steps = new AbortController();
  #starts: OpLeaf[] = [];
  #open: readonly Leaf[] = [];
  /** There while the scheduler waits. */
  #selected: PromiseWithResolvers<Leaf> | undefined = undefined;
  /** Steps that run and writes that are not on disk yet. */
  #underWay = 0;
  #hasChildren = false;
  #isClosing = false;
  #isDraining = false;
  /** Its end is on the way to the disk. */
  #isEnding = false;
  /** The flow gets nothing more. */
  #isHalted = false;
  /** The run is no longer this attempt's. */
  #isOver = false;
  #timer: Timer | undefined = undefined;
  #timerAt: number = Number.POSITIVE_INFINITY;
  #limit: Timer | undefined = undefined;

  constructor(store: Store, host: AttemptHost, claim: Claim) {
    this.#store = store;
    this.#host = host;
    this.#row = claim.row;
    this.#fence = new Fence(store, claim);
    this.runId = claim.row.id;
    this.#journal = new Journal(claim.entries, (stored) => store.payloads.read(stored));
    this.hasJournal = claim.entries.length > 0;
    this.#outside = new Outside(store, this.runId, claim.row.number, claim.pauses);
    const run = { row: this.#row, fence: this.#fence, journal: this.#journal, outside: this.#outside };
    this.#writes = new AttemptWrites(store, run);
  }

  get place(): string {
    return this.#store.place;
  }

  get signal(): AbortSignal {
    return this.#abort.signal;
  }

  onCancel(listener: (reason: string) => void): void {
    this.#onCancel.push(listener);
  }

  onRest(listener: () => void): void {
    this.#onRest.push(listener);
  }

  leave(reason: unknown): void {
    this.#leaveFor("it could not be gone on with", reason);
  }

  /** Moves the run as far as it goes. Never rejects. */
  async run(flow: Flow): Promise<void> {
    const { payloads, clock } = this.#store;
    // One that waits for nothing of ours would never be asked.
    if (this.#fence.cancel !== undefined) this.#limitClosing();
    let input: Json;
    try {
      input = payloads.read(this.#row.input);
    } catch (error) {
      return this.#stumble(error);
    }
    try {
      const result = await drive(this, flow, input, { attempt: this, clock });
      const leftOut = this.#fence.cancel === undefined ? this.#journal.leftOut() : undefined;
      if (leftOut !== undefined) throw leftOut;
      this.#end("done", result);
    } catch (error) {
      this.#end("failed", failureOf(error));
    }
  }

  issue(op: Op): Leaf {
    const leaf = new OpLeaf(op);
    if (!this.#journal.ask(leaf)) this.#starts.push(leaf);
    return leaf;
  }

  select(open: readonly Leaf[]): Promise<Leaf> {
    this.#open = open;
    const replayed = this.#isHalted || this.#isDraining ? undefined : this.#journal.replayed(open);
    if (replayed !== undefined) return Promise.resolve(replayed);
    this.#selected = Promise.withResolvers();
    const { promise } = this.#selected;
    this.#go();
    return promise;
  }

  /** Something may have changed: an answer, a child's end, a cancel, another owner. */
  notice(): void {
    if (this.#isHalted) return;
    this.#fence.forget();
    this.#outside.mayHaveCome = true;
    try {
      this.#fence.check();
    } catch {
      // It cannot be read now; the next write looks again, and leases say when that lasts too long.
      return;
    }
    this.#go();
  }

  /** Lets what runs settle, begins nothing, and gives the run up; at once after `ms`. */
  drain(ms: number): void {
    if (this.#isOver) return;
    this.#isDraining = true;
    this.#limit?.cancel();
    if (!(ms > 0)) return this.#leave();
    this.#limit = this.#store.clock.schedule(ms, () => this.#leave());
    this.#go();
  }

  /** Its lease was moved on in the store. */
  keep(leaseUntil: number): void {
    this.#fence.keep(leaseUntil);
  }

  /** Ends the attempt where its lease is over; called in time by whoever beats. */
  checkLease(): void {
    if (!this.#isOver && this.#fence.isLate) this.#lose();
  }

  /** Goes on as far as there is something to go on with. */
  #go(): void {
    if (this.#isHalted) return;
    if (this.#fence.isLost || this.#fence.isLate) return this.#lose();
    const selected = this.#selected;
    const isAsked = selected !== undefined;
    if (this.#fence.cancel !== undefined && !this.#isClosing && this.#journal.isGiven && (isAsked || this.#isLive)) {
      this.#close(this.#fence.cancel);
      if (this.#isHalted) return;
    }
    if (!isAsked) return;
    let leaf: OpLeaf | undefined;
    try {
      leaf = this.#isDraining ? this.#nextUnderWay() : this.#next();
    } catch (error) {
      return this.#fail(error);
    }
    if (leaf !== undefined) {
      this.#selected = undefined;
      return selected.resolve(leaf);
    }
    if (this.#isDraining && this.#underWay === 0) return this.#leave();
    if (this.#isHalted || this.#isClosing || this.#isDraining) return;
    this.#look();
    if (this.#underWay === 0 && !this.#isHalted) this.#rest();
  }

  get #isLive(): boolean {
    return this.#row.cancel === null;
  }

  #next(): OpLeaf | undefined {
    const leaf = this.#journal.next(this.#open);
    if (leaf !== undefined) return leaf;
    if (this.#fence.cancel !== undefined && !this.#isClosing) this.#close(this.#fence.cancel);
    if (this.#isHalted) return undefined;
    const starts = this.#starts;
    if (starts.length === 0 && !this.#isClosing) return undefined;
    this.#starts = [];
    for (const start of starts) this.#start(start);
    return this.#isClosing && !this.#isHalted ? this.#journal.next(this.#open) : undefined;
  }

  /**
   * While it drains, what has settled is given, so that the flow tells of it, and nothing is begun; but what is announced
   * would be taken for begun by whoever goes on.
   */
  #nextUnderWay(): OpLeaf | undefined {
    const leaf = this.#journal.next(this.#open);
    if (leaf !== undefined) return leaf;
    const announced = this.#starts.filter(({ op }) => op.kind === "step" && op.isAnnounced === true);
    this.#starts = this.#starts.filter((start) => !announced.includes(start));
    for (const start of announced) this.#start(start);
    return undefined;
  }

  #start(leaf: OpLeaf): void {
    if (this.#isHalted) return;
    const { op } = leaf;
    if (op.kind === "step") return this.#startStep(leaf, op.fn);
    if (this.#isClosing) return this.#journal.settle(leaf, closedValue(op));
    if (op.kind === "close") return this.#append(leaf, null, () => this.#outside.close(op));
    if (op.kind === "close-child")
      return this.#append(leaf, null, () => this.#outside.closeChild(op.child, op.isCancelled));
    this.#outside.add(leaf);
    if (op.kind === "pause" && !this.#outside.isAsked(op.key))
      this.#write(op.key, this.#outside.asking(op.key, op.request));
    if (op.kind === "child") {
      this.#hasChildren = true;
      this.#write(op.key, this.#outside.starting(op.key, op.flow, op.input, this.#row.version), () =>
        this.#host.wakeRun(`${this.runId}/${op.key}`),
      );
    }
  }

  #startStep(leaf: OpLeaf, fn: (signal: AbortSignal) => Promise<Json>): void {
    if (this.#fence.isLate) return this.#lose();
    this.#underWay++;
    fn(this.#steps.signal).then(
      (value) => {
        this.#underWay--;
        if (this.#isHalted) return;
        if (!this.#isClosing) return this.#append(leaf, value);
        this.#journal.settle(leaf, value);
        this.#go();
      },
      (error: unknown) => {
        this.#underWay--;
        if (!this.#isHalted) this.#fail(error);
      },
    );
  }

  /** Makes a settled operation an entry, then gives it. Of a run that was cancelled it is given alone. */
  #append(leaf: OpLeaf, value: Json, also?: () => void): void {
    let stored: Stored;
    try {
      stored = this.#store.payloads.write(leaf.op.kind, value, true);
    } catch (error) {
      return this.#stumble(error);
    }
    this.#commit(
      leaf.op.key,
      () => this.#writes.entry(leaf, stored, also),
      () => {
        if (also !== undefined) this.#outside.mayHaveCome = true;
        this.#journal.settle(leaf, value);
      },
    );
  }

  /** A write that is no entry. */
  #write(key: string, apply: () => void, committed?: () => void): void {
    this.#commit(key, () => this.#writes.other(apply), committed);
  }

  /** Goes on once it is on disk. */
  #commit(key: string, apply: () => void, committed?: () => void): void {
    this.#underWay++;
    this.#store.commit.add({
      key: `${this.runId}/${key}`,
      apply,
      committed: () => {
        this.#underWay--;
        committed?.();
        this.#go();
      },
      failed: (error) => this.#failedWrite(error),
    });
  }

  #failedWrite(error: unknown): void {
    this.#underWay--;
    if (!this.#isHalted) this.#fail(error);
  }

  /** Takes what came from outside. Several at once are entries of one transaction, in the order they came. */
  #look(): void {
    let came: readonly Came[];
    try {
      came = this.#outside.take(this.#open);
    } catch (error) {
      return this.#stumble(error);
    }
    for (const { leaf, value } of came) this.#append(leaf, value);
    this.#arm();
  }

  /** While something is under way, the first timer wakes it; a run that is given up is claimed when it is due. */
  #arm(): void {
    const { nextTimer } = this.#outside;
    if (this.#isHalted || nextTimer === this.#timerAt) return;
    this.#timer?.cancel();
    this.#timerAt = nextTimer;
    if (nextTimer === Number.POSITIVE_INFINITY) return;
    const { clock } = this.#store;
    this.#timer = clock.schedule(Math.max(0, nextTimer - clock.now()), () => {
      this.#timerAt = Number.POSITIVE_INFINITY;
      this.#go();
    });
  }

  /** All of it waits: gives the run up, in one transaction that sees what came meanwhile. */
  #rest(): void {
    let isRested = false;
    // As it is now: a timer that comes due before the write is one that whoever claims the run next must still see.
    const { nextTimer } = this.#outside;
    this.#underWay++;
    this.#store.commit.add({
      key: `${this.runId}:rest`,
      apply: () => {
        isRested = this.#writes.rest(this.#open, nextTimer);
      },
      committed: () => {
        this.#underWay--;
        if (!isRested) {
          this.#outside.mayHaveCome = true;
          return this.#go();
        }
        this.#finish("rested");
        for (const listener of this.#onRest) tell(listener);
      },
      failed: (error) => this.#failedWrite(error),
    });
  }

  /** The run was cancelled: a flow that can ends itself, any other is left where it stands. */
  #close(reason: string): void {
    const error = cancelledError(reason);
    if (this.#onCancel.length === 0) return this.#halt(error);
    this.#isClosing = true;
    this.#limitClosing();
    const steps = this.#steps;
    this.#steps = new AbortController();
    steps.abort(error);
    for (const leaf of this.#outside.leaves()) this.#journal.settle(leaf, closedValue(leaf.op));
    for (const listener of this.#onCancel) tell(() => listener(reason));
  }

  #limitClosing(): void {
    this.#limit?.cancel();
    this.#limit = this.#store.clock.schedule(closingMs, () => this.#halt(cancelledError(this.#fence.cancel ?? "")));
  }

  /** Ends what the flow gets: the scheduler rejects with the reason, and steps hear of it. */
  #halt(reason: unknown): void {
    this.#isHalted = true;
    if (this.#abort.signal.aborted) return;
    this.#selected?.reject(reason);
    this.#selected = undefined;
    this.#timer?.cancel();
    this.#abort.abort(reason);
    this.#steps.abort(reason);
  }

  /** The flow ended, or was halted for a reason that ends the run. */
  #end(state: "done", outcome: Json): void;
  #end(state: "failed", outcome: Failure): void;
  #end(state: "done" | "failed", outcome: Json | Failure): void {
    if (this.#isOver) return;
    this.#isHalted = true;
    this.#isEnding = true;
    const { commit, payloads } = this.#store;
    let stored: Stored;
    try {
      stored = payloads.write(state === "done" ? "result" : "error", outcome as Json);
    } catch (error) {
      return this.#stumble(error);
    }
    let below: readonly string[] | false = false;
    commit.add({
      key: `${this.runId}:end`,
      apply: () => {
        below = this.#writes.end(state, stored, this.#hasChildren);
      },
      committed: () => {
        if (below === false) return this.#lose();
        this.#finish("ended");
        // What still runs belongs to nobody.
        if (this.#underWay > 0) this.#steps.abort(cancelledError("the run has ended"));
        for (const id of below) this.#host.wakeRun(id);
        if (this.#row.parent !== null) this.#host.wakeRun(this.#row.parent);
      },
      failed: (error) => this.#stumble(error),
    });
  }

  /** Trouble with the store is no outcome of the run. */
  #fail(error: unknown): void {
    if (isStoreTrouble(error)) this.#stumble(error);
    else this.#halt(error);
  }

  #lose(): void {
    this.#fence.isLost = true;
    const error = new ExecutionLeaseLostError(this.runId);
    this.#halt(error);
    this.#finish("left");
  }

  /** The instance closes: others are to go on with the run at once. */
  #leave(): void {
    if (this.#isEnding) return;
    this.#release(0);
    this.#halt(new ToolpostError("engine.closed", `the engine that moved run ${this.runId} was closed`));
    this.#finish("left");
  }

  /** The store or the codec failed, which is no outcome of the run. */
  #stumble(error: unknown): void {
    this.#leaveFor("its store or codec failed", error);
  }

  /** It is left for a while, then tried again. */
  #leaveFor(why: string, error: unknown): void {
    if (this.#isOver) return;
    this.#host.report(`run ${this.runId} is given up for now: ${why}`, error);
    this.#release(this.#store.clock.now() + this.#store.leaseMs);
    this.#halt(error);
    this.#finish("left");
  }

  #release(due: number): void {
    this.#store.commit.add({
      key: `${this.runId}:release`,
      apply: () => this.#writes.release(due),
      committed: () => this.#host.wakeRun(this.runId),
      // Its lease ends by itself.
      failed: () => undefined,
    });
  }

  #finish(how: "ended" | "rested" | "left"): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#isHalted = true;
    if (how === "ended") forgetActs(this);
    this.#timer?.cancel();
    this.#limit?.cancel();
    this.#host.over(this, how);
  }
}
