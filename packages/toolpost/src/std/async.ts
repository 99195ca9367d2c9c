// Waiting well: a bound on what runs at once, and a log that many can follow from its start.
// It must not poll, and must not lose a waiter: whoever waits is let in, told to go, or ended.

import type { AbortSource } from "./abort.ts";
import { append, isAlone, Link, unlink } from "./links.ts";

/** Whether awaiting the value would wait. False when that cannot be found out (a `then` that throws). */
export function isPromiseLike(value: unknown): value is PromiseLike<unknown> {
  if (value === null || (typeof value !== "object" && typeof value !== "function")) return false;
  try {
    return typeof (value as { readonly then?: unknown }).then === "function";
  } catch {
    return false;
  }
}

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
   * Asks to run. Where there is room and nobody waits, the answer is the release function itself.
   * Calling that more than once releases once.
   * @param abort while waiting, its abort takes the entry out of the queue and rejects the promise with the
   * reason; once let in, it means nothing here. Aborted beforehand, the entry is never let in.
   */
  enter(exclusive: boolean, abort?: AbortSource): (() => void) | Promise<() => void> {
    if (isAlone(this.#queue) && abort?.aborted !== true && this.#hasRoom(exclusive)) return this.#admit(exclusive);
    return new Promise((resolve, reject) => {
      const waiter = new Waiter(exclusive, resolve, abort);
      append(this.#queue, waiter);
      waiter.unsubscribe = abort?.onAbort((reason) => {
        unlink(waiter);
        reject(reason);
        // Those behind may have waited for this one only.
        this.#letIn();
      });
    });
  }

  #hasRoom(exclusive: boolean): boolean {
    return exclusive ? this.#running === 0 : this.#running < this.#limit && !this.#exclusive;
  }

  #admit(exclusive: boolean): () => void {
    this.#running++;
    this.#exclusive = exclusive;
    let released = false;
    return () => {
      if (released) return;
      released = true;
      this.#running--;
      this.#exclusive = false;
      this.#letIn();
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
      waiter.resolve(this.#admit(waiter.exclusive));
    }
  }
}

class Waiter extends Link {
  readonly exclusive: boolean;
  readonly resolve: (release: () => void) => void;
  readonly abort: AbortSource | undefined;
  unsubscribe: (() => void) | undefined = undefined;

  constructor(exclusive: boolean, resolve: (release: () => void) => void, abort: AbortSource | undefined) {
    super();
    this.exclusive = exclusive;
    this.resolve = resolve;
    this.abort = abort;
  }
}

/**
 * A log with many readers: each sees every item from the first on, in order, however late it comes, and waits
 * for those not there yet. Items are kept as long as the log is; `compact` shortens what late readers see.
 */
export class Broadcast<T> implements AsyncIterable<T> {
  readonly #log: Log<T> = { items: [], end: undefined, readers: new Set() };

  /** What a reader that starts now sees without waiting. */
  get items(): readonly T[] {
    return this.#log.items;
  }

  /** Adds an item. After the end it is dropped: nobody would read it. */
  push(item: T): void {
    if (this.#log.end !== undefined) return;
    this.#log.items.push(item);
    for (const reader of this.#log.readers) reader.serve();
  }

  /** Ends the log; readers finish after its last item, with `error` if there is one. The first end counts. */
  end(error?: unknown): void {
    if (this.#log.end !== undefined) return;
    this.#log.end = { error };
    for (const reader of this.#log.readers) reader.serve();
  }

  /**
   * Replaces the items for readers that have not asked for their first one; readers under way go on with what
   * they have not read, unmerged. A throw of `merge` leaves all as it was.
   */
  compact(merge: (items: readonly T[]) => T[]): void {
    const merged = merge(this.#log.items);
    for (const reader of this.#log.readers) reader.detach(merged.length);
    this.#log.items = merged;
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
  /** Those under way. */
  readonly readers: Set<Reader<T>>;
}

class Reader<T> implements AsyncIterableIterator<T> {
  readonly #log: Log<T>;
  /** Items of before a `compact` that are still to be read, and how many of them have been. */
  #rest: readonly T[] = [];
  #restRead = 0;
  #read = 0;
  #closed = false;
  #waiting: { resolve(result: IteratorResult<T, undefined>): void; reject(error: unknown): void }[] = [];

  constructor(log: Log<T>) {
    this.#log = log;
  }

  next(): Promise<IteratorResult<T, undefined>> {
    if (!this.#closed) this.#log.readers.add(this);
    return new Promise((resolve, reject) => {
      this.#waiting.push({ resolve, reject });
      this.serve();
    });
  }

  return(): Promise<IteratorResult<T, undefined>> {
    this.#close();
    this.serve();
    return Promise.resolve({ done: true, value: undefined });
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  /** Answers who waits, as far as there are items or an end. */
  serve(): void {
    while (this.#waiting.length > 0) {
      if (!this.#closed && this.#restRead < this.#rest.length) this.#answer(this.#rest[this.#restRead++]!);
      else if (!this.#closed && this.#read < this.#log.items.length) this.#answer(this.#log.items[this.#read++]!);
      else if (this.#closed) this.#waiting.shift()!.resolve({ done: true, value: undefined });
      else if (this.#log.end === undefined) return;
      else this.#finish(this.#log.end.error);
    }
  }

  /** Keeps what is not read yet, and goes on after the first `length` items of the log that takes over. */
  detach(length: number): void {
    this.#rest = [...this.#rest.slice(this.#restRead), ...this.#log.items.slice(this.#read)];
    this.#restRead = 0;
    this.#read = length;
  }

  #answer(value: T): void {
    this.#waiting.shift()!.resolve({ done: false, value });
  }

  #finish(error: unknown): void {
    this.#close();
    if (error !== undefined) this.#waiting.shift()!.reject(error);
  }

  #close(): void {
    this.#closed = true;
    this.#log.readers.delete(this);
    this.#rest = [];
  }
}
