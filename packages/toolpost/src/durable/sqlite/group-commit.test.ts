// One transaction for all writes of a turn, told apart only where one of them fails; a store that is held is tried again.
import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, it, type TestContext } from "node:test";
import { ToolpostError } from "../../core/errors.ts";
import { openDatabase } from "./database.ts";
import type { CommitHook } from "./group-commit.ts";
import { GroupCommit } from "./group-commit.ts";

function opened(test: TestContext, onCommit?: CommitHook) {
  const folder = mkdtempSync(join(tmpdir(), "toolpost-commit-"));
  const path = join(folder, "a.db");
  const db = openDatabase(path);
  db.exec("create table t(n integer primary key)");
  const other = openDatabase(path);
  test.after(() => {
    for (const each of [db, other]) if (each.isOpen) each.close();
    rmSync(folder, { recursive: true });
  });
  const insert = db.prepare("insert into t values(?)");
  const commit = new GroupCommit(db, onCommit);
  const add = (n: number) =>
    commit.run(`${n}`, () => {
      insert.run(n);
      return n;
    });
  const rows = () =>
    other
      .prepare("select n from t order by n")
      .all()
      .map(({ n }) => n);
  return { db, other, commit, add, rows };
}

describe("a group commit", () => {
  it("makes all writes of one turn one transaction, in their order, and tells them when they are on disk", async (test) => {
    const commits: unknown[] = [];
    const { add, rows } = opened(test, (when, keys) => commits.push([when, keys]));
    const told: unknown[] = [];
    const first = [3, 1, 2].map((n) => add(n).then((value) => told.push([value, rows()])));
    await Promise.all(first);
    await add(4);
    assert.deepEqual(
      told,
      [3, 1, 2].map((n) => [n, [1, 2, 3]]),
    );
    assert.deepEqual(commits, [
      ["before", ["3", "1", "2"]],
      ["after", ["3", "1", "2"]],
      ["before", ["4"]],
      ["after", ["4"]],
    ]);
  });

  it("fails the write that throws, and makes the others", async (test) => {
    const { add, commit, rows } = opened(test);
    const error = new Error("of the write");
    const outcomes = await Promise.allSettled([
      add(1),
      commit.run("bad", () => {
        throw error;
      }),
      add(2),
      add(1),
      add(3),
    ]);
    assert.deepEqual(
      outcomes.map(({ status }) => status),
      ["fulfilled", "rejected", "fulfilled", "rejected", "fulfilled"],
    );
    assert.equal((outcomes[1] as PromiseRejectedResult).reason, error);
    assert.deepEqual(rows(), [1, 2, 3]);
  });

  it("makes nothing of a transaction that could not be committed", async (test) => {
    let isBroken = true;
    const { add, rows } = opened(test, (when) => {
      if (when === "before" && isBroken) throw new Error("no room");
    });
    const outcomes = await Promise.allSettled([add(1), add(2)]);
    assert.deepEqual(
      outcomes.map(({ status }) => status),
      ["rejected", "rejected"],
    );
    assert.deepEqual(rows(), []);
    isBroken = false;
    await add(1);
    assert.deepEqual(rows(), [1]);
  });

  it("tries again while another process holds the store, and keeps the order", async (test) => {
    const { other, add, rows } = opened(test);
    other.exec("begin immediate");
    let isTold = false;
    const all = Promise.all([add(2), add(1)]).then(() => (isTold = true));
    await new Promise((resolve) => setImmediate(() => setImmediate(resolve)));
    const later = add(3);
    assert.equal(isTold, false);
    other.exec("commit");
    await all;
    await later;
    assert.deepEqual(rows(), [1, 2, 3]);
  });

  it("says in each write whether anybody else has written since", async (test) => {
    const { other, commit } = opened(test);
    const look = () => commit.run("look", () => commit.generation);
    const first = await look();
    assert.equal(await look(), first);
    other.exec("insert into t values(1)");
    const second = await look();
    assert.notEqual(second, first);
    assert.equal(await look(), second);
    commit.bump();
    assert.notEqual(await look(), second);
  });

  it("makes what is queued when it is closed, and fails what comes later", async (test) => {
    const { add, commit, rows } = opened(test);
    const queued = add(1);
    const reason = new ToolpostError("engine.closed", "closed");
    commit.close(reason);
    await queued;
    await assert.rejects(add(2), reason);
    assert.deepEqual(rows(), [1]);
  });
});
