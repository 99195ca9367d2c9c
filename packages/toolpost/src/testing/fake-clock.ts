// A clock that stands still until a test moves it: hours of deadlines and delays in milliseconds, the same each time.
// It must never sleep, and must not run a callback but within `advance`.

import type { Clock, Timer } from "../std/clock.ts";
import { reportUncaught } from "../std/report.ts";
import type { Duration } from "../std/units.ts";

/** A clock moved by hand. */
export interface FakeClock extends Clock {
  /** Callbacks that wait for their time. */
  readonly pending: number;
  /**
   * Moves the time on. Callbacks that become due run one by one, in order of their time, each at its own `now()`;
   * before, between and after them promises are given some turns of the event loop to settle, so that what they
   * schedule within the time runs too. Real files and sockets are not waited for. Advances run one after another.
   * @param duration such as `seconds(10)`; `milliseconds(0)` runs what is due now
   */
  advance(duration: Duration): Promise<void>;
}

/** A clock that stands at `start`, in milliseconds since the epoch. */
export function fakeClock(start = 0): FakeClock {
  return new ManualClock(start);
}

interface Entry {
  readonly dueAt: number;
  readonly callback: () => void;
}

class ManualClock implements FakeClock {
  #now: number;
  /** In the order they were scheduled. */
  readonly #entries = new Set<Entry>();
  #advanced: Promise<void> = Promise.resolve();

  constructor(start: number) {
    this.#now = start;
  }

  get pending(): number {
    return this.#entries.size;
  }

  now(): number {
    return this.#now;
  }

  schedule(delayMs: number, callback: () => void): Timer {
    const entry: Entry = { dueAt: delayMs > 0 ? this.#now + delayMs : this.#now, callback };
    this.#entries.add(entry);
    return { cancel: () => void this.#entries.delete(entry) };
  }

  advance(duration: Duration): Promise<void> {
    const ms = (duration as Partial<Duration> | undefined)?.ms;
    if (typeof ms !== "number" || !(ms >= 0)) {
      throw new TypeError(
        `\`advance\` takes a duration, such as \`seconds(10)\`, and got \`${String(ms ?? duration)}\``,
      );
    }
    this.#advanced = this.#advanced.then(() => this.#advance(ms));
    return this.#advanced;
  }

  async #advance(ms: number): Promise<void> {
    const until = this.#now + ms;
    await settle();
    for (let entry = this.#next(until); entry !== undefined; entry = this.#next(until)) {
      this.#entries.delete(entry);
      this.#now = Math.max(this.#now, entry.dueAt);
      run(entry.callback);
      await settle();
    }
    this.#now = until;
  }

  #next(until: number): Entry | undefined {
    let first: Entry | undefined;
    for (const entry of this.#entries) {
      if (entry.dueAt <= until && (first === undefined || entry.dueAt < first.dueAt)) first = entry;
    }
    return first;
  }
}

/** As on the machine's clock: one that throws stops no other. */
function run(callback: () => void): void {
  try {
    callback();
  } catch (error) {
    reportUncaught(error);
  }
}

async function settle(): Promise<void> {
  for (let turn = 0; turn < settleTurns; turn++) await new Promise((resolve) => nextTurn(resolve));
}

/** All that only waits for promises is over after one; streams and thread pools answer within a few more. */
const settleTurns = 5;

// Bound now, so that a test that fakes the global timers does not stop this clock.
const nextTurn: (callback: (value: unknown) => void) => unknown = globalThis.setImmediate;
