// One file with runs, as the harness sees it: it starts workers on it, answers what waits, and reads what is stored.
// Its own application serves nothing, so it moves no run.

import { mkdtempSync, rmSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import type { App } from "../../../src/app/create-app.ts";
import { createApp } from "../../../src/app/create-app.ts";
import type { RunRecord } from "../../../src/core/run.ts";
import type { SqliteEngine } from "../../../src/durable/sqlite/sqlite-engine.ts";
import { openEngine } from "../../../src/durable/sqlite/sqlite-engine.ts";
import { IT_HAPPENED } from "../../../src/pipeline/phrases.ts";
import { deskOptions } from "./desk.ts";
import type { NotedEffect } from "./effects.ts";
import { Effects, linesOf, readEffects } from "./effects.ts";
import type { WorkerOrder } from "./order.ts";
import { nextTurn } from "./prompt-model.ts";
import { scratch, WorkerProcess } from "./worker-process.ts";

/** So long that no process which is alive loses a run, however busy the machine is. */
const leaseMs = 60_000;

export class Scene {
  readonly folder: string = mkdtempSync(join(scratch, "scene-"));
  readonly database: string = join(this.folder, "runs.db");
  readonly engine: SqliteEngine;
  readonly app: App;
  readonly workers: WorkerProcess[] = [];
  #answering: Promise<void> = Promise.resolve();

  constructor() {
    this.engine = openEngine(this.database, {});
    const order = { task: "serve", database: this.database, effects: join(this.folder, "harness"), leaseMs } as const;
    const options = deskOptions({ effects: new Effects(order), gate: async () => undefined, isChanged: false });
    this.app = createApp({ ...options, engine: this.engine });
  }

  /** What its runs wait for is answered as soon as it says so. */
  worker(order: Partial<WorkerOrder> = {}, { answers = true }: { readonly answers?: boolean } = {}): WorkerProcess {
    const worker = new WorkerProcess({
      task: "desk",
      database: this.database,
      effects: join(this.folder, "effects"),
      leaseMs,
      ...order,
    });
    worker.onMessage(({ type }) => {
      if (answers && type === "waiting") void this.answerAll();
    });
    this.workers.push(worker);
    return worker;
  }

  get points(): string {
    return join(this.folder, "points");
  }

  readPoints(): readonly string[] {
    return linesOf(this.points);
  }

  readEffects(): readonly NotedEffect[] {
    return readEffects(join(this.folder, "effects"));
  }

  /** Answers whatever waits for a person. */
  answerAll(): Promise<void> {
    this.#answering = this.#answering.then(() => this.#answerAll());
    return this.#answering;
  }

  async #answerAll(): Promise<void> {
    for (const { pauseId, value, isChannelAsked } of await this.app.approvals()) {
      const answer =
        value.kind === "approval"
          ? ({ pauseId, decision: "approve" } as const)
          : { pauseId, reply: value.choices === undefined ? "blue" : IT_HAPPENED };
      await this.app.answer(answer, isChannelAsked ? { answeredBy: "paging" } : { ownerId: "ada" });
    }
  }

  /** The runs of an agent, once so many were begun and all have ended. */
  async ended(flow: string, count: number): Promise<readonly RunRecord[]> {
    for (;;) {
      const runs = await this.engine.list({ flow, limit: 1_000 });
      if (runs.length >= count) return Promise.all(runs.map(({ runId }) => this.engine.result(runId)));
      await nextTurn();
    }
  }

  /** Keys of the journal's entries, by run. */
  async journals(): Promise<ReadonlyMap<string, ReadonlySet<string>>> {
    const runs = await this.engine.list({ limit: 1_000 });
    const journals = new Map<string, ReadonlySet<string>>();
    for (const { runId } of runs) {
      const entries = await this.engine.journal(runId);
      journals.set(runId, new Set(entries.map(({ key }) => key)));
    }
    return journals;
  }

  /** Lets the time pass until the leases of processes that are gone have run out: waiting for it would show no more. */
  endLeases(): void {
    const db = new DatabaseSync(this.database, { timeout: 10_000 });
    try {
      db.exec("update runs set due = 0 where owner is not null");
    } finally {
      db.close();
    }
  }

  /** All that is stored, but for who moves what until when. */
  dump(): string {
    const db = new DatabaseSync(this.database, { readOnly: true });
    try {
      const tables = ["runs", "entries", "pauses", "threads", "thread_messages"];
      return JSON.stringify(tables.map((table) => [table, db.prepare(`select * from ${table}`).all()]));
    } finally {
      db.close();
    }
  }

  async close(): Promise<void> {
    for (const worker of this.workers) worker.kill("SIGKILL");
    await Promise.all(this.workers.map(({ exit }) => exit));
    await this.#answering.catch(() => undefined);
    await this.app.close();
    rmSync(this.folder, { recursive: true, force: true });
  }
}
