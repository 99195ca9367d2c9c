// Clean-up that calls of a run registered: runs once, last registered first, each whatever the others do.
// A throw is logged; nothing of it reaches the run.

import type { Log } from "../core/govern.ts";
import type { Clock } from "../std/clock.ts";
import { isPromiseLike } from "../std/soon.ts";

const MOST_MS = 10_000;

export class Disposal {
  /** Most runs register nothing. */
  #registered: (() => void | Promise<void>)[] | undefined = undefined;

  add(dispose: () => void | Promise<void>): void {
    this.#registered ??= [];
    this.#registered.push(dispose);
  }

  /** Runs what is registered; `undefined` for nothing. Never rejects; what takes longer than a while is left behind. */
  run(log: Log, clock: Clock): Promise<void> | undefined {
    return this.#registered === undefined ? undefined : this.#runAll(this.#registered, log, clock);
  }

  async #runAll(registered: (() => void | Promise<void>)[], log: Log, clock: Clock): Promise<void> {
    for (const dispose of registered.splice(0).reverse()) {
      try {
        await orLeft(dispose(), clock);
      } catch (error) {
        log({ level: "error", message: "a function given to `onDispose` threw", error });
      }
    }
  }
}

/** The work, but no longer than a while: what hangs at the end of a run must not hold its result. */
export function orLeft(work: unknown, clock: Clock): unknown {
  if (!isPromiseLike(work)) return undefined;
  return new Promise<void>((resolve, reject) => {
    const timer = clock.schedule(MOST_MS, () => reject(new Error("it took too long and was left behind")));
    work.then(
      () => {
        timer.cancel();
        resolve();
      },
      (error: unknown) => {
        timer.cancel();
        reject(error);
      },
    );
  });
}
