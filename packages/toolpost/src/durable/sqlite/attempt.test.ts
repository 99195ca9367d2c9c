// An attempt against the suite of all kernels.
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
