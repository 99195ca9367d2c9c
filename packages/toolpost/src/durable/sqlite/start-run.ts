// Puts a run into the store, once for each id: one that somebody starts, or a child of another.
// Within a transaction.

import type { Stored } from "./payloads.ts";
import { inlineLimit } from "./payloads.ts";
import type { RunRow } from "./statements.ts";
import type { Store } from "./store.ts";

export interface NewRun {
  readonly id: string;
  readonly flow: string;
  readonly version: string;
  readonly lane: string | null;
  readonly parent: string | null;
  readonly input: Stored;
}

/** False when there is one of that id already. */
export function insertRun(store: Store, { id, flow, version, lane, parent, input }: NewRun): boolean {
  const { statements, payloads, clock } = store;
  const isLarge = input.length > inlineLimit;
  const { changes } = statements.insertRun.run(id, flow, version, lane, parent, isLarge ? "" : input, clock.now());
  if (changes === 0) return false;
  if (isLarge) {
    // What lies beside is kept for a run of a number.
    const { number } = statements.run.get(id) as unknown as RunRow;
    statements.setInput.run(payloads.put(number, input), number);
  }
  return true;
}
