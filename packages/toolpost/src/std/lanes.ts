// Who shares a lane goes one after another, in the order they came; lanes of other names are none of their business.
// It must not keep a lane that is empty: names are those of conversations, and there is no end of them.

import { abortSourceOf } from "./abort.ts";
import { Gate } from "./async.ts";

interface Lane {
  readonly gate: Gate;
  /** Those in it and those who wait. */
  users: number;
}

export class Lanes {
  readonly #lanes = new Map<string, Lane>();

  /** How many lanes somebody is in or waits for. */
  get size(): number {
    return this.#lanes.size;
  }

  /**
   * Waits for the lane. Resolves with the function that leaves it, once; it must be called, whatever happens in between.
   * @param signal takes a waiter out of the line and rejects with its reason, at once if aborted beforehand. After that
   * one's turn has come it means nothing here: whoever was let in is in, and leaves.
   */
  async enter(name: string, signal?: AbortSignal): Promise<() => void> {
    const lane = this.#lanes.get(name) ?? { gate: new Gate(1), users: 0 };
    this.#lanes.set(name, lane);
    lane.users++;
    let release: () => void;
    try {
      release = await lane.gate.enter(false, signal && abortSourceOf(signal));
    } catch (reason) {
      this.#left(name, lane);
      throw reason;
    }
    let isIn = true;
    return () => {
      if (!isIn) return;
      isIn = false;
      this.#left(name, lane);
      release();
    };
  }

  #left(name: string, lane: Lane): void {
    lane.users--;
    if (lane.users === 0) this.#lanes.delete(name);
  }
}
