// An attempt against the suite of all kernels, and what only its writes can show.
import assert from "node:assert/strict";
import { test } from "node:test";
import { fakeClock } from "../../testing/fake-clock.ts";
import { kernelContract } from "../../testing/kernel-contract.ts";
import { answerPause } from "./answer.ts";
import { SqliteAttempt } from "./attempt.ts";
import { openDatabase } from "./database.ts";
import { prepareSchema } from "./schema.ts";
import { insertRun } from "./start-run.ts";
import type { EntryRow, RunRow } from "./statements.ts";
import { Store } from "./store.ts";

kernelContract("an attempt on a file", async (clock, test) => {
  const db = openDatabase(":memory:");
  prepareSchema(db, ":memory:");
  const leaseMs = 3_600_000;
  const store = new Store(db, { clock, leaseMs });
  const { statements, payloads, commit } = store;
  test.after(() => db.close());
  const input = payloads.write("input", null);
  await commit.run("start", () =>
    insertRun(store, { id: "r", flow: "f", version: "", lane: null, parent: null, input }),
  );
  let current: SqliteAttempt | undefined;
  const host = { over() {}, wakeRun() {}, report: (_: string, error: unknown) => console.error(error) };
  return {
    async attempt() {
      const row = statements.run.get("r") as unknown as RunRow;
      const leaseUntil = clock.now() + leaseMs;
      await commit.run("claim", () => statements.claim.run(store.owner, leaseUntil, row.number));
      commit.bump();
      const entries = statements.entries.all(row.number) as unknown as EntryRow[];
      const pauses = statements.pausesOf.all(row.number).map(({ key }) => String(key));
      current = new SqliteAttempt(store, host, { row, token: row.token + 1, leaseUntil, entries, pauses });
      return current;
    },
    async answer(key, value) {
      const word = await answerPause(store, { runId: "r", key }, value, undefined);
      current?.notice();
      return word;
    },
    async endChild(key, value) {
      const { number } = statements.run.get(`r/${key}`) as unknown as RunRow;
      const result = payloads.write("result", value);
      await commit.run("end", () => statements.end.run("done", result, null, clock.now(), number));
      current?.notice();
    },
  };
});

test("a timer that comes due while its run is being given up is seen by whoever claims the run next", async (t) => {
  const db = openDatabase(":memory:");
  t.after(() => db.close());
  prepareSchema(db, ":memory:");
  const fake = fakeClock(1_000);
  let passed = 0;
  const clock = { now: () => fake.now() + passed, schedule: fake.schedule.bind(fake) };
  const store = new Store(db, { clock, leaseMs: 60_000 });
  const { statements, payloads, commit } = store;
  const input = payloads.write("input", null);
  await commit.run("start", () =>
    insertRun(store, { id: "r", flow: "f", version: "", lane: null, parent: null, input }),
  );
  const row = statements.run.get("r") as unknown as RunRow;
  const leaseUntil = clock.now() + 60_000;
  await commit.run("claim", () => statements.claim.run(store.owner, leaseUntil, row.number));
  const host = { over() {}, wakeRun() {}, report: (_: string, error: unknown) => assert.fail(String(error)) };
  const attempt = new SqliteAttempt(store, host, { row, token: 1, leaseUntil, entries: [], pauses: [] });
  // It waits for nothing else, so this gives it up: the write is on its way.
  void attempt.select([attempt.issue({ kind: "timer", key: "nap", at: 1_040 })]);
  passed = 40;
  attempt.notice();
  await commit.run("after", () => undefined);
  const { owner, due } = statements.run.get("r") as unknown as RunRow;
  assert.deepEqual([owner, due], [null, 1_040]);
});
