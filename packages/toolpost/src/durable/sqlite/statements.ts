// Every statement of the embedded engine on its runs, entries and pauses, prepared once, when it is first used.
// Names say what they do; whoever uses one inside an attempt asks first whether the run is still its own.

import type { Database, Statement } from "./database.ts";
import { preparedWhenUsed } from "./database.ts";
import type { Stored } from "./payloads.ts";

export interface RunRow {
  readonly number: number;
  readonly id: string;
  readonly flow: string;
  readonly version: string;
  readonly lane: string | null;
  readonly parent: string | null;
  readonly state: string;
  readonly input: Stored;
  readonly result: Stored | null;
  readonly error: Stored | null;
  readonly owner: string | null;
  readonly token: number;
  readonly due: number | null;
  /** The reason, where it was cancelled. */
  readonly cancel: Stored | null;
  readonly closing: number;
  readonly created_at: number;
  readonly ended_at: number | null;
}

export interface EntryRow {
  readonly seq: number;
  readonly key: string;
  readonly kind: string;
  readonly at: number;
  readonly value: Stored;
}

export interface PauseRow {
  readonly number: number;
  readonly run: number;
  readonly key: string;
  readonly id: string | null;
  readonly request: Stored;
  readonly expires_at: number | null;
  readonly asked_at: number;
  readonly answer: Stored | null;
  readonly answered: number | null;
  readonly answered_at: number | null;
  readonly answered_by: Stored | null;
}

/** A run whose turn in its lane it is: no earlier one of it is unfinished, or still to be closed by whoever may claim both. */
const laneIsFree = `(lane is null or not exists(select 1 from runs e
  where e.lane = runs.lane and e.number < runs.number and (e.ended_at is null or e.owner is not null
    or (e.closing = 1 and e.version = runs.version and e.flow in (select value from json_each(?))))))`;
/** A run's own id or one below; bound to `under(id)`. No `?1`: Node 22 cannot bind those by position. */
export const isUnder = "(runs.id = ? or (runs.id > ? and runs.id < ?))";

/** `0` comes right after `/`. */
export function under(id: string): [string, string, string] {
  return [id, `${id}/`, `${id}0`];
}

/** In which order a pause was answered among those of its run. */
const nextAnswered = "(select coalesce(max(answered), 0) + 1 from pauses other where other.run = pauses.run)";

export interface Statements {
  readonly insertRun: Statement;
  readonly setInput: Statement;
  readonly run: Statement;
  readonly runsUnder: Statement;
  readonly fence: Statement;
  readonly claimable: Statement;
  readonly nextDue: Statement;
  readonly otherVersion: Statement;
  readonly otherVersions: Statement;
  readonly nextLost: Statement;
  readonly claim: Statement;
  readonly beat: Statement;
  readonly rest: Statement;
  readonly release: Statement;
  readonly end: Statement;
  readonly endClosing: Statement;
  readonly wake: Statement;
  readonly markCancelled: Statement;
  readonly endCancelled: Statement;
  readonly entries: Statement;
  readonly insertEntry: Statement;
  readonly insertPause: Statement;
  readonly pause: Statement;
  readonly pausesOf: Statement;
  readonly answers: Statement;
  readonly answer: Statement;
  readonly closePauses: Statement;
  readonly closesChild: Statement;
}

const texts: Readonly<Record<keyof Statements, string>> = {
  insertRun: `insert or ignore into runs(id, flow, version, lane, parent, state, input, due, created_at)
      values(?, ?, ?, ?, ?, 'queued', ?, 0, ?)`,
  setInput: "update runs set input = ? where number = ?",
  run: "select * from runs where id = ?",
  runsUnder: `select * from runs where ${isUnder}`,
  fence: "select owner, token, cancel from runs where number = ?",
  claimable: `select runs.* from json_each(?) as flows
    cross join runs on runs.flow = flows.value and version = ? and due <= ? and ${laneIsFree}
    order by due, number limit ?`,
  nextDue: `select min((select min(due) from runs where flow = flows.value and version = ? and due > ?)) as due
    from json_each(?) as flows`,
  otherVersion: `select 1 from json_each(?) as flows where
    exists(select 1 from runs where flow = flows.value and version < ? and due <= ? and closing = 0)
    or exists(select 1 from runs where flow = flows.value and version > ? and due <= ? and closing = 0)`,
  nextLost: `select min(due) as due from runs where (owner < ? or owner > ?) and due > ? and version <> ?
    and flow in (select value from json_each(?))`,
  otherVersions: `select flow, version, count(*) as count, min(number) as number, runs.id as id
    from json_each(?) as flows cross join runs on runs.flow = flows.value and version <> ? and due <= ? and closing = 0
    group by flow, version`,
  claim: `update runs set owner = ?, token = token + 1, due = ?,
      state = case closing when 1 then state else 'running' end where number = ?`,
  beat: "update runs set due = ? where owner = ? and due > ?",
  rest: "update runs set owner = null, state = 'waiting', due = ? where number = ?",
  release: `update runs set owner = null, due = ?,
      state = case closing when 1 then state else 'queued' end where number = ?`,
  end: `update runs set state = ?, result = ?, error = ?, owner = null, due = null, closing = 0,
      ended_at = ? where number = ?`,
  endClosing: "update runs set owner = null, due = null, closing = 0 where number = ?",
  wake: "update runs set state = 'queued', due = 0 where id = ? and state = 'waiting'",
  markCancelled: "update runs set cancel = ? where number = ?",
  endCancelled: `update runs set state = 'cancelled', cancel = ?, closing = 1, due = 0, ended_at = ?,
      owner = null where number = ?`,
  entries: "select seq, key, kind, at, value from entries where run = ? order by seq",
  insertEntry: "insert into entries(run, seq, key, kind, at, value) values(?, ?, ?, ?, ?, ?)",
  insertPause: `insert or ignore into pauses(run, key, id, request, expires_at, asked_at)
      values(?, ?, ?, ?, ?, ?)`,
  pause: "select * from pauses where run = ? and key = ?",
  pausesOf: "select key from pauses where run = ?",
  answers: "select key, answer from pauses where run = ? and answer is not null order by answered",
  answer: `update pauses set answer = ?, answered = ${nextAnswered}, answered_at = ?, answered_by = ?
      where run = ? and key = ? and answer is null`,
  closesChild: `select 1 from runs join entries on entries.run = runs.number
      where runs.id = ? and entries.kind = 'close-child' and substr(entries.key, -length(?)) = ?`,
  closePauses: `update pauses set answer = ?, answered = ${nextAnswered}, answered_at = ?
      where run = ? and answer is null`,
};

export function createStatements(db: Database): Statements {
  return preparedWhenUsed(db, texts);
}
