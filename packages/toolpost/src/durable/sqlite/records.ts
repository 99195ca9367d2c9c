// Rows as those who look at runs get them.
// What stands in the store under a codec is decoded here, and what cannot be is refused.

import { isToolpostError, ToolpostError } from "../../core/errors.ts";
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

/** @throws ToolpostError `engine.unreadable`, with the id of the run */
export function recordOf(store: Store, row: RunRow): RunRecord {
  return naming(row.id, () => {
    const { payloads } = store;
    const error = failureOf(store, row);
    return {
      ...plainOf(store, row),
      input: payloads.read(row.input),
      ...(row.result === null ? {} : { result: payloads.read(row.result) }),
      ...(error === undefined ? {} : { error }),
    };
  });
}

/** One among others: a run that cannot be read must not hide those that can. */
function listedRun(store: Store, row: RunRow): RunRecord {
  try {
    return recordOf(store, row);
  } catch (error) {
    return { ...plainOf(store, row), input: null, error: unreadableFailure(error) };
  }
}

/** What passes no codec. */
function plainOf(store: Store, row: RunRow): Omit<RunRecord, "input"> {
  return {
    runId: row.id,
    flow: row.flow,
    state: row.state as RunState,
    ...(row.version === "" ? {} : { version: row.version }),
    ...(row.parent === null ? {} : { parent: row.parent }),
    ...(row.lane === null ? {} : { lane: row.lane }),
    createdAt: row.created_at,
    ...(row.ended_at === null ? {} : { endedAt: row.ended_at }),
    ...(row.owner === null || row.due === null || row.ended_at !== null
      ? {}
      : { lease: { until: row.due, isOwn: row.owner === store.owner } }),
  };
}

function naming<T>(runId: string, read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (!isToolpostError(error) || error.code !== "engine.unreadable") throw error;
    const { cause } = error;
    throw new ToolpostError(error.code, `the run \`${runId}\` cannot be read: ${error.message}`, { cause });
  }
}

/** Throws what is of another kind: the store itself has failed. */
function unreadableFailure(error: unknown): Failure {
  if (!isToolpostError(error) || error.code !== "engine.unreadable") throw error;
  return { message: error.message, code: error.code };
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
  return (rows as unknown as RunRow[]).map((row) => listedRun(store, row));
}

/** Nothing that starts with a text comes after the text and this. */
const lastCharacter = "\u{10ffff}";

export function readJournal({ statements, payloads }: Store, runId: string): JournalEntry[] {
  const run = statements.run.get(runId) as RunRow | undefined;
  if (run === undefined) return [];
  return naming(runId, () =>
    (statements.entries.all(run.number) as unknown as EntryRow[]).map(({ seq, key, kind, at, value }) => ({
      seq,
      key,
      kind: kind as JournalEntry["kind"],
      at,
      value: payloads.read(value),
    })),
  );
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
  return (store.db.prepare(sql).all(...values) as unknown as ListedPause[]).map((row) => listedPause(store, row, now));
}

type ListedPause = PauseRow & { readonly run_id: string };

function listedPause(store: Store, row: ListedPause, now: number): PauseRecord {
  try {
    return naming(row.run_id, () => pauseOf(store, row, now));
  } catch (error) {
    const isExpired = isOverdue(row, now);
    const { run_id: runId, key, id, expires_at: expiresAt, asked_at: askedAt, answered_at: answeredAt } = row;
    return {
      runId,
      key,
      request: {
        kind: "unreadable",
        data: null,
        ...(id === null ? {} : { id }),
        ...(expiresAt === null ? {} : { expiresAt }),
      },
      askedAt,
      ...(isExpired ? { answer: { type: "expired" as const } } : {}),
      ...(answeredAt === null ? {} : { answeredAt }),
      error: unreadableFailure(error),
    };
  }
}

function pauseOf({ payloads }: Store, row: ListedPause, now: number): PauseRecord {
  const isExpired = isOverdue(row, now);
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

function isOverdue({ answer, expires_at: expiresAt }: PauseRow, now: number): boolean {
  return answer === null && expiresAt !== null && expiresAt <= now;
}
