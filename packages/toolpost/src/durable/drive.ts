// The one scheduler: `Run`, written over a kernel of two functions. It runs one branch until that waits or ends, then asks
// the kernel what settled next; so branches of many steps take the same path on every replay, whatever keeps the journal.
// It alone waits for the kernel. A second wait in one branch (a native Promise.all) fails the whole run: no replay could
// tell which of the two came first.

import { ToolpostError } from "../core/errors.ts";
import { failureOf } from "../core/failure.ts";
import type { Attempt, Flow, Kernel, Leaf, Run } from "../core/run.ts";
import type { Clock } from "../std/clock.ts";
import { systemClock } from "../std/clock.ts";
import type { Json } from "../std/json.ts";
import { toJson } from "../std/json.ts";
import type { Soon } from "../std/soon.ts";
import { isPromiseLike } from "../std/soon.ts";
import type { Perform } from "./operations.ts";
import { stepLeaf } from "./operations.ts";
import type { Scheduling } from "./scheduled-run.ts";
import { QuietWait, ScheduledRun } from "./scheduled-run.ts";
import type { Operation, Outcome, Wait } from "./unit.ts";
import { Fiber, Unit } from "./unit.ts";

export interface DriveOptions {
  /** Handed to the flow; without it one of a kernel that neither cancels nor gives up. */
  readonly attempt?: Attempt;
  readonly clock?: Clock;
}

/**
 * Runs a flow to its end over one kernel, from the journal as far as that reaches. Resolves with what the flow returned, as
 * JSON. Rejects with what the flow threw, with `run.misuse`, or with what the kernel gave up for: `select` threw, or its
 * signal fired while the flow waited for something of its own.
 */
export function drive(kernel: Kernel, flow: Flow, input: Json, options: DriveOptions = {}): Promise<Json> {
  return new Scheduler(kernel, options.clock ?? systemClock).drive(flow, input, options.attempt ?? attemptOf(kernel));
}

function attemptOf({ runId, signal }: Kernel): Attempt {
  return { runId, signal, onCancel: () => undefined, onRest: () => undefined, leave: () => undefined };
}

class Scheduler implements Scheduling {
  readonly kernel: Kernel;
  readonly clock: Clock;
  readonly pauses = new Set<string>();
  readonly children = new Set<string>();
  readonly #keys = new Set<string>();
  readonly #waiting = new Map<Leaf, Unit>();
  /** Branches that can go on, in order, from `#next` on. */
  #turns: Fiber[] = [];
  #next = 0;
  /** The branch whose turn it is. */
  #running: Fiber | undefined = undefined;
  /** Branches that wait until others are quiet, in order. */
  readonly #quiet = new Set<Fiber>();
  #isOver = false;
  #isReplaying: boolean;
  #settled = 0;
  #root: Unit | undefined = undefined;
  readonly #driven: PromiseWithResolvers<Json> = Promise.withResolvers();
  readonly #onRest: () => void = () => this.#pump();
  readonly #onLeaf: (leaf: Leaf) => void = (leaf) => this.#selected(leaf);
  readonly #onBreak: (reason: unknown) => void = (reason) => this.#break(reason);

  constructor(kernel: Kernel, clock: Clock) {
    this.kernel = kernel;
    this.clock = clock;
    this.#isReplaying = kernel.hasJournal;
  }

  drive(flow: Flow, input: Json, attempt: Attempt): Promise<Json> {
    const { signal } = this.kernel;
    const giveUp = (): void => this.#break(signal.reason);
    if (signal.aborted) giveUp();
    signal.addEventListener("abort", giveUp, { once: true });
    this.#root = new Unit("", undefined);
    this.#begin(this.#root, "", (run) => flow(run, input, attempt));
    this.#pump();
    return this.#driven.promise.finally(() => signal.removeEventListener("abort", giveUp));
  }

  /** The next branch's turn; the kernel is asked where none can go on. Called again when the branch waits or has ended. */
  #pump(): void {
    if (this.#running !== undefined || this.#isOver) return;
    const fiber = this.#turns[this.#next++];
    if (fiber !== undefined) return this.#turn(fiber);
    this.#turns.length = this.#next = 0;
    if (this.#root!.order > 0) this.#finish(this.#root!);
    else this.#select();
  }

  #turn(fiber: Fiber): void {
    const { state, wait } = fiber;
    fiber.state = "running";
    fiber.wait = undefined;
    fiber.isReplaying = this.#isReplaying;
    this.#running = fiber;
    if (state === "new") fiber.begin(fiber);
    else wait?.resume();
  }

  #rest(fiber: Fiber): void {
    if (this.#running !== fiber) return;
    this.#running = undefined;
    // A second wait of the branch would come before: it must be seen before anything else starts.
    queueMicrotask(this.#onRest);
  }

  #finish({ outcome, thrown, value }: Unit): void {
    this.#isOver = true;
    if (outcome === undefined) this.#driven.resolve(value === undefined ? null : toJson(value));
    else this.#driven.reject(thrown?.error);
  }

  #select(): void {
    if (this.#waiting.size === 0) {
      this.misuse("the flow waits for something that no one of its branches will bring");
      return;
    }
    this.kernel.select([...this.#waiting.keys()]).then(this.#onLeaf, this.#onBreak);
  }

  #selected(leaf: Leaf): void {
    if (this.#isOver) return;
    const unit = this.#waiting.get(leaf);
    if (unit === undefined) return this.#break(new Error("a kernel selected an operation that nobody waits for"));
    this.#isReplaying = leaf.isReplayed === true;
    if (unit.operation === undefined) {
      this.#waiting.delete(leaf);
      this.#settle(unit, leaf.value as unknown as Outcome);
    } else {
      for (const each of unit.leaves) this.#waiting.delete(each);
      this.#advance(unit, unit.operation.next(leaf));
    }
    this.#pump();
  }

  /** A key stands for one thing of the whole run. */
  take(key: string): void {
    if (this.#isOver) throw new ToolpostError("run.misuse", `\`${key}\` was begun after the run was over`);
    if (this.#keys.has(key)) throw this.misuse(`the key \`${key}\` is used twice in one branch: give each its own`);
    this.#keys.add(key);
  }

  /** Breaks the whole run: no `catch` of a branch can hide it. */
  misuse(message: string): ToolpostError {
    const error = new ToolpostError("run.misuse", message);
    this.#break(error);
    return error;
  }

  #break(reason: unknown): void {
    this.#isOver = true;
    this.#driven.reject(reason);
  }

  startStep(unit: Unit, perform: Perform): void {
    this.#waiting.set(stepLeaf(this.kernel, unit, perform), unit);
  }

  start(unit: Unit, operation: Operation): void {
    unit.operation = operation;
    this.#advance(unit, operation.next(undefined as never));
  }

  #advance(unit: Unit, result: IteratorResult<readonly Leaf[], Outcome>): void {
    if (result.done === true) return this.#settle(unit, result.value);
    unit.leaves = result.value;
    for (const leaf of result.value) this.#waiting.set(leaf, unit);
  }

  begin<T>(unit: Unit, work: (run: Run) => Soon<T>): void {
    this.#begin(unit, `${unit.key}/`, work);
  }

  /** Code of a branch, run when its turn comes. */
  #begin(unit: Unit, prefix: string, work: (run: Run) => Soon<unknown>): void {
    this.#turns.push(
      new Fiber(unit, (fiber) => {
        const end = (value: unknown): void => this.#end(fiber, value);
        const fail = (error: unknown): void => {
          unit.thrown = { error };
          unit.outcome = { ok: false, error: failureOf(error) };
          this.#end(fiber, undefined);
        };
        try {
          const made = work(new ScheduledRun(this, fiber, prefix));
          if (isPromiseLike(made)) made.then(end, fail);
          else end(made);
        } catch (error) {
          fail(error);
        }
      }),
    );
  }

  #end(fiber: Fiber, value: unknown): void {
    if (this.#isOver) return;
    if (fiber.wait !== undefined) {
      const message = "ended while it was waiting: await what it waits for, and use run.next, not Promise.race";
      this.misuse(`${fiber.name} ${message}`);
      return;
    }
    fiber.state = "ended";
    fiber.unit.value = value;
    this.#settle(fiber.unit, undefined);
    this.#rest(fiber);
  }

  /** Only the branch that made a unit can wait for its value. */
  #settle(unit: Unit, outcome: Outcome | undefined): void {
    if (outcome !== undefined) unit.outcome = outcome;
    unit.order = ++this.#settled;
    unit.isReplayed = this.#isReplaying;
    if (unit.fiber !== undefined) this.#wakeIfReady(unit.fiber);
    this.#wakeQuiet();
  }

  noteWaiting(unit: Unit): void {
    unit.isWaiting = true;
    this.#wakeQuiet();
  }

  #wakeQuiet(): void {
    for (const fiber of this.#quiet) if (this.#wakeIfReady(fiber)) this.#quiet.delete(fiber);
  }

  #wakeIfReady(fiber: Fiber): boolean {
    if (fiber.state !== "waiting" || fiber.wait?.isReady() !== true) return false;
    fiber.state = "woken";
    this.#turns.push(fiber);
    return true;
  }

  wait(fiber: Fiber, wait: Wait): void {
    if (fiber.wait !== undefined) {
      const message = "use run.all, run.next or run.branch, not Promise.all or Promise.race";
      return wait.reject(this.misuse(`two waits at once in ${fiber.name}: ${message}`));
    }
    if (fiber.state === "ended") return wait.reject(this.misuse(`${fiber.name} waits after it has ended`));
    if (wait.isReady()) return wait.resume();
    fiber.wait = wait;
    fiber.state = "waiting";
    if (wait instanceof QuietWait) this.#quiet.add(fiber);
    this.#rest(fiber);
  }
}
