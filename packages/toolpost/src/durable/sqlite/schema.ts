// The tables of the embedded engine, and how a file comes to have them.
// A file that a newer version has written is refused: half of its promises would be unknown here.

import { ToolpostError } from "../../core/errors.ts";
import type { Database } from "./database.ts";
import { threadTables } from "./sqlite-threads.ts";

/** Of the file, in `pragma user_version`. */
export const schemaVersion = 1;

/**
 * `due` says from when on an instance may claim a run: 0 at once, the end of the lease of one that is moved, the first timer
 * of one that waits; none of one that waits for people only, or has ended. `entries` has one row for each operation that
 * settled, in the order its owner saw.
 */
const ddl = `
create table runs(
  number integer primary key autoincrement, id text not null unique, flow text not null, version text not null,
  lane text, parent text, state text not null, input not null, result, error,
  owner text, token integer not null default 0, due integer, cancel, closing integer not null default 0,
  created_at integer not null, ended_at integer);
create index runs_due on runs(flow, version, due) where due is not null;
create index runs_owner on runs(owner) where owner is not null;
create index runs_lane on runs(lane, number) where lane is not null;
create index runs_ended on runs(ended_at) where ended_at is not null and parent is null;
create table entries(
  run integer not null, seq integer not null, key text not null, kind text not null, at integer not null, value not null,
  primary key(run, seq)) without rowid;
create table pauses(
  number integer primary key, run integer not null, key text not null, id text unique, request not null,
  expires_at integer, asked_at integer not null, answer, answered integer, answered_at integer, answered_by,
  unique(run, key));
create index pauses_open on pauses(run) where answer is null;
create table payloads(hash text primary key, bytes not null);
create table payload_uses(run integer not null, hash text not null, primary key(run, hash)) without rowid;
create index payload_uses_hash on payload_uses(hash);
${threadTables}`;

/** Gives an empty file its tables. @throws ToolpostError `engine.newer-schema` */
export function prepareSchema(db: Database, path: string): void {
  if (versionOf(db, path) === schemaVersion) return;
  db.exec("begin immediate");
  try {
    // Another process may have come first.
    if (versionOf(db, path) === 0) db.exec(`${ddl} pragma user_version = ${schemaVersion}`);
    db.exec("commit");
  } catch (error) {
    if (db.isTransaction) db.exec("rollback");
    throw error;
  }
}

function versionOf(db: Database, path: string): number {
  const { user_version: version } = db.prepare("pragma user_version").get() as { readonly user_version: number };
  if (version <= schemaVersion) return version;
  throw new ToolpostError(
    "engine.newer-schema",
    `\`${path}\` was written by a newer Toolpost (its tables are version ${version}, this one knows ${schemaVersion})`,
  );
}
