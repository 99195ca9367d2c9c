// `toolpost runs`: what a person on call sees of stored runs, and does about them, with nobody else alive.
import assert from "node:assert/strict";
import { join } from "node:path";
import { test } from "node:test";
import { openDatabase } from "../../src/durable/sqlite/database.ts";
import { keptDesk } from "./lib/kept-desk.ts";
import { steady } from "./lib/kept-text.ts";
import { project } from "./lib/project.ts";
import { runMain } from "./lib/run-main.ts";

const refund = { name: "refund", input: { order: "o-1" } };
/** Calls go on side by side: in which order they come is not the point. */
const sorted = (text: string): string[] => text.trim().split("\n").sort();

test("a run is told in words, with what it waits for", async (t) => {
  const desk = keptDesk(t);
  const run = await desk.begin([{ name: "add", input: { a: 1, b: 2 } }, { name: "nope" }, refund, { name: "colour" }], {
    threadId: "t-1",
    user: { id: "u-1" },
  });
  const { code, stdout, stderr } = await desk.type(["runs", "show", run.runId]);
  assert.deepEqual([code, stderr], [0, ""]);
  assert.deepEqual(
    sorted(steady(stdout, run)),
    sorted(`RUN: waiting
  agent    clerk
  thread   t-1
  owner    u-1
  started  TIME UTC, SPAN ago

what happened (UTC)
  TIME  started by: [{"name":"add","input":{"a":1,"b":2}},{"name":"nope"},{"name":"refund","input":{"order":"o-1"}},{"name":"colour"}]
  TIME  the model calls add, nope, refund, colour
  TIME  nope {}: failed (tool.unknown): Tool error: unknown tool: nope
  TIME  refund {"order":"o-1"}: waits for approval (PAUSE-1)
  TIME  add {"a":1,"b":2}: ok, SPAN, 1 bytes
  TIME  colour {}: asks: Which colour? (PAUSE-2)

waits for
  approval of refund, asked SPAN ago
    toolpost approvals show PAUSE-1
  an answer to colour, asked SPAN ago
    toolpost approvals show PAUSE-2
`),
  );
});

test("a run is told to its end: answers with who gave them, what the calls came to, how it ended", async (t) => {
  const desk = keptDesk(t);
  const run = await desk.begin([refund]);
  const [{ pauseId = "" } = {}] = run.pending;
  await desk.type(["approvals", "approve", pauseId, "--comment", "the lamp was broken", "--as", "zoë"]);
  const queued = await desk.type(["runs", "show", run.runId]);
  assert.ok(queued.stdout.startsWith(`${run.runId}: queued: no process has taken it up\n`), queued.stdout);
  assert.match(queued.stdout, /refund: approved by operator zoë: "the lamp was broken"\n$/);
  await desk.type(["runs", "resume"]);
  const { stdout } = await desk.type(["runs", "show", run.runId]);
  const [, story = ""] = steady(stdout, run).split("what happened (UTC)\n");
  assert.equal(
    story,
    `  TIME  started by: [{"name":"refund","input":{"order":"o-1"}}]
  TIME  the model calls refund
  TIME  refund {"order":"o-1"}: waits for approval (PAUSE-1)
  TIME  refund: approved by operator zoë: "the lamp was broken"
  TIME  refund {"order":"o-1"}: ok, SPAN, 12 bytes
  TIME  the model says: It said: refunded o-1
  TIME  done
`,
  );
});

test("a run that failed is told with the code and the message", async (t) => {
  const desk = keptDesk(t);
  await assert.rejects(desk.begin([{ name: "fatal" }]), { code: "tool.fatal" });
  const [run] = JSON.parse((await desk.type(["runs", "list", "--state", "failed", "--json"])).stdout);
  const { stdout } = await desk.type(["runs", "show", run.runId]);
  assert.ok(stdout.includes("\n  error    failed [tool.fatal]: a tool ended the run\n"), stdout);
  assert.match(stdout, / {2}failed \[tool\.fatal\]: a tool ended the run\n$/);
  const table = await desk.type(["runs", "list"]);
  assert.match(table.stdout, / {2}failed +\d+ s +clerk +a tool ended the run\n$/);
});

test("the journal is shown on request only", async (t) => {
  const desk = keptDesk(t);
  const run = await desk.begin([{ name: "add", input: { a: 1, b: 2 } }]);
  const [plain, whole, json, jsonWhole] = await Promise.all(
    [[], ["--journal"], ["--json"], ["--json", "--journal"]].map((more) =>
      desk.type(["runs", "show", run.runId, ...more]),
    ),
  );
  assert.ok(!plain?.stdout.includes("model:0"));
  assert.match(whole?.stdout ?? "", /\njournal\n {2}1 +\S+ \S+ +step +begin +\{"ok":true,"value":\{"messages":0\}\}\n/);
  const shown = JSON.parse(json?.stdout ?? "");
  assert.deepEqual(
    [shown.runId, shown.state, shown.result.text, shown.runs, "journal" in shown],
    [run.runId, "done", "It said: 3", [], false],
  );
  assert.equal(JSON.parse(jsonWhole?.stdout ?? "").journal[1].key, "model:0");
});

test("runs are listed newest first, by state and agent, no more than asked for", async (t) => {
  const desk = keptDesk(t);
  const waiting = await desk.begin([refund], { threadId: "t-1" });
  const done = await desk.begin("hello");
  const { code, stdout } = await desk.type(["runs", "list"]);
  assert.equal(code, 0);
  assert.deepEqual(stdout.replace(/\d+ (?=s|min)/g, "N ").split("\n"), [
    "RUN                         STATE    AGE  AGENT  THREAD  ERROR",
    `${done.runId}  done     N s  clerk`,
    `${waiting.runId}  waiting  N s  clerk  t-1`,
    "",
  ]);
  const ids = async (...argv: string[]) =>
    JSON.parse((await desk.type(["runs", "list", "--json", ...argv])).stdout).map(
      (run: { runId: string }) => run.runId,
    );
  assert.deepEqual(await ids(), [done.runId, waiting.runId]);
  assert.deepEqual(await ids("--state", "waiting,failed"), [waiting.runId]);
  assert.deepEqual(await ids("--agent", "nobody"), []);
  assert.deepEqual(await ids("--limit", "1"), [done.runId]);
  const cut = await desk.type(["runs", "list", "--limit", "1"]);
  assert.equal(cut.stderr, "the newest 1; `--limit` shows more\n");
  assert.deepEqual(await desk.type(["runs", "list", "--state", "failed"]), {
    code: 0,
    stdout: "",
    stderr: "no runs\n",
  });
});

test("the start of an id is enough; what may be several is refused with their names", async (t) => {
  const desk = keptDesk(t);
  const one = await desk.begin([refund]);
  const other = await desk.begin([refund]);
  const shown = await desk.type(["runs", "show", one.runId.slice(0, 12), "--json"]);
  assert.equal(JSON.parse(shown.stdout).runId, one.runId);
  const [{ pauseId = "" } = {}] = one.pending;
  const approval = await desk.type(["approvals", "show", pauseId.slice(0, 14), "--json"]);
  assert.equal(JSON.parse(approval.stdout).pauseId, pauseId);
  const error = async (...argv: string[]) => {
    const ended = await desk.type(argv);
    assert.deepEqual([ended.code, ended.stdout], [2, ""]);
    return ended.stderr.split("\n")[0];
  };
  assert.equal(
    await error("runs", "cancel", "run_x"),
    "error: `run_x` is too short: write at least 6 characters of the id, and more than `pause_`",
  );
  assert.match((await error("approvals", "approve", "pause_")) ?? "", /is too short/);
  assert.equal(
    await error("runs", "cancel", "run_nobody"),
    "error: no id of `toolpost runs list` is, or starts with, `run_nobody`",
  );
  assert.equal(
    await error("runs", "cancel"),
    "error: `toolpost runs cancel` needs the id of a run; `toolpost runs list` shows them",
  );
  // Ids are random: a start that two share is looked for among many.
  const [first = "", second = ""] = await sharedStart(desk);
  const ambiguous = await error("runs", "cancel", first.slice(0, 6));
  assert.ok(ambiguous?.includes("may be ") && ambiguous.includes(first) && ambiguous.includes(second), ambiguous);
  assert.ok(other.runId !== one.runId);
});

test("a run that waits is cancelled with nobody alive, and whoever waited is told the reason", async (t) => {
  const desk = keptDesk(t);
  const run = await desk.begin([refund]);
  const cancelled = await desk.type(["runs", "cancel", run.runId, "--reason", "no longer\nwanted\x1b[2K"]);
  assert.deepEqual(cancelled, { code: 0, stdout: `${run.runId} is cancelled\n`, stderr: "" });
  const shown = await desk.type(["runs", "show", run.runId]);
  assert.match(shown.stdout, /^run_\S+: cancelled\n/);
  assert.match(shown.stdout, /\n {2}error {4}cancelled by operator anna: no longer wanted\\x1b\[2K\n/);
  const [{ pauseId = "" } = {}] = run.pending;
  const late = await desk.type(["approvals", "approve", pauseId]);
  assert.deepEqual(
    [late.code, late.stderr.split("\n")[0]],
    [4, `error [approval.unknown-pause]: \`${pauseId}\` is closed: its run no longer waits for it`],
  );
  assert.equal(late.stderr.split("\n")[1], "fix: What waits is listed by `toolpost approvals list`.");
  const resumed = await desk.type(["runs", "resume", run.runId]);
  assert.deepEqual(
    [resumed.code, resumed.stdout],
    [1, `${run.runId}: cancelled by operator anna: no longer wanted\\x1b[2K\n`],
  );
  const again = await desk.type(["runs", "cancel", run.runId, "--json"]);
  assert.deepEqual(
    [again.code, JSON.parse(again.stdout)],
    [0, { runId: run.runId, state: "cancelled", cancelled: false }],
  );
  const errorAfter = async (...argv: string[]) => {
    const { runId } = await desk.begin([refund]);
    await desk.type(["runs", "cancel", runId, ...argv]);
    return JSON.parse((await desk.type(["runs", "show", runId, "--json"])).stdout).error;
  };
  assert.deepEqual(await errorAfter(), { message: "cancelled by operator anna", code: "run.cancelled" });
  assert.deepEqual(await errorAfter("--as", "zoë", "--reason", "not needed"), {
    message: "cancelled by operator zoë: not needed",
    code: "run.cancelled",
  });
});

test("a run that is over cannot be cancelled", async (t) => {
  const desk = keptDesk(t);
  const { runId } = await desk.begin("hello");
  assert.deepEqual(await desk.type(["runs", "cancel", runId]), {
    code: 1,
    stdout: "",
    stderr: `${runId} had ended before: done\n`,
  });
});

test("resume moves what was left until it ends or waits, and what waits it leaves", async (t) => {
  const desk = keptDesk(t);
  const answered = await desk.begin([refund]);
  const waiting = await desk.begin([refund]);
  assert.deepEqual(await desk.type(["runs", "resume"]), {
    code: 0,
    stdout: "",
    stderr: "nothing to do: no run is queued, none was left\n",
  });
  await desk.type(["approvals", "approve", answered.pending[0]?.pauseId ?? ""]);
  const all = await desk.type(["runs", "resume"]);
  assert.deepEqual([all.code, all.stdout], [0, `${answered.runId}: done\n`]);
  assert.match(all.stderr, new RegExp(`^${answered.runId}: refund \\(native\\): ok, \\S+ ms, 12 bytes\n$`));
  const one = await desk.type(["runs", "resume", waiting.runId]);
  assert.deepEqual(
    [one.code, one.stdout],
    [4, `${waiting.runId}: waits for approval of refund: toolpost approvals show ${waiting.pending[0]?.pauseId}\n`],
  );
  await desk.type(["approvals", "decline", waiting.pending[0]?.pauseId ?? "", "--comment", "too late"]);
  const declined = await desk.type(["runs", "resume", waiting.runId, "--json", "--quiet"]);
  assert.deepEqual([declined.code, declined.stderr, JSON.parse(declined.stdout)[0].state], [0, "", "done"]);
  const { result } = JSON.parse((await desk.type(["runs", "show", waiting.runId, "--json"])).stdout);
  assert.equal(result.text, "It said: Tool error: the call was declined: too late");
});

test("resume does not wait for a run behind one of its thread that waits", async (t) => {
  const desk = keptDesk(t);
  const first = await desk.begin([refund], { threadId: "t-1" });
  const app = await desk.open();
  const second = app.run("clerk", "hello", { threadId: "t-1" });
  while ((await app.runs({ states: ["queued"] })).length === 0) await new Promise(setImmediate);
  await app.close();
  const resumed = await desk.type(["runs", "resume", "--quiet"]);
  assert.deepEqual(resumed, {
    code: 0,
    stdout: `${second.runId}: queued, behind an earlier run of its thread that waits\n`,
    stderr: "",
  });
  await desk.type(["runs", "cancel", first.runId]);
  assert.equal((await desk.type(["runs", "resume", second.runId])).stdout, `${second.runId}: done\n`);
});

test("a run of an agent that is only a tool of another is resumed as any other", async (t) => {
  const desk = keptDesk(t, 'agents: [defineAgent({ name: "above", description: "Asks", model, tools: [clerk] })]');
  const run = await desk.begin([refund]);
  await desk.type(["approvals", "approve", run.pending[0]?.pauseId ?? ""]);
  const resumed = await desk.type(["runs", "resume", "--quiet"]);
  assert.deepEqual(resumed, { code: 0, stdout: `${run.runId}: done\n`, stderr: "" });
});

test("runs of another version are left alone, and it is said why", async (t) => {
  const desk = keptDesk(t);
  const run = await desk.begin([refund]);
  await desk.type(["approvals", "approve", run.pending[0]?.pauseId ?? ""]);
  const newer = desk.with('version: "2"');
  const why = "it was started by no version, and the configuration is version `2`";
  assert.deepEqual(await newer.type(["runs", "resume"]), {
    code: 0,
    stdout: "",
    stderr: `${run.runId} is left alone: ${why}\n`,
  });
  const one = await newer.type(["runs", "resume", run.runId]);
  assert.deepEqual(
    [one.code, one.stderr],
    [
      3,
      `error [config.invalid]: \`${run.runId}\` cannot be moved here: ${why}\n` +
        `fix: Use the configuration that it was started with, or cancel it: \`toolpost runs cancel ${run.runId}\`.\n`,
    ],
  );
});

test("where only the run has a version it is said that the configuration has none", async (t) => {
  const desk = keptDesk(t, 'version: "1"');
  const { runId } = await desk.begin([refund]);
  const { stdout } = await desk.with("").type(["runs", "show", runId]);
  const [first] = stdout.split("\n");
  assert.equal(first, `${runId}: waiting: it was started by version \`1\`, and the configuration has no version`);
});

test("an application that has the engine alone looks after all of its runs, and moves none", async (t) => {
  const desk = keptDesk(t);
  const [approval, question, other] = [
    await desk.begin([refund]),
    await desk.begin([{ name: "colour" }]),
    await desk.begin([refund]),
  ];
  const bare = desk.with("agents: []");
  const pauseOf = ({ pending }: typeof approval) => pending[0]?.pauseId ?? "";
  const code = async (...argv: string[]) => (await bare.type(argv)).code;
  assert.equal(JSON.parse((await bare.type(["runs", "list", "--json"])).stdout).length, 3);
  assert.match((await bare.type(["runs", "show", other.runId])).stdout, /^run_\S+: waiting: /);
  assert.equal(await code("approvals", "list"), 0);
  assert.equal(await code("approvals", "show", pauseOf(approval)), 0);
  assert.equal(await code("approvals", "approve", pauseOf(approval)), 0);
  assert.equal(await code("approvals", "reply", pauseOf(question), "red"), 0);
  assert.equal(await code("approvals", "decline", pauseOf(other)), 0);
  assert.equal(await code("runs", "cancel", other.runId), 0);
  assert.equal((await bare.type(["runs", "prune", "--older-than", "1d"])).stdout, "0 runs deleted\n");
  for (const argv of [[], [approval.runId]])
    assert.deepEqual(await bare.type(["runs", "resume", ...argv]), {
      code: 3,
      stdout: "",
      stderr:
        "error [config.invalid]: the configuration has no agent that could go on with a run\n" +
        "fix: Use the configuration of the application that started the runs, with its `agents`.\n",
    });
  await desk.type(["runs", "resume", "--quiet"]);
  const texts = await Promise.all(
    [approval, question].map(async ({ runId }) => {
      const { result } = JSON.parse((await desk.type(["runs", "show", runId, "--json"])).stdout);
      return result.text;
    }),
  );
  assert.deepEqual(texts, ["It said: refunded o-1", "It said: painted red"]);
});

test("prune deletes what ended that long ago, and nothing that has not ended", async (t) => {
  const desk = keptDesk(t);
  await desk.begin("hello");
  const waiting = await desk.begin([refund]);
  const later = desk.with("clock: { ...systemClock, now: () => Date.now() + 31 * 86_400_000 }");
  for (const age of ["32d", "5w"])
    assert.equal((await later.type(["runs", "prune", "--older-than", age])).stdout, "0 runs deleted\n");
  assert.equal((await later.type(["runs", "prune", "--older-than", "30d", "--json"])).stdout, '{"pruned":1}\n');
  const left = JSON.parse((await desk.type(["runs", "list", "--json"])).stdout);
  assert.deepEqual(
    left.map((run: { runId: string }) => run.runId),
    [waiting.runId],
  );
  const error = async (...argv: string[]) => {
    const ended = await desk.type(["runs", "prune", ...argv]);
    return `${ended.code} ${ended.stderr.split("\n")[0]}`;
  };
  assert.equal(await error(), "2 error: `toolpost runs prune` needs to know how old: `--older-than 30d`");
  for (const wrong of ["30", "d", "1month", "1.5h"])
    assert.equal(
      await error("--older-than", wrong),
      `2 error: \`--older-than\` must be a number with a unit, such as \`30d\`, \`12h\`, \`90min\`, not \`${wrong}\``,
    );
});

test("without an engine there is nothing to look after, and it is said what to do", async (t) => {
  const agents = `[defineAgent({ name: "clerk", description: "c", model: scriptedModel([]), tools: [] })]`;
  for (const exported of [`{ agents: ${agents} }`, "createApp({})", "{ tools }", "await createToolkit({ tools })"]) {
    const cwd = project(t, `export default ${exported};`);
    for (const argv of [
      ["runs", "list"],
      ["runs", "resume"],
      ["approvals", "list"],
      ["runs", "prune", "--older-than", "1d"],
    ]) {
      assert.deepEqual(await runMain(argv, { cwd }), {
        code: 3,
        stdout: "",
        stderr:
          "error [run.needs-engine]: the application has no engine: its runs end with their process, and no other process sees them\n" +
          'fix: Give it one: `createApp({ …, engine: sqlite("./runs.db") })`, with `sqlite` from "toolpost/sqlite".\n',
      });
    }
  }
});

test("`toolpost run` says where an approval that an engine keeps is given", async (t) => {
  const desk = keptDesk(t);
  const ended = await desk.type(["run", JSON.stringify([refund]), "--quiet"]);
  const [run] = JSON.parse((await desk.type(["runs", "list", "--json"])).stdout);
  const [approval] = JSON.parse((await desk.type(["approvals", "list", "--json"])).stdout);
  assert.deepEqual(ended, {
    code: 4,
    stdout: "",
    stderr: `\`refund\` waits for a person: toolpost approvals show ${approval.pauseId}; once it is answered: toolpost runs resume ${run.runId}\n`,
  });
});

/** Ids of runs that start alike in their first six characters. */
async function sharedStart(desk: ReturnType<typeof keptDesk>): Promise<string[]> {
  const app = await desk.open();
  try {
    const ids = new Map<string, string>();
    for (;;) {
      const { runId } = await app.run("clerk", "hello");
      const other = ids.get(runId.slice(0, 6));
      if (other !== undefined) return [other, runId];
      ids.set(runId.slice(0, 6), runId);
    }
  } finally {
    await app.close();
  }
}

/** As a process leaves a run that was killed while it moved it. */
function holdElsewhere(cwd: string, runId: string, forMs: number): void {
  const db = openDatabase(join(cwd, "runs.db"));
  db.prepare("update runs set state = 'running', owner = 'owner_gone', due = ? where id = ?").run(
    Date.now() + forMs,
    runId,
  );
  db.close();
}

test("a run that another process holds is told as held, with when it comes free, and is moved then", async (t) => {
  const desk = keptDesk(t);
  const { runId } = await desk.begin([refund]);
  holdElsewhere(desk.cwd, runId, 3_600_000);
  const held = String.raw`held by another process; free in 3[56]\d\d s at the latest, should that one be gone`;
  const { stdout } = await desk.type(["runs", "show", runId]);
  assert.match(stdout, new RegExp(`^${runId}: running: ${held}\n`));
  holdElsewhere(desk.cwd, runId, 2_000);
  const { code, stderr } = await desk.type(["runs", "resume", runId, "--quiet"]);
  assert.equal(
    stderr.replace(/ [12] s/, " N s"),
    `${runId} is held by another process; free in N s at the latest, should that one be gone\n`,
  );
  assert.equal(code, 4);
});

test("a run whose process is gone is told as left, with what takes it up", async (t) => {
  const desk = keptDesk(t);
  const { runId } = await desk.begin([refund]);
  holdElsewhere(desk.cwd, runId, -1);
  const { stdout } = await desk.type(["runs", "show", runId]);
  const left = "left by a process that is gone; your server takes it up, or: toolpost runs resume";
  assert.equal(stdout.split("\n")[0], `${runId}: running: ${left} ${runId}`);
  const listed = await desk.type(["runs", "list"]);
  assert.match(listed.stdout, new RegExp(`\n${runId}  running, left  \\d+ s +clerk\n`));
  assert.equal(listed.stderr, "left: its process is gone; your server takes it up, or: toolpost runs resume\n");
  const newer = await desk.with('version: "2"').type(["runs", "show", runId]);
  assert.match(newer.stdout, /^run_\S+: running: left by a process that is gone: it was started by no version, and /);
  holdElsewhere(desk.cwd, runId, 3_600_000);
  const held = await desk.type(["runs", "list"]);
  assert.match(held.stdout, new RegExp(`\n${runId}  running  \\d+ s +clerk\n`));
  assert.equal(held.stderr, "");
});

test("a run of another version is told to be one where it is shown", async (t) => {
  const desk = keptDesk(t, 'version: "1"');
  const { runId } = await desk.begin([refund]);
  const { stdout } = await desk.with('version: "2"').type(["runs", "show", runId]);
  const [first] = stdout.split("\n");
  assert.equal(first, `${runId}: waiting: it was started by version \`1\`, and the configuration is version \`2\``);
});
