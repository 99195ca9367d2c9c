// What the embedded engine costs beside bare `node:sqlite`, in one process, interleaved, as ratios: rows a second and CPU per
// row of 50 concurrent runs against a group commit of the same bytes, opening a file, replaying a long run against reading
// its rows; and that memory does not grow with the number of runs. Run with `npm run durable --workspace toolpost-bench`,
// with `-- --json` for a machine.

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { sqlite } from "toolpost/sqlite";
import { report, spreadOf } from "./measure.mjs";

const folder = mkdtempSync(join(tmpdir(), "toolpost-durable-"));
process.on("exit", () => rmSync(folder, { recursive: true, force: true }));
const runs = 50;
const steps = 200;
const value = { id: "o-1", status: "refunded", cents: 500, note: "a card payment, given back" };
let files = 0;
const newFile = () => join(folder, `${++files}.db`);

const flows = {
  async steps(run, count) {
    for (let step = 0; step < count; step++) await run.step(`step-${step}`, async () => value);
    return null;
  },
};

/** 50 loops, each of which waits for its row to be on disk: all rows of one turn are one transaction. */
async function bare() {
  const db = new DatabaseSync(newFile());
  db.exec("pragma journal_mode = wal; pragma synchronous = full");
  db.exec(
    `create table entries(run integer not null, seq integer not null, key text not null, kind text not null,
      at integer not null, value not null, primary key(run, seq)) without rowid`,
  );
  const [begin, commit] = [db.prepare("begin immediate"), db.prepare("commit")];
  const insert = db.prepare("insert into entries values(?, ?, ?, ?, ?, ?)");
  let batch = [];
  const write = (row) =>
    new Promise((resolve) => {
      if (batch.length === 0) {
        setImmediate(() => {
          const due = batch;
          batch = [];
          begin.run();
          for (const [values] of due) insert.run(...values);
          commit.run();
          for (const [, done] of due) done();
        });
      }
      batch.push([row, resolve]);
    });
  const loop = async (run) => {
    for (let step = 0; step < steps; step++) {
      const text = JSON.stringify({ v: 1, type: "step", value: { ok: true, value } });
      await write([run, step, `step-${step}`, "step", Date.now(), text]);
    }
  };
  const cost = await costOf(() => Promise.all(Array.from({ length: runs }, (_, run) => loop(run))));
  db.close();
  return cost;
}

async function engine() {
  const opened = sqlite(newFile());
  const ids = Array.from({ length: runs }, (_, index) => `run-${index}`);
  await Promise.all(ids.map((runId) => opened.start({ flow: "steps", runId, input: steps })));
  const cost = await costOf(async () => {
    await opened.serve(flows);
    await Promise.all(ids.map((runId) => opened.result(runId)));
  });
  await opened.close();
  return cost;
}

async function costOf(work) {
  const [cpu, begun] = [process.cpuUsage(), performance.now()];
  await work();
  const { user, system } = process.cpuUsage(cpu);
  return { milliseconds: performance.now() - begun, microseconds: user + system };
}

/** Interleaved, in turns of order; each gives figures by name. */
async function compare(ours, theirs, figure, rounds) {
  const sides = { ours: [], theirs: [], ratio: [] };
  for (let round = -2; round < rounds; round++) {
    const found = {};
    for (const who of round % 2 === 0 ? ["ours", "theirs"] : ["theirs", "ours"]) {
      found[who] = figure(await (who === "ours" ? ours : theirs)());
    }
    if (round < 0) continue;
    sides.ours.push(found.ours);
    sides.theirs.push(found.theirs);
    sides.ratio.push(found.ours / found.theirs);
  }
  return { ratio: spreadOf(sides.ratio), ours: spreadOf(sides.ours), theirs: spreadOf(sides.theirs) };
}

const rows = runs * steps;
const pairs = [];
for (let round = -3; round < 9; round++) {
  const pair =
    round % 2 === 0 ? { ours: await engine(), theirs: await bare() } : { theirs: await bare(), ours: await engine() };
  if (round >= 0) pairs.push(pair);
}
const ratioOf = (figure) => ({
  ratio: spreadOf(pairs.map(({ ours, theirs }) => figure(ours) / figure(theirs))),
  ours: spreadOf(pairs.map(({ ours }) => figure(ours))),
  theirs: spreadOf(pairs.map(({ theirs }) => figure(theirs))),
});
report(
  "time per row of 50 runs, engine / bare group commit",
  2,
  ratioOf(({ milliseconds }) => (milliseconds * 1_000) / rows),
);
report(
  "CPU per row of 50 runs, engine / bare group commit",
  1.5,
  ratioOf(({ microseconds }) => microseconds / rows),
);

const existing = newFile();
{
  const opened = sqlite(existing);
  await opened.start({ flow: "steps", runId: "long", input: 2_000 });
  await opened.serve(flows);
  await opened.result("long");
  await opened.close();
}

/** CPU, as the disk takes its time with a claim and other processes with the rest. */
const timed = (work) => async () => (await costOf(work)).microseconds;
const asIs = (figure) => figure;
const openBare = timed(() => {
  const db = new DatabaseSync(existing);
  db.exec("pragma journal_mode = wal; pragma synchronous = full");
  db.prepare("select count(*) from sqlite_schema").get();
  db.close();
});
const openEngine = timed(async () => {
  const opened = sqlite(existing);
  await opened.status("none");
  await opened.close();
});
report("CPU of opening a file, engine / bare", 2, await compare(openEngine, openBare, asIs, 41));

/** The run waits after its steps, so that each answer replays it whole. */
const waits = newFile();
let replayed;
const long = {
  async long(run) {
    for (let step = 0; step < 2_000; step++) await run.step(`step-${step}`, async () => value);
    replayed?.();
    replayed = undefined;
    for (let turn = 0; ; turn++) await run.pause(`turn-${turn}`, { kind: "turn", data: null });
  },
};
const opened = sqlite(waits);
await opened.start({ flow: "long", runId: "long", input: null });
await opened.serve(long);
let turn = 0;
const waiting = async () => {
  while ((await opened.status("long")).state !== "waiting") await new Promise((resolve) => setImmediate(resolve));
};
await waiting();
const db = new DatabaseSync(waits);
const read = db.prepare("select seq, key, kind, at, value from entries where run = 1 order by seq");
const readRows = timed(() => {
  for (const row of read.all()) JSON.parse(row.value);
});
/** From the claim, which is the first that happens after the answer is on disk, to the end of the replay. */
async function replay() {
  const done = new Promise((resolve) => (replayed = resolve));
  await opened.answer({ runId: "long", key: `turn-${turn++}` }, null);
  const { microseconds } = await costOf(() => done);
  await waiting();
  return microseconds;
}
report("CPU of replaying a run of 2,000 steps / of reading its rows", 3, await compare(replay, readRows, asIs, 21));
db.close();
await opened.close();

setFlagsFromString("--expose-gc");
const collect = runInNewContext("gc");
const many = sqlite(newFile());
await many.serve(flows);
const heaps = [];
for (let done = 0; done < 10_000; done += 500) {
  const ids = Array.from({ length: 500 }, (_, index) => `run-${done + index}`);
  await Promise.all(ids.map((runId) => many.start({ flow: "steps", runId, input: 3 })));
  await Promise.all(ids.map((runId) => many.result(runId)));
  await new Promise((resolve) => setTimeout(resolve, 20));
  collect();
  heaps.push(process.memoryUsage().heapUsed);
}
await many.close();
const [early, late] = [heaps[3], heaps.at(-1)];
const only = (figure) => ({ median: figure, low: figure, high: figure });
report("heap at run 10,000 / at run 2,000", 1.05, { ratio: only(late / early), ours: only(late), theirs: only(early) });
