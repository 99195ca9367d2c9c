// One shared timer wheel: thousands of deadlines, most of them cancelled before they are due, on one real timer.
// A setTimeout per tool call costs more than the rest of the call's bookkeeping; an entry here costs two links.
// It must never run a callback early, nor within `schedule`, and must keep the process alive while it holds one.
// Hierarchical, after Varghese and Lauck, "Hashed and Hierarchical Timing Wheels" (1987): a slot of level 0 is a tick, one
// of level 1 spans 64 of those, and so on; an entry moves down a level when time reaches its slot.

import { append, isAlone, Link, takeAll, unlink } from "./links.ts";
import { reportUncaught } from "./report.ts";

/** A timer of the host, such as Node's setTimeout returns. */
export interface HostTimer {
  ref(): unknown;
  unref(): unknown;
}

/** Where a wheel gets its time from. */
export interface TimerHost {
  /** Monotonic time in milliseconds, zero or more. */
  now(): number;
  setTimer(callback: () => void, delayMs: number): HostTimer;
  clearTimer(timer: HostTimer): void;
}

const tickMs = 4;
const slots = 64;
/** What is further away than this (35,000 years) is due then; it also bounds the number of levels to 8. */
const lastTick: number = slots ** 8 - 1;
/** Node makes 1 ms of a longer one. */
const longestHostDelay: number = 2 ** 31 - 1;

export class TimerWheel {
  readonly #host: TimerHost;
  readonly #levels: Link[][] = [];
  readonly #onTimer: () => void = () => this.#advance();
  #size = 0;
  /** The tick that levels and slots are counted from; no entry is before it. */
  #current = 0;
  #timer: HostTimer | undefined = undefined;
  #timerTick = 0;
  #advancing = false;

  constructor(host: TimerHost) {
    this.#host = host;
  }

  /**
   * Runs `callback` once, `delayMs` milliseconds from now (less than 0 or NaN counts as 0) and, in an idle
   * process, at most some 10 ms late. Callbacks of one 4 ms tick run in the order they were scheduled.
   * One that throws stops no other; its error is reported as uncaught.
   */
  schedule(delayMs: number, callback: () => void): WheelEntry {
    const now = this.#host.now();
    if (this.#size === 0 && !this.#advancing) this.#current = Math.floor(now / tickMs);
    const dueTick = Math.ceil((delayMs > 0 ? now + delayMs : now) / tickMs);
    const entry = new WheelEntry(this, Math.min(Math.max(dueTick, this.#current + 1), lastTick), callback);
    this.#place(entry);
    this.#size++;
    if (!this.#advancing) this.#arm(entry.tick, now);
    return entry;
  }

  /** Takes an entry of this wheel out; does nothing when it has run or was cancelled before. */
  cancel(entry: WheelEntry): void {
    if (entry.callback === undefined) return;
    entry.callback = undefined;
    unlink(entry);
    this.#size--;
    // The timer stays armed: to clear it and make another for each call that ends in time is what costs.
    if (this.#size === 0) this.#timer?.unref();
  }

  /** Sees to it that the real timer is ref'd and goes off at `tick` or before. */
  #arm(tick: number, now: number): void {
    if (this.#timer !== undefined && this.#timerTick <= tick) {
      if (this.#size === 1) this.#timer.ref();
      return;
    }
    if (this.#timer !== undefined) this.#host.clearTimer(this.#timer);
    this.#timerTick = tick;
    const delayMs = Math.min(Math.max(Math.ceil(tick * tickMs - now), 1), longestHostDelay);
    this.#timer = this.#host.setTimer(this.#onTimer, delayMs);
  }

  /** Runs what is due by now, then arms the timer for what comes next. */
  #advance(): void {
    this.#timer = undefined;
    this.#advancing = true;
    const nowTick = Math.floor(this.#host.now() / tickMs);
    let slot = this.#firstSlot();
    while (slot !== undefined && slot.tick <= nowTick) {
      this.#current = slot.tick;
      this.#drain(slot);
      slot = this.#firstSlot();
    }
    this.#current = Math.max(this.#current, nowTick);
    this.#advancing = false;
    if (slot !== undefined) this.#arm(slot.tick, this.#host.now());
  }

  /** Takes everything out of a slot that time has reached: down to its own tick, or to its callback. */
  #drain(slot: Slot): void {
    const reached = takeAll(slot.list);
    while (!isAlone(reached)) {
      const entry = reached.next as WheelEntry;
      unlink(entry);
      if (slot.level > 0) this.#place(entry);
      else this.#run(entry);
    }
  }

  #run(entry: WheelEntry): void {
    const callback = entry.callback;
    entry.callback = undefined;
    this.#size--;
    try {
      callback?.();
    } catch (error) {
      reportUncaught(error);
    }
  }

  #place(entry: WheelEntry): void {
    let level = 0;
    let digits = entry.tick;
    let current = this.#current;
    for (; Math.floor(digits / slots) !== Math.floor(current / slots); level++) {
      digits = Math.floor(digits / slots);
      current = Math.floor(current / slots);
    }
    while (this.#levels.length <= level) this.#levels.push(Array.from({ length: slots }, () => new Link()));
    append(this.#levels[level]![digits % slots]!, entry);
  }

  /** The slot that time reaches first: all that lies on a level is due before anything on the next. */
  #firstSlot(): Slot | undefined {
    if (this.#size === 0) return undefined;
    let span = 1;
    for (let level = 0; level < this.#levels.length; level++, span *= slots) {
      const current = Math.floor(this.#current / span);
      const start = current - (current % slots);
      for (let index = current % slots; index < slots; index++) {
        const list = this.#levels[level]![index]!;
        if (!isAlone(list)) return { list, level, tick: (start + index) * span };
      }
    }
    return undefined;
  }
}

/** A scheduled callback and its place in the wheel. */
export class WheelEntry extends Link {
  readonly #wheel: TimerWheel;
  readonly tick: number;
  /** Undefined once it has run or was cancelled, so that a kept entry holds on to nothing. */
  callback: (() => void) | undefined;

  constructor(wheel: TimerWheel, tick: number, callback: () => void) {
    super();
    this.#wheel = wheel;
    this.tick = tick;
    this.callback = callback;
  }

  cancel(): void {
    this.#wheel.cancel(this);
  }
}

interface Slot {
  readonly list: Link;
  readonly level: number;
  /** The first tick it spans. */
  readonly tick: number;
}

// Bound now, so that a test that fakes timers or time does not stop the deadlines of calls under way.
const { setTimeout: setTimer, clearTimeout: clearTimer } = globalThis;
const { hrtime } = process;
// Not `performance.now`: the first mention of `performance` loads eleven modules of Node.
const monotonic = (): number => {
  const [seconds, nanoseconds] = hrtime();
  return seconds * 1_000 + nanoseconds / 1_000_000;
};

/** The wheel of this process. */
export const sharedWheel: TimerWheel = new TimerWheel({
  now: monotonic,
  setTimer: (callback, delayMs) => setTimer(callback, delayMs),
  clearTimer: (timer) => clearTimer(timer as ReturnType<typeof setTimeout>),
});
