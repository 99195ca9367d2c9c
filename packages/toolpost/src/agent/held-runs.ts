// The runs of an engine that one process has something to do with. One that waits for people, perhaps for weeks, is kept only
// as long as somebody has its handle: whatever moves it next starts from its journal.

import type { StoredRun } from "./stored-run.ts";

export class HeldRuns {
  readonly #held = new Map<string, StoredRun>();
  /** What ends the following of those that are followed. */
  readonly #follows = new WeakMap<StoredRun, AbortController>();
  readonly #resting = new Map<string, WeakRef<StoredRun>>();
  readonly #gone = new FinalizationRegistry<string>((runId) => {
    if (this.#resting.get(runId)?.deref() === undefined) this.#resting.delete(runId);
  });

  get(runId: string): StoredRun | undefined {
    return this.#held.get(runId) ?? this.#resting.get(runId)?.deref();
  }

  get all(): StoredRun[] {
    const resting = [...this.#resting.values()].flatMap((run) => run.deref() ?? []);
    return [...this.#held.values(), ...resting];
  }

  hold(run: StoredRun): void {
    const { runId } = run.plan;
    this.#resting.delete(runId);
    this.#held.set(runId, run);
  }

  /** The signal to follow it under; `undefined` where it is followed. */
  follow(run: StoredRun): AbortSignal | undefined {
    if (this.#follows.has(run)) return undefined;
    const follow = new AbortController();
    this.#follows.set(run, follow);
    return follow.signal;
  }

  /** It waits for people: nobody here has anything to do for it. */
  rest(run: StoredRun): void {
    const { runId } = run.plan;
    if (!this.#held.delete(runId)) return;
    this.#resting.set(runId, new WeakRef(run));
    this.#gone.register(run, runId);
    this.#follows.get(run)?.abort();
    this.#follows.delete(run);
  }

  forget({ plan: { runId } }: StoredRun): void {
    this.#held.delete(runId);
    this.#resting.delete(runId);
  }
}
