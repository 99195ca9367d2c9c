// What lies in the file: large values once, through the codec, for as long as a run uses them; versions of the file and of
// the values in it; the store that does not answer; a process that has nothing to do.
import assert from "node:assert/strict";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, it, type TestContext } from "node:test";
import { runNode } from "../../../test/lib/run-command.ts";
import type { LogEntry } from "../../core/govern.ts";
import type { Engine, Flow } from "../../core/run.ts";
import { hours, milliseconds, seconds } from "../../std/units.ts";
import { fakeClock } from "../../testing/fake-clock.ts";
import type { Database } from "./database.ts";
import { openDatabase } from "./database.ts";
import { memoryEngine, openEngine, sqlite } from "./sqlite-engine.ts";

function file(test: TestContext): { readonly path: string; raw(): Database } {
  const folder = mkdtempSync(join(tmpdir(), "toolpost-store-"));
  const path = join(folder, "runs.db");
  const raws: Database[] = [];
  test.after(() => {
    for (const raw of raws) raw.close();
    rmSync(folder, { recursive: true });
  });
  const raw = (): Database => {
    raws.push(openDatabase(path));
    return raws.at(-1)!;
  };
  return { path, raw };
}

async function ended(engine: Engine, flow: Flow, runId: string, input: never = null as never) {
  await engine.start({ flow: "flow", runId, input });
  const serving = await engine.serve({ flow });
  const record = await engine.result(runId);
  await serving.close();
  return record;
}

const count = (db: Database, table: string): unknown => db.prepare(`select count(*) as n from ${table}`).get()?.n;

describe("a file of runs", () => {
  it("keeps a large value once, and as long as a run uses it", async (test) => {
    const { path, raw } = file(test);
    const clock = fakeClock(1_000);
    const engine = sqlite(path, { clock });
    const large = "x".repeat(70_000);
    const flow: Flow = async (run, input) => [
      input,
      await run.step("a", () => large),
      await run.step("b", () => large),
    ];
    await ended(engine, flow, "one");
    await clock.advance(seconds(10));
    await ended(engine, flow, "two");
    const db = raw();
    assert.equal(count(db, "payloads"), 2);
    assert.equal(await engine.prune({ endedBefore: 5_000 }), 1);
    assert.equal(count(db, "payloads"), 2);
    assert.deepEqual((await engine.status("two"))?.result, [null, large, large]);
    assert.equal(await engine.prune({ endedBefore: 50_000 }), 1);
    assert.deepEqual([count(db, "payloads"), count(db, "payload_uses"), count(db, "entries")], [0, 0, 0]);
    await engine.close();
  });

  it("holds nothing in the clear where there is a codec", async (test) => {
    const { path } = file(test);
    const flip = (bytes: Uint8Array): Uint8Array => bytes.map((byte) => byte ^ 0xa5);
    const engine = sqlite(path, { codec: { encode: flip, decode: flip } });
    const flow: Flow = async (run, input) => {
      await run.step("s", () => "SECRET-step");
      await run.step("bad", () => Promise.reject(new Error("SECRET-failure"))).then(undefined, () => null);
      await run.child("c", "child", "SECRET-child").then(undefined, () => null);
      await run.step("large", () => "SECRET-large".repeat(10_000));
      return run.pause("ask", { kind: "q", data: `SECRET-request ${input}` }) as never;
    };
    await engine.start({ flow: "flow", runId: "r", input: "SECRET-input" });
    const serving = await engine.serve({ flow, child: () => Promise.reject(new Error("SECRET-error")) });
    while ((await engine.pauses()).length === 0) await new Promise((resolve) => setImmediate(resolve));
    await engine.answer({ runId: "r", key: "ask" }, "SECRET-answer", "SECRET-person");
    await engine.result("r");
    await serving.close();
    await engine.close();
    assert.equal(readFileSync(path).includes("SECRET"), false);
    const plain = sqlite(path);
    await assert.rejects(plain.status("r"), { code: "engine.unreadable", message: /the engine has none/ });
    await plain.close();
  });

  it("leaves a run it cannot read for a lease, and says so to the log", async (test) => {
    const { path } = file(test);
    const clock = fakeClock();
    let isBroken = true;
    const flip = (bytes: Uint8Array): Uint8Array => bytes.map((byte) => byte ^ 0xa5);
    const decode = (bytes: Uint8Array): Uint8Array => (isBroken ? bytes : flip(bytes));
    const engine = sqlite(path, { clock, codec: { encode: flip, decode } });
    const entries: LogEntry[] = [];
    await engine.start({ flow: "flow", runId: "r", input: 1 });
    await engine.serve({ flow: async (_run, input) => input }, { log: (entry) => void entries.push(entry) });
    while (entries.length === 0) await new Promise((resolve) => setImmediate(resolve));
    assert.match(entries[0]!.message, /run r is given up for now/);
    isBroken = false;
    await clock.advance(seconds(29));
    assert.equal((await engine.status("r"))?.state, "queued");
    await clock.advance(seconds(1));
    assert.equal((await engine.result("r")).result, 1);
    assert.equal(entries.length, 1);
    await engine.close();
  });

  it("of a newer version is refused in words, and left as it is", (test) => {
    const { path, raw } = file(test);
    raw().exec("create table runs(future); pragma user_version = 2");
    assert.throws(() => sqlite(path), { code: "engine.newer-schema", message: /version 2, this one knows 1/ });
    assert.deepEqual(
      raw()
        .prepare("select name from sqlite_schema")
        .all()
        .map(({ name }) => name),
      ["runs"],
    );
  });

  it("loses its runs when the store has been silent for a lease", async (test) => {
    const { path, raw } = file(test);
    const clock = fakeClock();
    const entries: LogEntry[] = [];
    const engine = sqlite(path, { clock });
    const begun = Promise.withResolvers<void>();
    const held = Promise.withResolvers<void>();
    const signals: AbortSignal[] = [];
    let later = 0;
    const flow: Flow = async (run, _input, attempt) => {
      signals.push(attempt.signal);
      await run.step("s", () => {
        begun.resolve();
        return held.promise;
      });
      await run.step("later", () => ++later);
      return null;
    };
    await engine.start({ flow: "flow", runId: "r", input: null });
    await engine.serve({ flow }, { log: (entry) => void entries.push(entry) });
    await begun.promise;
    const other = raw();
    other.exec("begin immediate");
    await clock.advance(seconds(29));
    assert.equal(signals[0]?.aborted, false);
    await clock.advance(seconds(2));
    held.resolve();
    await new Promise((resolve) => setImmediate(() => setImmediate(resolve)));
    assert.equal((signals[0]!.reason as Error).name, "ExecutionLeaseLostError");
    assert.equal(later, 0);
    other.exec("commit");
    // Its own next attempt goes on with it.
    assert.equal((await engine.result("r")).state, "done");
    assert.deepEqual([signals.length, later], [2, 1]);
    await engine.close();
  });

  it("is pruned by itself where a retention is set", async (test) => {
    const { path } = file(test);
    const clock = fakeClock();
    const engine = sqlite(path, { clock, retention: hours(2) });
    await ended(engine, async () => 1, "old");
    await engine.serve({});
    await clock.advance(hours(1));
    await ended(engine, async () => 1, "young");
    await clock.advance(hours(2));
    const listed = async () => (await engine.list()).map(({ runId }) => runId);
    while ((await listed()).length > 1) await new Promise((resolve) => setImmediate(resolve));
    assert.deepEqual(await listed(), ["young"]);
    await engine.close();
  });

  it("moves no more runs at once than it was told to", async (test) => {
    const { path } = file(test);
    const engine = sqlite(path, { maxRuns: 2 });
    let open = 0;
    let most = 0;
    const flow: Flow = async (run) => {
      most = Math.max(most, ++open);
      await run.step("s", () => new Promise((resolve) => setImmediate(resolve)));
      open--;
      return null;
    };
    const runs = Array.from({ length: 7 }, (_, index) => `r${index}`);
    await Promise.all(runs.map((runId) => engine.start({ flow: "flow", runId, input: null })));
    await engine.serve({ flow });
    for (const runId of runs) await engine.result(runId);
    assert.equal(most, 2);
    await engine.close();
  });

  it("is gone on with at once by the other servings of an engine, once one leaves a run or frees a lane", async (test) => {
    // Nobody looks by chance.
    test.mock.timers.enable({ apis: ["setInterval"] });
    const engine = sqlite(file(test).path);
    const steps: (() => void)[] = [];
    const begun = Array.from({ length: 2 }, () => Promise.withResolvers<void>());
    const held: Flow = async (run) => {
      await run.step("s", () => {
        begun[steps.length]?.resolve();
        return new Promise<void>((resolve) => steps.push(resolve));
      });
      return null;
    };
    const first = await engine.serve({ held });
    await engine.start({ flow: "held", runId: "1", input: null, lane: "l" });
    await engine.start({ flow: "next", runId: "2", input: null, lane: "l" });
    await begun[0]?.promise;
    await engine.serve({ held });
    await engine.serve({ next: async () => 2 });
    await first.close({ drain: 0 });
    await begun[1]?.promise;
    steps[1]?.();
    assert.equal((await engine.result("2")).result, 2);
    await engine.close();
  });

  it("tells of its commits by the keys of what is written", async (test) => {
    const { path } = file(test);
    const keys: string[] = [];
    const engine = openEngine(path, { onCommit: (when, written) => void (when === "after" && keys.push(...written)) });
    await ended(engine, async (run) => run.step("s", () => 1), "r");
    await engine.close();
    assert.deepEqual(
      keys.filter((key) => key.startsWith("r")),
      ["r:start", "r/s", "r:end"],
    );
  });

  it("has what it was told to keep on disk when that is told", (test) => {
    const db = file(test).raw();
    const pragma = (name: string) => Object.values(db.prepare(`pragma ${name}`).get() ?? {})[0];
    assert.deepEqual([pragma("journal_mode"), pragma("synchronous")], ["wal", 2]);
  });

  it("is not opened with what cannot be meant", () => {
    const bad: readonly (readonly [unknown[], RegExp])[] = [
      [[""], /`path`/],
      [[undefined], /`path`/],
      [["x.db", { lease: 30 }], /`lease`.*such as `seconds\(30\)`/],
      [["x.db", { lease: milliseconds(0) }], /`lease`/],
      [["x.db", { retention: milliseconds(Number.NaN) }], /`retention`/],
      [["x.db", { maxRuns: 0 }], /`maxRuns`/],
    ];
    for (const [args, message] of bad) {
      assert.throws(() => sqlite(...(args as [string])), { code: "engine.invalid", message });
    }
  });

  it("does not keep a process alive that has nothing to do", async (test) => {
    const { path } = file(test);
    const engine = new URL("sqlite-engine.ts", import.meta.url).href;
    const code = `
      import { sqlite } from ${JSON.stringify(engine)};
      const engine = sqlite(${JSON.stringify(path)}, { lease: { kind: "duration", ms: 3_600_000 } });
      await engine.serve({ flow: async (run) => { await run.sleep("nap", { ms: 3_600_000 }); } });
      await engine.start({ flow: "flow", runId: "r", input: null });
      while ((await engine.status("r")).state !== "waiting") await new Promise((resolve) => setImmediate(resolve));
      console.log("waits");`;
    const { code: exit, stdout, stderr } = await runNode(["--input-type=module", "--eval", code], import.meta.dirname);
    assert.deepEqual([exit, stdout.trim()], [0, "waits"], stderr);
  });
});

describe("an engine in memory", () => {
  it("has runs of its own", async () => {
    const [one, two] = [memoryEngine(), memoryEngine()];
    await one.start({ flow: "flow", runId: "r", input: null });
    assert.equal(await two.status("r"), undefined);
    await Promise.all([one.close(), two.close()]);
  });
});
