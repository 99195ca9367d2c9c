// What a cancel writes: of a run and all below it, or of all below one that has ended. A run that somebody moves is told;
// any other is cancelled at once, so that it needs nobody alive, and is left to be closed by whoever serves its flow next.
// Within a transaction.

import type { Op } from "../../core/run.ts";
import { RunCancelledError } from "../../core/run-errors.ts";
import type { Json } from "../../std/json.ts";
import type { Stored } from "./payloads.ts";
import type { RunRow } from "./statements.ts";
import { under } from "./statements.ts";
import type { Store } from "./store.ts";

/** Gives the ids of those that were not over. */
export function cancelRuns(store: Store, id: string, reason: string, withItself: boolean): string[] {
  const { statements, payloads, commit, clock } = store;
  const now = clock.now();
  const rows = statements.runsUnder.all(...under(id)) as unknown as RunRow[];
  const cancelled: string[] = [];
  const stored = payloads.write("reason", reason);
  for (const row of rows) {
    if (row.ended_at !== null || (row.id === id && !withItself)) continue;
    cancelled.push(row.id);
    // Whoever moves it closes it; one whose lease is over is moved by nobody.
    if (row.owner !== null && row.due! > now) {
      if (row.cancel === null) statements.markCancelled.run(payloads.put(row.number, stored), row.number);
    } else statements.endCancelled.run(row.cancel ?? payloads.put(row.number, stored), now, row.number);
    statements.closePauses.run(closedAnswer(store), now, row.number);
    if (row.id === id && row.parent !== null) statements.wake.run(row.parent);
  }
  if (cancelled.length > 0) commit.bump();
  return cancelled;
}

export function closedAnswer({ payloads }: Store): Stored {
  return payloads.write("answer", { type: "closed" }, true);
}

/** Why a run was cancelled; one whose codec is another one is cancelled all the same. */
export function reasonOf({ payloads }: Store, { cancel }: Pick<RunRow, "cancel">): string | undefined {
  if (cancel === null) return undefined;
  try {
    return String(payloads.read(cancel));
  } catch {
    return "the run was cancelled";
  }
}

/** What an operation comes to once the run was cancelled and nothing is journaled any more. */
export function closedValue({ kind }: Op): Json {
  if (kind === "pause") return { type: "closed" };
  if (kind === "child") return { ok: false, error: { message: "the run was cancelled", code: "run.cancelled" } };
  return null;
}

export function cancelledError(reason: string): RunCancelledError {
  return new RunCancelledError(reason, reason);
}
