// Opens the file of an engine with its tables, and says in words what is wrong where that cannot be done.
// SQLite itself says neither which file it was nor what to do.

import { ToolpostError } from "../../core/errors.ts";
import type { Database } from "./database.ts";
import { codeOf, openDatabase } from "./database.ts";
import { prepareSchema } from "./schema.ts";

/** @throws ToolpostError `engine.cannot-open`, `engine.newer-schema` */
export function openFile(path: string): Database {
  let db: Database | undefined;
  try {
    db = openDatabase(path);
    prepareSchema(db, path);
    return db;
  } catch (error) {
    db?.close();
    throw codeOf(error) === undefined ? error : cannotOpen(path, error);
  }
}

function cannotOpen(path: string, error: unknown): ToolpostError {
  const [why, hint] = reasonFor(path, error);
  return new ToolpostError("engine.cannot-open", `\`${path}\` cannot be opened by an engine: ${why}`, {
    hint,
    cause: error,
  });
}

/** What is wrong, and what to do. */
function reasonFor(path: string, error: unknown): readonly [string, string?] {
  switch (codeOf(error)) {
    case 5:
    case 6:
      return ["another process holds it at the moment", "Try again, or look which process holds the file."];
    case 8:
      return ["it may only be read", "Let the process write the file and its folder, or give another path."];
    case 13:
      return ["its disk is full", "Make room on the disk, or give a path on another one."];
    case 14:
      return unopened(path);
    case 26:
      return ["it is no SQLite database", "Give the path of another file; what lies there was not touched."];
    default:
      return [error instanceof Error ? error.message : String(error)];
  }
}

function unopened(path: string): readonly [string, string] {
  const { statSync } = process.getBuiltinModule("node:fs");
  const { dirname, resolve } = process.getBuiltinModule("node:path");
  const folder = dirname(resolve(path));
  if (statSync(path, { throwIfNoEntry: false })?.isDirectory() === true)
    return ["it is a folder", "Give the path of a file in it, such as `runs.db`."];
  if (statSync(folder, { throwIfNoEntry: false })?.isDirectory() !== true)
    return [`there is no folder \`${folder}\``, "Make the folder first, or give another path."];
  return [
    `the process may not read and write it, or not its folder \`${folder}\``,
    "Let the process write the file and its folder, or give another path.",
  ];
}
