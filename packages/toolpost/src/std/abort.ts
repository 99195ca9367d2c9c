// Being told to stop: an abort state that costs next to nothing until somebody asks for its AbortSignal.
// Making an AbortController for each call is measurably slow, and most tools never read their signal.
// It must not chain signals through AbortSignal.any; whoever follows a signal gets a way to let go of it.

import { append, isAlone, Link, takeAll, unlink } from "./links.ts";
import { reportUncaught } from "./report.ts";
import type { Soon } from "./soon.ts";
import { isPromiseLike } from "./soon.ts";

/** The part of {@link LazyAbort} that those need who only want to hear of an abort. */
export interface AbortSource {
  readonly aborted: boolean;
  /** Why; `undefined` before. */
  readonly reason: unknown;
  onAbort(listener: (reason: unknown) => void): () => void;
  /** As `onAbort`, without functions made for it; `listener.letGo()` unsubscribes. */
  listen(listener: AbortListener): void;
}

/** Hears of one abort. An object that lives as long as what it follows is its own listener. */
export abstract class AbortListener extends Link {
  /** Lets go of what is no list of ours. */
  release: (() => void) | undefined = undefined;

  abstract onAborted(reason: unknown): void;

  letGo(): void {
    unlink(this);
    this.release?.();
  }
}

/**
 * The reason of an abort as one reads it: an Error's message, a string as it is, and for everything that
 * says nothing (no reason, an empty message, a plain `controller.abort()`) `the run was cancelled`.
 */
export function abortText(reason: unknown): string {
  try {
    const text = reason instanceof Error && !isPlainAbort(reason) ? reason.message : reason;
    if (typeof text === "string" && text !== "") return text;
  } catch {
    // A message that throws when read says nothing either.
  }
  return "the run was cancelled";
}

/** An abort state whose AbortSignal is made when first read. It is aborted once; later aborts change nothing. */
export class LazyAbort implements AbortSource {
  #aborted = false;
  #reason: unknown = undefined;
  #controller: AbortController | undefined = undefined;
  #listeners: Link | undefined = undefined;
  readonly #above: LazyAbort | undefined;

  /**
   * @param above once this is aborted, `aborted` and `reason` say so here, too, at no cost before. Listeners and the
   * signal hear of it only where somebody passes it on: whoever lives on after a look has to.
   */
  constructor(above?: LazyAbort) {
    this.#above = above;
  }

  get aborted(): boolean {
    return this.#aborted || this.#above?.aborted === true;
  }

  /** What it was aborted with: the platform's own AbortError where no reason was given, undefined before. */
  get reason(): unknown {
    return this.#aborted || this.#above === undefined ? this.#reason : this.#above.reason;
  }

  /** The signal to hand to others; aborted from the start if this was aborted before. */
  get signal(): AbortSignal {
    if (this.#controller === undefined) {
      this.#controller = new AbortController();
      if (this.#aborted) this.#controller.abort(this.#reason);
    }
    return this.#controller.signal;
  }

  /** Aborts: listeners run in the order they came, then the signal fires. */
  abort(reason?: unknown): void {
    if (this.#aborted) return;
    this.#aborted = true;
    this.#reason = reason === undefined ? plainReason() : reason;
    if (this.#listeners !== undefined) {
      const reached = takeAll(this.#listeners);
      this.#listeners = undefined;
      // One by one off the list: who lets go during the abort is not called.
      while (!isAlone(reached)) {
        const listener = reached.next as AbortListener;
        unlink(listener);
        notify(listener, this.#reason);
      }
    }
    this.#controller?.abort(this.#reason);
  }

  /**
   * Calls `listener` once with the reason, at once if already aborted. A listener that throws stops
   * nobody else; its error is reported as uncaught.
   * @returns a function that unsubscribes; calling it again does nothing.
   */
  onAbort(listener: (reason: unknown) => void): () => void {
    const entry = new Listener(listener);
    this.listen(entry);
    return this.#aborted ? nothing : () => unlink(entry);
  }

  listen(listener: AbortListener): void {
    if (this.#aborted) return notify(listener, this.#reason);
    this.#listeners ??= new Link();
    append(this.#listeners, listener);
  }
}

class Listener extends AbortListener {
  readonly onAborted: (reason: unknown) => void;

  constructor(onAborted: (reason: unknown) => void) {
    super();
    this.onAborted = onAborted;
  }
}

/** A foreign signal as whoever only wants to hear of an abort takes it. */
export function abortSourceOf(signal: AbortSignal): AbortSource {
  return {
    get aborted() {
      return signal.aborted;
    },
    get reason() {
      return signal.reason;
    },
    onAbort: (listener) => follow(signal, listener),
    listen(listener) {
      listener.release = follow(signal, (reason) => listener.onAborted(reason));
    },
  };
}

/**
 * Calls `onAbort` once with the reason when a foreign signal fires, at once if it already has.
 * @returns a function that unsubscribes. A signal that outlives its follower holds on to it until then.
 */
export function follow(signal: AbortSignal, onAbort: (reason: unknown) => void): () => void {
  if (signal.aborted) {
    notify(new Listener(onAbort), signal.reason);
    return nothing;
  }
  const listener = (): void => onAbort(signal.reason);
  signal.addEventListener("abort", listener, { once: true });
  return () => signal.removeEventListener("abort", listener);
}

/** Stands for a result that an abort came before. */
export const aborted: unique symbol = Symbol("aborted");

/**
 * The work's result, or `aborted` at once when the abort comes first; what the work then does is nobody's business.
 * A result that is there already makes no promise.
 */
export function unlessAborted<T>(work: PromiseLike<T>, abort: AbortSource): Promise<T | typeof aborted>;
export function unlessAborted<T>(work: Soon<T>, abort: AbortSource): T | typeof aborted | Promise<T | typeof aborted>;
export function unlessAborted<T>(work: Soon<T>, abort: AbortSource): T | typeof aborted | Promise<T | typeof aborted> {
  if (!isPromiseLike(work)) return abort.aborted ? aborted : work;
  return new Promise((resolve, reject) => {
    const forget = abort.onAbort(() => resolve(aborted));
    work.then(
      (value) => {
        forget();
        resolve(value);
      },
      (error: unknown) => {
        forget();
        reject(error);
      },
    );
  });
}

function isPlainAbort(reason: Error): boolean {
  return reason.name === "AbortError" && reason.message === plainReason().message;
}

/** What the platform makes of an abort without a reason; asked for, as its text is the engine's. */
function plainReason(): Error {
  return AbortSignal.abort().reason;
}

function notify(listener: AbortListener, reason: unknown): void {
  try {
    listener.onAborted(reason);
  } catch (error) {
    reportUncaught(error);
  }
}

function nothing(): void {}
