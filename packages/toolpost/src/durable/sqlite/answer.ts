// The one judge of a pause: a person, its expiry and the end of its run are conditional writes, and the first one counts.
// Whatever ends or cancels a run closes its pauses in the same transaction, so a pause says itself whether it can be answered.
// An answer that comes after the expiry is refused here, with nobody alive to notice the time.

import type { Answer, PauseRef } from "../../core/run.ts";
import type { Json } from "../../std/json.ts";
import type { PauseRow, RunRow } from "./statements.ts";
import type { Store } from "./store.ts";

export type Answered = "accepted" | "answered" | "expired" | "closed" | "unknown";

export async function answerPause(store: Store, pause: PauseRef, value: Json, by: Json | undefined): Promise<Answered> {
  const { payloads, commit } = store;
  const stored = payloads.write("answer", { type: "answer", value });
  const answeredBy = by === undefined ? null : payloads.write("answered-by", by);
  return commit.run(`${pause.runId}/${pause.key}:answer`, () => judge(store, pause, stored, answeredBy));
}

/** Within a transaction. */
function judge(
  { statements, payloads, clock }: Store,
  { runId, key }: PauseRef,
  stored: string | Uint8Array,
  answeredBy: string | Uint8Array | null,
): Answered {
  const run = statements.run.get(runId) as RunRow | undefined;
  const pause = run && (statements.pause.get(run.number, key) as PauseRow | undefined);
  if (run === undefined || pause === undefined) return "unknown";
  if (pause.answer !== null) return wordOf(payloads.read(pause.answer) as unknown as Answer);
  const now = clock.now();
  const isExpired = pause.expires_at !== null && pause.expires_at <= now;
  const answer = isExpired ? payloads.write("answer", { type: "expired" }, true) : payloads.put(run.number, stored);
  const by = isExpired || answeredBy === null ? null : payloads.put(run.number, answeredBy);
  statements.answer.run(answer, now, by, run.number, key);
  statements.wake.run(runId);
  return isExpired ? "expired" : "accepted";
}

function wordOf({ type }: Answer): Answered {
  return type === "answer" ? "answered" : type;
}
