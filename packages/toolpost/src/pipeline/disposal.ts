// Clean-up that calls of a run registered: runs once, last registered first, each whatever the others do.
// A throw is logged; nothing of it reaches the run.

import type { Log } from "../core/govern.ts";

export class Disposal {
  readonly #registered: (() => void | Promise<void>)[] = [];

  add(dispose: () => void | Promise<void>): void {
    this.#registered.push(dispose);
  }

  /** Runs what is registered. Never rejects. */
  async run(log: Log): Promise<void> {
    for (const dispose of this.#registered.splice(0).reverse()) {
      try {
        await dispose();
      } catch (error) {
        log({ level: "error", message: "a function given to `onDispose` threw", error });
      }
    }
  }
}
