// Waiting well: a bound on what runs at once, and a log that many can follow from its start.
// It must not poll, and must not lose a waiter: whoever waits is let in, told to go, or ended.

import type { AbortSource } from "./abort.ts";
import { append, isAlone, Link, unlink } from "./links.ts";

/**
 * Lets at most `limit` entries run at once (less than 1 counts as 1), in the order they came. An exclusive
 * entry waits until nothing runs, and nothing passes it or runs beside it.
 */
export class Gate {
  readonly #limit: number;
  readonly #queue = new Link();
  #running = 0;
  #exclusive = false;

  constructor(limit: number) {
    this.#limit = Math.max(Math.floor(limit) || 1, 1);
  }

  /**
   * Asks to run. With room and nobody waiting, the answer is the release function itself; it releases once.
   * @param abort takes the entry out of the queue and rejects with its reason, at once if aborted beforehand;
   * after entering it means nothing here.
   */
  enter(exclusive: boolean, abort?: AbortSource): (() => void) | Promise<() => void> {
    if (abort?.aborted !== true && this.tryEnter(exclusive)) return this.#releaseOnce();
    return new Promise((resolve, reject) => {
      const waiter = Object.assign(new Waiter(), { exclusive, resolve, abort });
      append(this.#queue, waiter);
      waiter.unsubscribe = abort?.onAbort((reason) => {
        unlink(waiter);
        reject(reason);
        // Those behind may have waited for this one only.
        this.#letIn();
      });
    });
  }

  /** Enters where there is room and nobody waits; then `leave` must be called, once. Makes no release function. */
  tryEnter(exclusive: boolean): boolean {
    if (!isAlone(this.#queue) || !this.#hasRoom(exclusive)) return false;
    this.#running++;
    this.#exclusive = exclusive;
    return true;
  }

  leave(): void {
    this.#running--;
    this.#exclusive = false;
    this.#letIn();
  }

  #hasRoom(exclusive: boolean): boolean {
    return exclusive ? this.#running === 0 : this.#running < this.#limit && !this.#exclusive;
  }

  #releaseOnce(): () => void {
    let released = false;
    return () => {
      if (released) return;
      released = true;
      this.leave();
    };
  }

  #letIn(): void {
    while (!isAlone(this.#queue)) {
      const waiter = this.#queue.next as Waiter;
      const gone = waiter.abort?.aborted === true;
      if (!gone && !this.#hasRoom(waiter.exclusive)) return;
      unlink(waiter);
      // One abort may empty several places, one after another; this one's listener is about to be called.
      if (gone) continue;
      waiter.unsubscribe?.();
      this.#running++;
      this.#exclusive = waiter.exclusive;
      waiter.resolve(this.#releaseOnce());
    }
  }
}

class Waiter extends Link {
  exclusive = false;
  resolve: (release: () => void) => void = () => undefined;
  abort: AbortSource | undefined = undefined;
  unsubscribe: (() => void) | undefined = undefined;
}

/**
 * A log with many readers: each sees every item from the first on, in order, however late it comes, and waits
 * for those not there yet. Items are kept as long as the log is; `compact` shortens what late readers see.
 */
export class Broadcast<T> implements AsyncIterable<T> {
  readonly #log: Log<T> = { items: [], end: undefined, readers: undefined };

  /** What a reader that starts now sees without waiting. */
  get items(): readonly T[] {
    return this.#log.items;
  }

  /** Whether anybody has asked for an item yet: what nobody has seen may still be changed. */
  get isRead(): boolean {
    return this.#log.readers !== undefined;
  }

  /** Adds an item. After the end it is dropped: nobody would read it. */
  push(item: T): void {
    if (this.#log.end !== undefined) return;
    this.#log.items.push(item);
    if (this.#log.readers !== undefined) for (const reader of this.#log.readers) reader.serve();
  }

  /** Ends the log; readers finish after its last item, with `error` if there is one. The first end counts. */
  end(error?: unknown): void {
    if (this.#log.end !== undefined) return;
    this.#log.end = { error };
    for (const reader of this.#log.readers ?? []) reader.serve();
  }

  /**
   * Replaces the items from index `from` on for readers that have not asked for their first one; readers under way
   * go on with what they have not read, unmerged. A throw of `merge` leaves all as it was. Takes time in proportion
   * to the items after `from`.
   */
  compact(merge: (items: readonly T[]) => T[], from = 0): void {
    const { items, readers } = this.#log;
    const merged = merge(items.slice(from));
    for (const reader of readers ?? []) reader.detach(from + merged.length);
    items.length = from;
    for (const item of merged) items.push(item);
  }

  /** A reader of its own, from the first item. Leaving its loop, or `return()`, unsubscribes it. */
  subscribe(): AsyncIterableIterator<T> {
    return new Reader(this.#log);
  }

  [Symbol.asyncIterator](): AsyncIterableIterator<T> {
    return this.subscribe();
  }
}

interface Log<T> {
  items: T[];
  end: { readonly error: unknown } | undefined;
  /** Those under way; most logs never have one. */
  readers: Set<Reader<T>> | undefined;
}

class Reader<T> implements AsyncIterableIterator<T> {
  readonly #log: Log<T>;
  /** Items of before a `compact` that are still to be read. */
  #rest: T[] = [];
  #read = 0;
  #closed = false;
  #waiting: { resolve(result: IteratorResult<T, undefined>): void; reject(error: unknown): void }[] = [];

  constructor(log: Log<T>) {
    this.#log = log;
  }

  next(): Promise<IteratorResult<T, undefined>> {
    if (!this.#closed) {
      this.#log.readers ??= new Set();
      this.#log.readers.add(this);
    }
    return new Promise((resolve, reject) => {
      this.#waiting.push({ resolve, reject });
      this.serve();
    });
  }

  return(): Promise<IteratorResult<T, undefined>> {
    this.#finish();
    this.serve();
    return Promise.resolve({ done: true, value: undefined });
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  /** Answers who waits, as far as there are items or an end. */
  serve(): void {
    while (this.#waiting.length > 0) {
      if (this.#closed) this.#waiting.shift()!.resolve({ done: true, value: undefined });
      else if (this.#rest.length > 0) this.#answer(this.#rest.shift()!);
      else if (this.#read < this.#log.items.length) this.#answer(this.#log.items[this.#read++]!);
      else if (this.#log.end === undefined) return;
      else this.#finish(this.#log.end.error);
    }
  }

  /** Keeps what is not read yet, and goes on after the first `length` items of the log that takes over. */
  detach(length: number): void {
    this.#rest = [...this.#rest, ...this.#log.items.slice(this.#read)];
    this.#read = length;
  }

  #answer(value: T): void {
    this.#waiting.shift()!.resolve({ done: false, value });
  }

  #finish(error?: unknown): void {
    this.#closed = true;
    this.#log.readers?.delete(this);
    this.#rest = [];
    if (error !== undefined) this.#waiting.shift()?.reject(error);
  }
}
