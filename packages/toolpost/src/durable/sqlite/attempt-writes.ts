// What one attempt writes, as it is done within a transaction. Each write is made only if the run is still the attempt's
// own: nobody can take it over between the look and the commit.

import { cancelRuns, closedAnswer } from "./cancel.ts";
import type { Fence } from "./fence.ts";
import type { Journal, OpLeaf } from "./journal.ts";
import type { Outside } from "./outside.ts";
import type { Stored } from "./payloads.ts";
import type { RunRow } from "./statements.ts";
import type { Store } from "./store.ts";

/** What an attempt knows of its run, which its writes go by. */
export interface OwnRun {
  readonly row: RunRow;
  readonly fence: Fence;
  readonly journal: Journal;
  readonly outside: Outside;
}

export class AttemptWrites {
  readonly #store: Store;
  readonly #run: OwnRun;

  constructor(store: Store, run: OwnRun) {
    this.#store = store;
    this.#run = run;
  }

  /** Makes a settled operation an entry, after what else it changes. */
  entry({ op: { key, kind } }: OpLeaf, value: Stored, also?: () => void): void {
    const { fence, journal, row } = this.#run;
    if (fence.check() !== "mine") return;
    also?.();
    const { payloads, statements, clock } = this.#store;
    statements.insertEntry.run(row.number, ++journal.seq, key, kind, clock.now(), payloads.put(row.number, value));
  }

  /** What is no entry. */
  other(apply: () => void): void {
    if (this.#run.fence.check() === "mine") apply();
  }

  /** Gives the run up until something comes, or until `due`; false where something has come. */
  rest(open: Parameters<Outside["hasCome"]>[0], due: number): boolean {
    const { fence, outside, row } = this.#run;
    if (fence.check() !== "mine" || outside.hasCome(open)) return false;
    this.#store.statements.rest.run(Number.isFinite(due) ? due : null, row.number);
    fence.forget();
    return true;
  }

  /** Ends the run and what waits in it and below; gives the runs below that go on to their own end. False where it is lost. */
  end(state: "done" | "failed", outcome: Stored, hasChildren: boolean): readonly string[] | false {
    const { fence, outside, row } = this.#run;
    const { number, parent, closing } = row;
    const { payloads, statements, clock } = this.#store;
    const holds = fence.check();
    if (holds === "lost") return false;
    fence.forget();
    const final = holds === "cancelled" ? "cancelled" : state;
    const now = clock.now();
    const result = final === "done" ? payloads.put(number, outcome) : null;
    const error = final === "failed" ? payloads.put(number, outcome) : null;
    if (closing === 1) statements.endClosing.run(number);
    else statements.end.run(final, result, error, now, number);
    if (outside.hasPauses) statements.closePauses.run(closedAnswer(this.#store), now, number);
    const below = hasChildren ? cancelRuns(this.#store, row.id, "the run above it has ended", false) : [];
    if (parent !== null) statements.wake.run(parent);
    return below;
  }

  /** Leaves the run to whoever claims it from `due` on. */
  release(due: number): void {
    const { fence, row } = this.#run;
    if (fence.isOwner()) this.#store.statements.release.run(due, row.number);
  }
}
