// Stored runs between processes, each of them real: a server that moves runs, and the command beside it on the same file.
// What one process shows is enough for the others to go on; nothing here waits for time to pass.
import assert from "node:assert/strict";
import { type ChildProcess, spawn } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { type TestContext, test } from "node:test";
import { keptDesk } from "./lib/kept-desk.ts";
import { type Ended, runCommand } from "./lib/run-main.ts";

const env = { USER: "anna" };
const refund = { name: "refund", input: { order: "o-1" } };

/** A process with the application of the folder, which runs the code with `app` and `tell(...words)` for a line. */
function serve(t: TestContext, cwd: string, code: string): Server {
  const file = join(cwd, "server.ts");
  writeFileSync(
    file,
    `import app from "./toolpost.config.ts";
const tell = (...words) => process.stdout.write(words.join(" ") + "\\n");
// A server has something that keeps it alive.
const alive = setInterval(() => undefined, 1e6);
const close = async () => { clearInterval(alive); await app.close(); };
${code}`,
  );
  const { NODE_TEST_CONTEXT: _, ...inherited } = process.env;
  const child = spawn(process.execPath, [file], {
    cwd,
    env: inherited,
    stdio: ["ignore", "pipe", "inherit"],
    timeout: 30_000,
    killSignal: "SIGKILL",
  });
  t.after(() => child.kill("SIGKILL"));
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const ended = new Promise<number | null>((resolve) => child.once("close", resolve));
  return { child, ended, line: async () => (await lines.next()).value ?? "(it has ended)" };
}

interface Server {
  readonly child: ChildProcess;
  readonly ended: Promise<number | null>;
  /** What it tells next. */
  line(): Promise<string>;
}

const waitThenEnd = `
const run = app.run("clerk", ${JSON.stringify(JSON.stringify([refund]))});
const first = await run;
tell(run.runId, first.pending[0].pauseId);
const watch = app.attach(run.runId);
let result = first;
while (result.status === "waiting") { await new Promise(setImmediate); result = await watch; }
tell(result.text);
await close();`;

test("an approval from another process moves the server's run; of two at once one wins, and the other is told", async (t) => {
  const desk = keptDesk(t);
  const { cwd } = desk;
  const server = serve(t, cwd, waitThenEnd);
  const [runId = "", pauseId = ""] = (await server.line()).split(" ");
  const approve = (name: string) => runCommand(["approvals", "approve", pauseId, "--as", name], { cwd, env });
  const both = await Promise.all([approve("anna"), approve("berta")]);
  const [winner, loser] = both.toSorted((one, other) => Number(one.code) - Number(other.code)) as [Ended, Ended];
  assert.deepEqual([winner.code, loser.code], [0, 4], loser.stderr);
  const [, name] = /approved by operator (anna|berta)\n$/.exec(winner.stdout) ?? [];
  assert.ok(name !== undefined, winner.stdout);
  assert.ok(!winner.stderr.includes("no process has taken the run up"), winner.stderr);
  assert.ok(loser.stderr.includes(`\`${pauseId}\` is already answered: approved by operator ${name}\n`), loser.stderr);
  assert.equal(await server.line(), "It said: refunded o-1");
  assert.equal(await server.ended, 0);
  const shown = await desk.type(["runs", "show", runId, "--json"]);
  assert.equal(JSON.parse(shown.stdout).state, "done");
});

test("from one command to the next: a run waits, is approved, is resumed, is deleted", async (t) => {
  const { cwd } = keptDesk(t);
  const type = (...argv: string[]) => runCommand(argv, { cwd, env });
  assert.equal((await type("run", JSON.stringify([refund]))).code, 4);
  const [{ pauseId, runId }] = JSON.parse((await type("approvals", "list", "--json")).stdout);
  const approved = await type("approvals", "approve", pauseId);
  assert.equal(approved.code, 0);
  assert.ok(
    approved.stderr.endsWith(`no process has taken the run up; start your server, or: toolpost runs resume ${runId}\n`),
  );
  const resumed = await type("runs", "resume", runId);
  assert.deepEqual([resumed.code, resumed.stdout], [0, `${runId}: done\n`]);
  assert.equal((await type("runs", "prune", "--older-than", "0s")).stdout, "1 run deleted\n");
  assert.deepEqual(await type("runs", "list"), { code: 0, stdout: "", stderr: "no runs\n" });
});

test("a run that another process moves is ended by that process when it is cancelled", async (t) => {
  const { cwd } = keptDesk(t);
  const server = serve(
    t,
    cwd,
    `const run = app.run("clerk", '[{"name":"wait"}]');
for await (const event of run.events) if (event.type === "tool-call-progress") tell(run.runId);
await run.catch((error) => tell(error.code, error.message));
await close();`,
  );
  const runId = await server.line();
  const cancelled = await runCommand(["runs", "cancel", runId, "--reason", "enough"], { cwd, env });
  assert.equal(cancelled.code, 0);
  assert.match(cancelled.stdout, /^run_\S+ is (?:being )?cancelled(?: by the process that moves it)?\n$/);
  assert.equal(await server.line(), "run.cancelled cancelled by operator anna: enough");
  assert.equal(await server.ended, 0);
});

test("Ctrl-C hands a run over: what is under way settles, and the next process goes on without doing it again", {
  skip: process.platform === "win32",
}, async (t) => {
  const slow = `{ name: "slow", description: "Is done when the process is interrupted", source: "custom", inputSchema: { type: "object" },
    execute: (_input, ctx) => new Promise((resolve) => { process.once("SIGINT", () => resolve("late")); ctx.progress("started"); }) }`;
  const desk = keptDesk(
    t,
    `agents: [defineAgent({ name: "clerk", description: "c", model, tools: [{ ...${slow}, policy: "needs-approval" }] })]`,
  );
  const { cwd } = desk;
  const { runId, pending } = await desk.begin([{ name: "slow" }]);
  await desk.type(["approvals", "approve", pending[0]?.pauseId ?? ""]);
  const interrupted = await runCommand(["runs", "resume"], { cwd, env }, (told, child) => {
    if (told.endsWith("slow: started\n")) child.kill("SIGINT");
  });
  assert.deepEqual([interrupted.code, interrupted.stdout], [130, `${runId}: running\n`]);
  assert.ok(interrupted.stderr.includes("1 run handed over; what is under way has 10 s to settle"), interrupted.stderr);
  const left = await desk.type(["runs", "list", "--json"]);
  assert.equal(JSON.parse(left.stdout)[0].state, "queued");
  const resumed = await runCommand(["runs", "resume", runId], { cwd, env });
  assert.deepEqual([resumed.code, resumed.stdout], [0, `${runId}: done\n`], resumed.stderr);
  const { result } = JSON.parse((await desk.type(["runs", "show", runId, "--json"])).stdout);
  assert.equal(result.text, "It said: late");
});

test("what a process left behind when it was killed is shown as begun, and put to a person", {
  skip: process.platform === "win32",
}, async (t) => {
  const stuck = `{ name: "stuck", description: "Never ends", source: "custom", inputSchema: { type: "object" }, timeout: "none", onUnknown: "ask",
    execute: (_input, ctx) => new Promise(() => ctx.progress("started")) }`;
  const more = `engine: sqlite(file, { lease: milliseconds(200) }), agents: [defineAgent({ name: "clerk", description: "c", model, tools: [${stuck}] })]`;
  const desk = keptDesk(t, more);
  const server = serve(
    t,
    desk.cwd,
    `const run = app.run("clerk", '[{"name":"stuck"}]');
for await (const event of run.events) if (event.type === "tool-call-progress") tell(run.runId);`,
  );
  const runId = await server.line();
  server.child.kill("SIGKILL");
  await server.ended;
  const shown = await desk.type(["runs", "show", runId]);
  assert.match(shown.stdout, /\n {2}\S+ \S+ {2}stuck \{\}: begun, and no outcome is known\n$/);
  const resumed = await runCommand(["runs", "resume", runId], { cwd: desk.cwd, env });
  assert.equal(resumed.code, 4, resumed.stderr);
  assert.match(resumed.stdout, /: waits for an answer to stuck: toolpost approvals show pause_\S+\n$/);
  const [, pauseId = ""] = /show (pause_\S+)/.exec(resumed.stdout) ?? [];
  await desk.type(["approvals", "reply", pauseId, "it happened"]);
  const ended = await desk.type(["runs", "resume", runId]);
  assert.deepEqual([ended.code, ended.stdout], [0, `${runId}: done\n`]);
});
