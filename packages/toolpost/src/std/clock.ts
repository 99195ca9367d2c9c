// The clock that everything with a deadline is given, so that tests can hand in one they move by hand.
// It must not be replaced by Date.now or setTimeout anywhere above this floor.

import { sharedWheel } from "./wheel.ts";

/** A scheduled callback. */
export interface Timer {
  /** Takes the callback back; does nothing when it has run or was cancelled before. */
  cancel(): void;
}

/** Time as a value. */
export interface Clock {
  /** The time of day, in milliseconds since the epoch. It may jump when the machine's clock is set. */
  now(): number;
  /**
   * Runs `callback` once, `delayMs` milliseconds from now or a little later, never before and never
   * within this call. A pending one keeps the process alive.
   */
  schedule(delayMs: number, callback: () => void): Timer;
}

/** The machine's clock; delays run on monotonic time, on the one shared timer wheel. */
export const systemClock: Clock = Object.freeze({
  now: () => Date.now(),
  schedule: (delayMs: number, callback: () => void) => sharedWheel.schedule(delayMs, callback),
});
