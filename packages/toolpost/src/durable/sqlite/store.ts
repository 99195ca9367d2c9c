// What the parts of the embedded engine share: the database, its one way to write, the clock, and the statements, each of
// which is prepared once. It decides nothing.

import type { Clock } from "../../std/clock.ts";
import { randomId } from "../../std/id.ts";
import type { Database } from "./database.ts";
import type { CommitHook } from "./group-commit.ts";
import { GroupCommit } from "./group-commit.ts";
import type { Codec } from "./payloads.ts";
import { Payloads } from "./payloads.ts";
import type { Statements } from "./statements.ts";
import { createStatements } from "./statements.ts";

export interface StoreOptions {
  readonly clock: Clock;
  readonly codec?: Codec | undefined;
  readonly leaseMs: number;
  readonly onCommit?: CommitHook | undefined;
}

export class Store {
  readonly db: Database;
  readonly commit: GroupCommit;
  readonly payloads: Payloads;
  readonly statements: Statements;
  readonly leaseMs: number;
  /** The file, the same for all engines on it; another for each store in memory. */
  readonly place: string;
  /** Of this engine: another one in the same process is another owner. */
  readonly owner: string = randomId("owner_");
  /** Whoever serves may bring another one. */
  clock: Clock;

  constructor(db: Database, options: StoreOptions) {
    this.db = db;
    this.clock = options.clock;
    this.leaseMs = options.leaseMs;
    this.commit = new GroupCommit(db, options.onCommit);
    this.payloads = new Payloads(db, options.codec);
    this.statements = createStatements(db);
    const { file } = db.prepare("pragma database_list").get() as { readonly file: string };
    this.place = file === "" ? this.owner : file;
  }
}
