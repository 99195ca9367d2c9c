// The one scheduler: `Run`, written over a kernel of two functions. It runs one branch until that waits or ends, then asks
// the kernel what settled next; so branches of many steps take the same path on every replay, whatever keeps the journal.
// It alone waits for the kernel. A second wait in one branch (a native Promise.all) fails the whole run: no replay could
// tell which of the two came first.

import { ToolpostError } from "../core/errors.ts";
import type { Flow, Kernel, Leaf, Run } from "../core/run.ts";
import type { Clock } from "../std/clock.ts";
import { systemClock } from "../std/clock.ts";
import type { Json } from "../std/json.ts";
import type { Soon } from "../std/soon.ts";
import { swallow } from "../std/soon.ts";
import type { Operation, Outcome } from "./operations.ts";
import { outcomeOf } from "./operations.ts";
import type { Scheduling } from "./scheduled-run.ts";
import { ScheduledRun } from "./scheduled-run.ts";
import { Fiber, Unit } from "./unit.ts";

/**
 * Runs a flow to its end over one kernel, from the journal as far as that reaches. Resolves with what the flow returned, as
 * JSON. Rejects with what the flow threw, with `run.misuse`, or with what the kernel gave up for: `select` threw, or its
 * signal fired while the flow waited for something of its own.
 */
export function drive(kernel: Kernel, flow: Flow, input: Json, clock: Clock = systemClock): Promise<Json> {
  return new Scheduler(kernel, clock).drive(flow, input);
}

class Scheduler implements Scheduling {
  readonly kernel: Kernel;
  readonly clock: Clock;
  readonly #keys = new Set<string>();
  readonly #waiting = new Map<
    Leaf,
    { readonly unit: Unit; readonly operation: Operation; readonly leaves: readonly Leaf[] }
  >();
  readonly #blocked = new Set<Fiber>();
  readonly #turns: (() => Promise<void>)[] = [];
  readonly #broken: PromiseWithResolvers<never> = Promise.withResolvers();
  #settled = 0;
  #fibers = 0;
  #isOver = false;

  constructor(kernel: Kernel, clock: Clock) {
    this.kernel = kernel;
    this.clock = clock;
    swallow(this.#broken.promise);
  }

  async drive(flow: Flow, input: Json): Promise<Json> {
    const { signal } = this.kernel;
    const giveUp = (): void => this.#break(signal.reason);
    if (signal.aborted) giveUp();
    signal.addEventListener("abort", giveUp, { once: true });
    try {
      return await Promise.race([this.#loop(flow, input), this.#broken.promise]);
    } finally {
      this.#isOver = true;
      signal.removeEventListener("abort", giveUp);
    }
  }

  async #loop(flow: Flow, input: Json): Promise<Json> {
    const root = this.#begin("", "", (run) => flow(run, input));
    for (;;) {
      // Whoever waits has been told why.
      if (this.#isOver) return this.#broken.promise;
      const turn = this.#turns.shift();
      if (turn !== undefined) await turn();
      else if (root.outcome === undefined) await this.#select();
      else if (root.outcome.ok) return root.outcome.value;
      else throw root.thrown;
    }
  }

  async #select(): Promise<void> {
    if (this.#waiting.size === 0)
      throw this.misuse("the flow waits for something that no one of its branches will bring");
    const leaf = await this.kernel.select([...this.#waiting.keys()]);
    const machine = this.#waiting.get(leaf);
    if (machine === undefined) throw new Error("a kernel selected an operation that nobody waits for");
    for (const each of machine.leaves) this.#waiting.delete(each);
    this.#advance(machine.unit, machine.operation, machine.operation.next(leaf));
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
    this.#broken.reject(reason);
  }

  start(key: string, operation: Operation): Unit {
    const unit = new Unit(key);
    this.#advance(unit, operation, operation.next(undefined as never));
    return unit;
  }

  #advance(unit: Unit, operation: Operation, result: IteratorResult<readonly Leaf[], Outcome>): void {
    if (result.done === true) return this.#settle(unit, result.value);
    const machine = { unit, operation, leaves: result.value };
    for (const leaf of result.value) this.#waiting.set(leaf, machine);
  }

  /** Code of a branch, run in its turn. */
  begin<T>(key: string, work: (run: Run) => Soon<T>): Unit {
    return this.#begin(key, `${key}/`, work);
  }

  #begin<T>(key: string, prefix: string, work: (run: Run) => Soon<T>): Unit {
    const unit = new Unit(key);
    const fiber = new Fiber(unit, this.#fibers++);
    const run = new ScheduledRun(this, fiber, prefix);
    this.#turns.push(() =>
      this.#turn(fiber, () => {
        void outcomeOf(
          () => work(run),
          (error) => (unit.thrown = error),
        ).then((outcome) => {
          this.#end(fiber, outcome);
          fiber.rest();
        });
      }),
    );
    return unit;
  }

  /** Resolves when the fiber waits or has ended. */
  #turn(fiber: Fiber, go: () => void): Promise<void> {
    return new Promise((resolve) => {
      fiber.rest = resolve;
      go();
    });
  }

  #end(fiber: Fiber, outcome: Outcome): void {
    if (this.#blocked.has(fiber)) {
      const message = "ended while it was waiting: await what it waits for, and use run.next, not Promise.race";
      this.misuse(`${fiber.name} ${message}`);
    }
    this.#settle(fiber.unit, outcome);
  }

  #settle(unit: Unit, outcome: Outcome): void {
    unit.outcome = outcome;
    unit.order = ++this.#settled;
    const ready = [...this.#blocked].filter((fiber) => fiber.isReady?.()).sort((a, b) => a.number - b.number);
    for (const fiber of ready) {
      this.#blocked.delete(fiber);
      fiber.isReady = undefined;
      this.#turns.push(() => this.#turn(fiber, fiber.wake));
    }
  }

  /** Ends the fiber's turn until `isReady`. */
  wait(fiber: Fiber, isReady: () => boolean): Promise<void> {
    if (this.#blocked.has(fiber)) {
      const message = "use run.all, run.next or run.branch, not Promise.all or Promise.race";
      return Promise.reject(this.misuse(`two waits at once in ${fiber.name}: ${message}`));
    }
    if (isReady()) return Promise.resolve();
    return new Promise((resolve) => {
      fiber.isReady = isReady;
      fiber.wake = resolve;
      this.#blocked.add(fiber);
      fiber.rest();
    });
  }
}
