// A SQLite file with threads in it, in the test's process or in one of its own, without an engine around it.
// Its commit is a small one: all writes of one turn of the event loop are one transaction.
import { DatabaseSync } from "node:sqlite";
import type { Message } from "../../src/core/message.ts";
import type { ThreadStore } from "../../src/core/thread.ts";
import type { SqliteThreadsOptions } from "../../src/durable/sqlite/sqlite-threads.ts";
import { sqliteThreads, threadTables } from "../../src/durable/sqlite/sqlite-threads.ts";

export const asTexts: SqliteThreadsOptions["codec"] = { encode: (text) => text, decode: (stored) => stored as string };

/** A file with its tables and a store over a small commit of many writes at once. */
export function openThreads(
  file: string,
  codec: SqliteThreadsOptions["codec"] = asTexts,
): { db: DatabaseSync; store: Required<ThreadStore> } {
  const db = new DatabaseSync(file);
  db.exec(`pragma busy_timeout = 10000; pragma journal_mode = wal; ${threadTables}`);
  return { db, store: sqliteThreads({ db, commit: committer(db), codec }) };
}

/** All writes of one turn of the event loop are one transaction; one that throws takes no other along. */
function committer(db: DatabaseSync): SqliteThreadsOptions["commit"] {
  let batch: (() => () => void)[] = [];
  const flush = (): void => {
    const writes = batch;
    batch = [];
    try {
      db.exec("begin immediate");
    } catch {
      // Each write rejects with what it meets.
    }
    const settle = writes.map((write) => write());
    if (db.isOpen) db.exec("commit");
    for (const done of settle) done();
  };
  return (write) =>
    new Promise((resolve, reject) => {
      if (batch.length === 0) setImmediate(flush);
      batch.push(() => {
        try {
          const value = write();
          return () => resolve(value);
        } catch (error) {
          return () => reject(error);
        }
      });
    });
}

export function said(text: string): Message {
  return { role: "user", content: [{ type: "text", text }] };
}
