// Whose a run is, as one attempt asks before each of its writes, in the transaction of the write: nobody can take the run
// over between the look and the commit. As long as no other connection has written, the last look still holds.
// Also without a word from the store the run is lost once its lease has run out by this machine's clock.

import { reasonOf } from "./cancel.ts";
import type { EntryRow, RunRow } from "./statements.ts";
import type { Store } from "./store.ts";

/** A run as it was taken over. */
export interface Claim {
  readonly row: RunRow;
  readonly token: number;
  readonly leaseUntil: number;
  readonly entries: readonly EntryRow[];
  /** Keys of pauses that were asked before. */
  readonly pauses: readonly string[];
}

type Owning = Pick<RunRow, "owner" | "token" | "cancel">;

export class Fence {
  isLost = false;
  /** Why the run was cancelled, once that was seen. */
  cancel: string | undefined;
  readonly #store: Store;
  readonly #number: number;
  readonly #token: number;
  #leaseUntil: number;
  #generation = -1;

  constructor(store: Store, { row, token, leaseUntil }: Claim) {
    this.#store = store;
    this.#number = row.number;
    this.#token = token;
    this.#leaseUntil = leaseUntil;
    this.cancel = reasonOf(store, row);
  }

  get isLate(): boolean {
    return this.#store.clock.now() >= this.#leaseUntil;
  }

  keep(leaseUntil: number): void {
    if (!this.isLate) this.#leaseUntil = leaseUntil;
  }

  check(): "mine" | "cancelled" | "lost" {
    if (this.isLost || this.isLate) {
      this.isLost = true;
      return "lost";
    }
    const { generation } = this.#store.commit;
    if (this.#generation !== generation) {
      const row = this.#read();
      if (!this.#isOf(row)) {
        this.isLost = true;
        return "lost";
      }
      this.#generation = generation;
      this.cancel ??= reasonOf(this.#store, row);
    }
    return this.cancel === undefined ? "mine" : "cancelled";
  }

  /** The next look reads the store: the run was given away, or another connection may have written outside of a write. */
  forget(): void {
    this.#generation = -1;
  }

  /** Whatever the clock says. */
  isOwner(): boolean {
    return this.#isOf(this.#read());
  }

  #read(): Owning | undefined {
    return this.#store.statements.fence.get(this.#number) as Owning | undefined;
  }

  #isOf(row: Owning | undefined): row is Owning {
    return row !== undefined && row.owner === this.#store.owner && row.token === this.#token;
  }
}
