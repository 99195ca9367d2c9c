// Rows as those who look at runs get them.
// What stands in the store under a codec is decoded here, and what cannot be is refused.

import type {
  Answer,
  Failure,
  JournalEntry,
  PauseFilter,
  PauseRecord,
  PauseRequest,
  RunFilter,
  RunRecord,
  RunState,
} from "../../core/run.ts";
import { reasonOf } from "./cancel.ts";
import type { EntryRow, PauseRow, RunRow } from "./statements.ts";
import { isUnder, under } from "./statements.ts";
import type { Store } from "./store.ts";

export function recordOf(store: Store, row: RunRow): RunRecord {
  const { payloads } = store;
  const error = failureOf(store, row);
  return {
    runId: row.id,
    flow: row.flow,
    state: row.state as RunState,
    input: payloads.read(row.input),
    ...(row.result === null ? {} : { result: payloads.read(row.result) }),
    ...(error === undefined ? {} : { error }),
    ...(row.version === "" ? {} : { version: row.version }),
    ...(row.parent === null ? {} : { parent: row.parent }),
    ...(row.lane === null ? {} : { lane: row.lane }),
    createdAt: row.created_at,
    ...(row.ended_at === null ? {} : { endedAt: row.ended_at }),
  };
}

function failureOf(store: Store, row: RunRow): Failure | undefined {
  if (row.error !== null) return store.payloads.read(row.error) as unknown as Failure;
  if (row.state !== "cancelled") return undefined;
  return { message: reasonOf(store, row) ?? "", code: "run.cancelled" };
}

export function listRuns(store: Store, filter: RunFilter): RunRecord[] {
  const { states, flow, lane, prefix, limit = 100 } = filter;
  const conditions: string[] = [];
  const values: (string | number)[] = [];
  if (filter.under !== undefined) {
    conditions.push(isUnder);
    values.push(...under(filter.under));
  }
  if (prefix !== undefined) {
    conditions.push("id >= ? and id < ?");
    values.push(prefix, prefix + lastCharacter);
  }
  if (states !== undefined) {
    conditions.push(`state in (${states.map(() => "?").join(", ")})`);
    values.push(...states);
  }
  if (flow !== undefined) {
    conditions.push("flow = ?");
    values.push(flow);
  }
  if (lane !== undefined) {
    conditions.push("lane = ?");
    values.push(lane);
  }
  const where = conditions.length === 0 ? "" : `where ${conditions.join(" and ")}`;
  const rows = store.db.prepare(`select * from runs ${where} order by number desc limit ?`).all(...values, limit);
  return (rows as unknown as RunRow[]).map((row) => recordOf(store, row));
}

/** Nothing that starts with a text comes after the text and this. */
const lastCharacter = "\u{10ffff}";

export function readJournal({ statements, payloads }: Store, runId: string): JournalEntry[] {
  const run = statements.run.get(runId) as RunRow | undefined;
  if (run === undefined) return [];
  return (statements.entries.all(run.number) as unknown as EntryRow[]).map(({ seq, key, kind, at, value }) => ({
    seq,
    key,
    kind: kind as JournalEntry["kind"],
    at,
    value: payloads.read(value),
  }));
}

export function listPauses(store: Store, filter: PauseFilter): PauseRecord[] {
  const { id, prefix, answered = false } = filter;
  const now = store.clock.now();
  const conditions: string[] = [];
  const values: (string | number)[] = [];
  if (filter.under !== undefined) {
    conditions.push(isUnder);
    values.push(...under(filter.under));
  }
  if (id !== undefined) {
    conditions.push("pauses.id = ?");
    values.push(id);
  }
  if (prefix !== undefined) {
    conditions.push("pauses.id >= ? and pauses.id < ?");
    values.push(prefix, prefix + lastCharacter);
  }
  if (!answered) {
    conditions.push("answer is null and (expires_at is null or expires_at > ?)");
    values.push(now);
  }
  const where = conditions.length === 0 ? "" : `where ${conditions.join(" and ")}`;
  const sql = `select pauses.*, runs.id as run_id from pauses join runs on runs.number = pauses.run ${where} order by pauses.number`;
  return (store.db.prepare(sql).all(...values) as unknown as (PauseRow & { readonly run_id: string })[]).map((row) =>
    pauseOf(store, row, now),
  );
}

function pauseOf({ payloads }: Store, row: PauseRow & { readonly run_id: string }, now: number): PauseRecord {
  const isExpired = row.answer === null && row.expires_at !== null && row.expires_at <= now;
  const answer: Answer | undefined = isExpired
    ? { type: "expired" }
    : row.answer === null
      ? undefined
      : (payloads.read(row.answer) as unknown as Answer);
  const answeredAt = isExpired ? row.expires_at : row.answered_at;
  return {
    runId: row.run_id,
    key: row.key,
    request: payloads.read(row.request) as unknown as PauseRequest,
    askedAt: row.asked_at,
    ...(answer === undefined ? {} : { answer }),
    ...(answeredAt === null ? {} : { answeredAt }),
    ...(row.answered_by === null ? {} : { answeredBy: payloads.read(row.answered_by) }),
  };
}
