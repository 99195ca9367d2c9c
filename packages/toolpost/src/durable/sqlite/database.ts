// The one place that opens a SQLite database: `node:sqlite`, with what the promises of an engine rest on.
// A commit is on disk when it is told (WAL, synchronous FULL). It must not wait long for a lock: that blocks the process.

import type { DatabaseSync, StatementSync } from "node:sqlite";
import { isToolpostError } from "../../core/errors.ts";

export type Database = DatabaseSync;
export type Statement = StatementSync;

/** @param path a file, or `:memory:` */
export function openDatabase(path: string): Database {
  const { DatabaseSync } = process.getBuiltinModule("node:sqlite");
  const db = new DatabaseSync(path);
  try {
    db.exec("pragma busy_timeout = 50; pragma journal_mode = wal; pragma synchronous = full");
  } catch (error) {
    db.close();
    throw error;
  }
  return db;
}

/** Statements by name. To prepare them all costs more than to open the file. */
export function preparedWhenUsed<Name extends string>(
  db: Database,
  texts: Readonly<Record<Name, string>>,
): { readonly [Each in Name]: Statement } {
  const statements = {} as { [Each in Name]: Statement };
  for (const name of Object.keys(texts) as Name[]) {
    Object.defineProperty(statements, name, {
      configurable: true,
      get() {
        const value = db.prepare(texts[name]);
        Object.defineProperty(statements, name, { value });
        return value;
      },
    });
  }
  return statements;
}

/** Whether another process holds the lock: trying again is all there is to do. */
export function isBusy(error: unknown): boolean {
  const code = codeOf(error);
  return code === 5 || code === 6;
}

/** Whether the store could not do it, whatever it was: no memory, read-only, a broken disk or file, no room, closed. */
export function isStoreTrouble(error: unknown): boolean {
  if (isToolpostError(error)) return error.code.startsWith("engine.");
  const code = codeOf(error);
  return code !== undefined && [5, 6, 7, 8, 10, 11, 13, 14, 15, 26].includes(code);
}

/** SQLite's own, without what is added to it in the upper bits. */
export function codeOf(error: unknown): number | undefined {
  const code = (error as { readonly errcode?: unknown } | undefined)?.errcode;
  return typeof code === "number" ? code & 0xff : undefined;
}
