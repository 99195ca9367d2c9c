// The embedded engine in several processes on one file: they race, are stopped, and are killed at every commit.
import assert from "node:assert/strict";
import type { ChildProcessByStdio } from "node:child_process";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import type { Readable } from "node:stream";
import { after, describe, it } from "node:test";
import type { Flow } from "../../src/core/run.ts";
import { sqlite } from "../../src/durable/sqlite/sqlite-engine.ts";
import { hours, milliseconds } from "../../src/std/units.ts";
import { fakeClock } from "../../src/testing/fake-clock.ts";
import { answerAll, rich } from "./fixtures/rich-flow.ts";

const folder = mkdtempSync(join(tmpdir(), "toolpost-processes-"));
after(() => rmSync(folder, { recursive: true, force: true }));

type Child = ChildProcessByStdio<null, Readable, null>;

/** A worker and the lines it says. */
class Worker {
  readonly process: Child;
  readonly lines: string[] = [];
  readonly #heard: (() => void)[] = [];

  constructor(files: Files, name: string, dieAt: number | "never" | "not", maxRuns: number = Number.POSITIVE_INFINITY) {
    const args = [join(import.meta.dirname, "fixtures/worker.ts"), files.db, files.log, name, `${dieAt}`, `${maxRuns}`];
    const { NODE_TEST_CONTEXT: _, ...env } = process.env;
    this.process = spawn(process.execPath, args, { stdio: ["ignore", "pipe", "inherit"], env });
    createInterface(this.process.stdout).on("line", (line) => {
      this.lines.push(line);
      for (const heard of this.#heard.splice(0)) heard();
    });
  }

  async says(line: string): Promise<void> {
    while (!this.lines.includes(line)) await new Promise<void>((resolve) => this.#heard.push(resolve));
  }

  async end(): Promise<void> {
    if (this.process.exitCode !== null || this.process.signalCode !== null) return;
    const exit = once(this.process, "exit");
    this.process.kill("SIGKILL");
    await exit;
  }
}

interface Files {
  readonly db: string;
  readonly log: string;
}

function files(name: string): Files {
  return { db: join(folder, `${name}.db`), log: join(folder, `${name}.log`) };
}

function logged({ log }: Files): string[] {
  return existsSync(log) ? readFileSync(log, "utf8").trim().split("\n").filter(Boolean) : [];
}

describe("processes on one file", { timeout: 120_000 }, () => {
  it("two race for 40 runs, and no step is done twice", async () => {
    const own = files("race");
    const engine = sqlite(own.db);
    const runs = Array.from({ length: 40 }, (_, index) => `run-${index}`);
    await Promise.all(runs.map((runId) => engine.start({ flow: "several", runId, input: null })));
    const workers = ["one", "two"].map((name) => new Worker(own, name, "never", 2));
    try {
      for (const runId of runs) assert.equal((await engine.result(runId)).state, "done");
    } finally {
      await Promise.all(workers.map((worker) => worker.end()));
    }
    const steps = logged(own);
    assert.equal(steps.length, 160);
    assert.equal(new Set(steps.map((line) => line.replace(/ \w+$/, ""))).size, 160);
    assert.deepEqual([...new Set(steps.map((line) => line.split(" ")[2]))].sort(), ["one", "two"]);
    await engine.close();
  });

  it("one that was stopped for longer than its lease writes nothing, says so, and begins no further step", async () => {
    const own = files("stopped");
    // Whatever leases there are, they are over by this clock.
    const engine = sqlite(own.db, { clock: fakeClock(Date.now() + hours(1).ms) });
    await engine.start({ flow: "held", runId: "r", input: null });
    const worker = new Worker(own, "first", "never");
    try {
      await worker.says("held");
      worker.process.kill("SIGSTOP");
      const held: Flow = async (run) => {
        await run.step("held", () => "second");
        await run.step("later", () => "second");
        return "second";
      };
      await engine.serve({ held });
      assert.equal((await engine.result("r")).result, "second");
      writeFileSync(`${own.log}.release`, "");
      worker.process.kill("SIGCONT");
      await worker.says("ExecutionLeaseLostError");
    } finally {
      await worker.end();
    }
    assert.deepEqual(
      (await engine.journal("r")).map(({ key, value }) => [key, value]),
      [
        ["held", { ok: true, value: "second" }],
        ["later", { ok: true, value: "second" }],
      ],
    );
    assert.deepEqual(logged(own), []);
    await engine.close();
  });

  it("one that is killed at any commit loses nothing, and nothing that had finished is done again", async () => {
    const whole = files("whole");
    await started(whole);
    const worker = new Worker(whole, "whole", "not");
    await once(worker.process, "exit");
    const commits = Number(worker.lines.at(-1));
    assert.ok(commits > 20, `${commits} commits`);
    const expected = await ended(whole);
    assert.deepEqual(new Set(logged(whole)).size, logged(whole).length);

    const points = Array.from({ length: commits }, (_, index) => index + 1);
    const next = async (): Promise<void> => {
      for (let point = points.shift(); point !== undefined; point = points.shift()) await killedAt(point, expected);
    };
    await Promise.all([next(), next()]);
  });
});

async function started(own: Files): Promise<void> {
  const engine = sqlite(own.db);
  await engine.start({ flow: "rich", runId: "rich", input: null });
  await engine.close();
}

async function ended(own: Files): Promise<unknown> {
  const engine = sqlite(own.db);
  const { state, result } = await engine.result("rich");
  await engine.close();
  return [state, result];
}

async function killedAt(point: number, expected: unknown): Promise<void> {
  const own = files(`killed-${point}`);
  await started(own);
  const worker = new Worker(own, "killed", point);
  await once(worker.process, "exit");
  const before = logged(own);

  const clock = fakeClock(Date.now() + hours(1).ms);
  const engine = sqlite(own.db, { clock });
  const journaled = (await Promise.all(["rich", "rich/child"].map((runId) => engine.journal(runId)))).flatMap(
    (entries, run) => entries.map(({ key }) => (run === 0 ? `rich ${key}` : `rich/child ${key}`)),
  );
  const done = new AbortController();
  await engine.serve(rich(own.log));
  void answerAll(engine, done.signal);
  const result = engine.result("rich");
  let isOver = false;
  void result.finally(() => (isOver = true));
  while (!isOver) await clock.advance(milliseconds(5));
  done.abort();
  const { state, result: value } = await result;
  await engine.close();

  const again = logged(own).slice(before.length);
  const where = `killed at commit ${point} with ${JSON.stringify(journaled)}`;
  assert.deepEqual(
    again.filter((line) => journaled.includes(line)),
    [],
    where,
  );
  const acts = logged(own).filter((line) => line.endsWith("/pay"));
  assert.equal(new Set(acts).size, acts.length, `no payment twice, ${where}`);
  const known = JSON.stringify([state, value]).replaceAll('"unknown"', (_, at) => unknownAs(at, [state, value]));
  assert.deepEqual(JSON.parse(known), expected, where);
}

/** What stands for an act whose outcome is unknown is compared as if it was done. */
function unknownAs(at: number, value: unknown): string {
  const before = JSON.stringify(value).slice(0, at);
  return before.includes('"y/one"') ? '"y/pay"' : '"x/pay"';
}
