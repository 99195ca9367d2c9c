// The result of a run as whoever awaits it gets it.
// It must not make a promise nobody asked for: a rejection of it would end the process.

import type { RunResult } from "../core/run-result.ts";

/**
 * A promise only where somebody awaits it, so that a rejection nobody awaits is none. A run that waited gives another
 * one once it goes on.
 */
export class LatestResult {
  #given: { readonly result: RunResult } | { readonly error: unknown } | undefined = undefined;
  #awaited: PromiseWithResolvers<RunResult> | undefined = undefined;

  /** Whether somebody waits for what is not there. */
  get isAwaited(): boolean {
    return this.#awaited !== undefined;
  }

  get isGiven(): boolean {
    return this.#given !== undefined;
  }

  get promise(): Promise<RunResult> {
    if (this.#given !== undefined)
      return "result" in this.#given ? Promise.resolve(this.#given.result) : Promise.reject(this.#given.error);
    this.#awaited ??= Promise.withResolvers();
    return this.#awaited.promise;
  }

  give(result: RunResult): void {
    this.#given = { result };
    this.#awaited?.resolve(result);
    this.#awaited = undefined;
  }

  refuse(error: unknown): void {
    this.#given = { error };
    this.#awaited?.reject(error);
    this.#awaited = undefined;
  }

  /** What was given is not the last word. */
  renew(): void {
    this.#given = undefined;
  }
}
