// Threads in a SQLite file, for all processes that have it open. It writes only through the `commit` it is given, which
// shares one transaction among many writers, and makes no tables: `threadTables` is for who makes all of them.
// It must not leave half an append behind, whatever fails in the middle of one.

import type { DatabaseSync, SQLInputValue, StatementSync } from "node:sqlite";
import { ToolpostError } from "../../core/errors.ts";
import type { Message } from "../../core/message.ts";
import type { ThreadKey, ThreadStore } from "../../core/thread.ts";
import { once } from "../../std/once.ts";

/** Columns have no types, so that a value is kept as it is bound, and texts and bytes are never the same. */
export const threadTables: string = `
create table if not exists threads(id primary key, owner) without rowid;
create table if not exists thread_messages(thread, seq integer, run, payload, primary key(thread, seq)) without rowid;
create index if not exists thread_messages_run on thread_messages(thread, run) where run is not null;
create table if not exists thread_summaries(thread, turn integer, payload, primary key(thread, turn)) without rowid;
`;

export interface SqliteThreadsOptions {
  readonly db: DatabaseSync;
  /**
   * Runs the write in a transaction that was begun `immediate`, and resolves with what it gave once that is durable; rejects
   * with what it threw, or with why nothing could be committed. Other writes of the transaction are none of its business.
   */
  readonly commit: <T>(write: () => T) => Promise<T>;
  /** What payloads are stored as. A throw of either rejects the read or the append. */
  readonly codec: {
    encode(text: string): string | Uint8Array;
    decode(stored: string | Uint8Array): string;
  };
}

export function sqliteThreads({ db, commit, codec }: SqliteThreadsOptions): Required<ThreadStore> {
  const sql = statements(db);
  const insertAll = ({ threadId, ownerId }: ThreadKey, run: string | null, payloads: readonly Payload[]): void => {
    const thread = bound(threadId);
    if (run !== null && sql.hasRun().get(thread, bound(run)) !== undefined) return;
    sql.insertThread().run(thread, bound(ownerId));
    let seq = Number(sql.lastSeq().get(thread)!.seq);
    for (const payload of payloads) sql.insertMessage().run(thread, ++seq, bound(run), payload);
  };
  return {
    async read({ threadId, ownerId }) {
      const rows = sql.messages().all(bound(threadId), bound(ownerId));
      return rows.map(({ payload }) => parsed<Message>(codec.decode(payload as Payload), threadId));
    },

    async append(key, messages, runId) {
      // Before the transaction: it is others' too, and what cannot be written down must not get that far.
      const payloads = messages.map((message) => codec.encode(JSON.stringify(message)));
      await commit(() => {
        refuseForeign(sql.owner().get(bound(key.ownerId), bound(key.threadId)), key);
        if (payloads.length > 0) whole(sql, () => insertAll(key, runId ?? null, payloads));
      });
    },

    async summaries({ threadId, ownerId }) {
      const rows = sql.summaries().all(bound(threadId), bound(ownerId));
      return new Map(
        rows.map(({ turn, payload }) => [Number(turn), parsed(codec.decode(payload as Payload), threadId)]),
      );
    },

    async keepSummary(key, turn, text) {
      // As JSON, too: Node 22 reads a text up to its first NUL only, and UTF-8 has no lone surrogates.
      const payload = codec.encode(JSON.stringify(text));
      await commit(() => {
        const found = sql.owner().get(bound(key.ownerId), bound(key.threadId));
        refuseForeign(found, key);
        if (found !== undefined) sql.insertSummary().run(bound(key.threadId), turn, payload);
      });
    },
  };
}

type Payload = string | Uint8Array;

/** Each made when first used: the tables may come after the store. */
function statements(db: DatabaseSync): Record<keyof typeof texts, () => StatementSync> {
  const entries = Object.entries(texts).map(([name, text]) => [name, once(() => db.prepare(text))]);
  return Object.fromEntries(entries) as Record<keyof typeof texts, () => StatementSync>;
}

// `is` instead of `=`: no owner is an owner like any other. No `?1`: Node 22 cannot bind those by position.
const texts = {
  owner: "select owner is ? as isOwn from threads where id = ?",
  hasRun: "select 1 from thread_messages where thread = ? and run = ? limit 1",
  lastSeq: "select coalesce(max(seq), 0) as seq from thread_messages where thread = ?",
  insertThread: "insert into threads(id, owner) values(?, ?) on conflict do nothing",
  insertMessage: "insert into thread_messages(thread, seq, run, payload) values(?, ?, ?, ?)",
  insertSummary: "insert into thread_summaries(thread, turn, payload) values(?, ?, ?) on conflict do nothing",
  messages: `select payload from threads join thread_messages on thread = id
    where id = ? and owner is ? order by seq`,
  summaries: `select turn, payload from threads join thread_summaries on thread = id
    where id = ? and owner is ?`,
  begin: "savepoint thread_append",
  release: "release thread_append",
  undo: "rollback to thread_append",
} as const;

/** All of it or nothing, also where the transaction goes on with what others write. */
function whole(sql: ReturnType<typeof statements>, write: () => void): void {
  sql.begin().run();
  try {
    write();
  } catch (error) {
    try {
      sql.undo().run();
      sql.release().run();
    } catch {
      // A full disk or a broken file ends the transaction itself, and the savepoint with it: nothing is left to undo.
    }
    throw error;
  }
  sql.release().run();
}

function refuseForeign(found: Record<string, unknown> | undefined, { threadId }: ThreadKey): void {
  if (found === undefined || found.isOwn === 1) return;
  throw new ToolpostError("thread.foreign", `thread \`${threadId}\` belongs to another owner`);
}

/** A lone surrogate does not survive in UTF-8: two ids would become one, and one owner another. Bytes equal no text. */
function bound(id: string | null | undefined): SQLInputValue {
  if (id === undefined || id === null) return null;
  return id.isWellFormed() ? id : Buffer.from(id, "utf16le");
}

/** Without the limits that foreign text is read with: what was stored must come back, however deep it is. */
function parsed<T>(text: string, threadId: string): T {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new TypeError(`what thread \`${threadId}\` holds is not what was stored`, { cause });
  }
}
