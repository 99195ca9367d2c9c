// The time that events of runs are stamped with. To ask the clock costs more than the rest of a delta, so deltas that come
// within one turn of the event loop, mostly out of one packet of the network, share a reading.
// It must not go backwards from one event to the next: whatever reads the clock anew is where deltas go on.

import type { Clock } from "../std/clock.ts";

export class EventTime {
  readonly #clock: Clock;
  #ofTurn: number | undefined = undefined;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Now. */
  read(): number {
    const now = this.#clock.now();
    if (this.#ofTurn !== undefined) this.#ofTurn = now;
    return now;
  }

  /** Now, or the last reading of this turn of the event loop. */
  ofTurn(): number {
    if (this.#ofTurn === undefined) {
      this.#ofTurn = this.#clock.now();
      // Comes when all that waits for promises only has run.
      process.nextTick(EventTime.#forget, this);
    }
    return this.#ofTurn;
  }

  static #forget(time: EventTime): void {
    time.#ofTurn = undefined;
  }
}
