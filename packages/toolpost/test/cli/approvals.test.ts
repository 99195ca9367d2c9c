// `toolpost approvals`: what is shown before somebody says yes, what goes on record, what the model reads of it.
import assert from "node:assert/strict";
import { userInfo } from "node:os";
import { Readable } from "node:stream";
import { test } from "node:test";
import { type Desk, keptDesk } from "./lib/kept-desk.ts";
import { steady } from "./lib/kept-text.ts";

const refund = { name: "refund", input: { order: "o-1" } };
/** What the model said in the end, after whatever is due was done. */
async function said(desk: Desk, runId: string): Promise<string> {
  await desk.type(["runs", "resume", "--quiet"]);
  return JSON.parse((await desk.type(["runs", "show", runId, "--json"])).stdout).result.text;
}

test("what waits is listed oldest first, with what is asked", async (t) => {
  const desk = keptDesk(t);
  assert.deepEqual(await desk.type(["approvals", "list"]), {
    code: 0,
    stdout: "",
    stderr: "nothing waits for a person\n",
  });
  const first = await desk.begin([refund]);
  const second = await desk.begin([{ name: "colour" }]);
  const [pauses, runs] = [first, second].reduce(
    ([ids, names]: string[][], { runId, pending }) => [
      [...ids!, pending[0]?.pauseId ?? ""],
      [...names!, runId],
    ],
    [[], []],
  ) as [string[], string[]];
  const listed = await desk.type(["approvals", "list"]);
  assert.deepEqual(listed.stdout.replace(/\b\d+ s\b/g, "N s").split("\n"), [
    "APPROVAL                      AGE  TOOL    RUN                         ASKED",
    `${pauses[0]}  N s  refund  ${runs[0]}  {"order":"o-1"}`,
    `${pauses[1]}  N s  colour  ${runs[1]}  Which colour?`,
    "",
  ]);
  const [record] = JSON.parse((await desk.type(["approvals", "list", "--json"])).stdout);
  assert.deepEqual([record.pauseId, record.state, record.value.arguments], [pauses[0], "waiting", refund.input]);
  await desk.type(["approvals", "decline", pauses[0] ?? "", "--comment", "no"]);
  assert.equal(JSON.parse((await desk.type(["approvals", "list", "--json"])).stdout).length, 1);
  const all = await desk.type(["approvals", "list", "--all"]);
  assert.match(all.stdout, / OUTCOME +ASKED\npause_\S+ +\d+ s +refund +run_\S+ +declined by operator anna: "no" +\{/);
});

test("an approval is shown with all of its arguments, over several lines", async (t) => {
  const desk = keptDesk(t);
  const long = "x".repeat(20_000);
  const run = await desk.begin([{ name: "refund", input: { order: long } }], { user: { id: "u-1" } });
  const [{ pauseId = "" } = {}] = run.pending;
  const { code, stdout } = await desk.type(["approvals", "show", pauseId], { isTerminal: true, columns: 40 });
  assert.equal(code, 0);
  assert.equal(
    steady(stdout, run),
    `PAUSE-1 waits for approval of refund
  Refunds an order
  run       RUN
  for user  u-1
  asked     TIME UTC, SPAN ago
  arguments
    {
      "order": "${long}"
    }

toolpost approvals approve PAUSE-1 [--edit JSON] [--comment TEXT]
toolpost approvals decline PAUSE-1 [--comment TEXT]
`,
  );
});

test("an approval goes on record with who gave it, and shows what it is of before", async (t) => {
  const desk = keptDesk(t);
  const run = await desk.begin([refund]);
  const [{ pauseId = "" } = {}] = run.pending;
  const { code, stdout, stderr } = await desk.type(["approvals", "approve", pauseId]);
  assert.deepEqual([code, steady(stdout, run)], [0, "refund (PAUSE-1): approved by operator anna\n"]);
  assert.equal(
    steady(stderr, run),
    `PAUSE-1 waits for approval of refund
  Refunds an order
  run    RUN
  asked  TIME UTC, SPAN ago
  arguments
    {
      "order": "o-1"
    }
no process has taken the run up; start your server, or: toolpost runs resume RUN
`,
  );
  const { answeredBy } = JSON.parse((await desk.type(["approvals", "show", pauseId, "--json"])).stdout);
  assert.deepEqual(answeredBy, { operator: "anna" });
  assert.equal(await said(desk, run.runId), "It said: refunded o-1");
});

test("who answers is whoever `--as` names, or the user of the machine", async (t) => {
  const desk = keptDesk(t);
  const names: [argv: string[], env: Record<string, string>][] = [
    [["--as", "zoë"], { USER: "anna" }],
    [[], { USER: "anna", LOGNAME: "other" }],
    [[], { LOGNAME: "other" }],
    [[], { USER: "" }],
  ];
  const given: string[] = [];
  for (const [argv, env] of names) {
    const { pending } = await desk.begin([refund]);
    const ended = await desk.type(["approvals", "decline", pending[0]?.pauseId ?? "", "--json", ...argv], { env });
    given.push(JSON.parse(ended.stdout).answeredBy.operator);
  }
  assert.deepEqual(given, ["zoë", "anna", "other", userInfo().username]);
});

test("arguments that are given with the approval are what runs", async (t) => {
  const desk = keptDesk(t);
  const run = await desk.begin([refund]);
  const [{ pauseId = "" } = {}] = run.pending;
  const { stdout, stderr } = await desk.type(["approvals", "approve", pauseId, "--edit", '{"order":"o-2"}']);
  assert.equal(steady(stdout, run), "refund (PAUSE-1): approved with other arguments by operator anna\n");
  assert.ok(stderr.includes('  to be approved with\n    {\n      "order": "o-2"\n    }\n'), stderr);
  assert.equal(await said(desk, run.runId), "It said: refunded o-2");
  const shown = await desk.type(["approvals", "show", pauseId]);
  assert.match(shown.stdout, /\n {2}approved with\n {4}\{\n {6}"order": "o-2"\n {4}\}\n$/);
});

test("arguments that do not fit are refused by the run, and the model reads why", async (t) => {
  const desk = keptDesk(t);
  const run = await desk.begin([refund]);
  await desk.type(["approvals", "approve", run.pending[0]?.pauseId ?? "", "--edit", '{"order":5}']);
  assert.equal(await said(desk, run.runId), "It said: Tool error: invalid input: order: expected string, got number");
});

test("arguments that are no JSON are refused before anything is answered", async (t) => {
  const desk = keptDesk(t);
  const run = await desk.begin([refund]);
  const [{ pauseId = "" } = {}] = run.pending;
  const ended = await desk.type(["approvals", "approve", pauseId, "--edit", "{order}"]);
  assert.equal(ended.code, 2);
  assert.match(ended.stderr, /^error: `--edit` is not JSON: /);
  assert.equal(JSON.parse((await desk.type(["approvals", "show", pauseId, "--json"])).stdout).state, "waiting");
});

test("a person at the terminal is asked once more; without a yes nothing is answered", async (t) => {
  const desk = keptDesk(t);
  const run = await desk.begin([refund]);
  const [{ pauseId = "" } = {}] = run.pending;
  const approve = async (...answers: string[]) =>
    desk.type(["approvals", "approve", pauseId, "--no-color"], { isTerminal: true, answers });
  for (const answers of [["n"], [], ["perhaps", "NO"]]) {
    const ended = await approve(...answers);
    assert.deepEqual([ended.code, ended.stdout], [4, ""]);
    assert.match(ended.stderr, /"order": "o-1"\n {4}\}\n(?:Approve\? \[y\]es \/ \[n\]o: \n?)+nothing was answered\n$/);
  }
  const yes = await approve("y");
  assert.deepEqual([yes.code, steady(yes.stdout, run)], [0, "refund (PAUSE-1): approved by operator anna\n"]);
});

test("a question is answered with JSON, with a text, or with one of its choices", async (t) => {
  const desk = keptDesk(t);
  const ask = async (name: string, reply: string) => {
    const run = await desk.begin([{ name }]);
    const ended = await desk.type(["approvals", "reply", run.pending[0]?.pauseId ?? "", reply]);
    return ended.code === 0 ? said(desk, run.runId) : ended.stderr.split("\n")[0];
  };
  assert.equal(await ask("colour", "deep red"), "It said: painted deep red");
  assert.equal(await ask("colour", "[1, 2]"), "It said: painted 1,2");
  assert.equal(await ask("colour", '"42"'), "It said: painted 42");
  assert.equal(await ask("choose", "red"), "It said: chose red");
  assert.equal(await ask("choose", '"blue"'), "It said: chose blue");
  assert.equal(await ask("choose", "1"), "It said: chose red");
  // A choice that is a number itself is meant by its words.
  assert.equal(await ask("choose", "3"), "It said: chose 3");
  assert.equal(await ask("choose", "4"), "error: `4` is none of the choices: `red`, `3`, `blue`");
});

test("a question is not approved, an approval is not replied to", async (t) => {
  const desk = keptDesk(t);
  const { pending } = await desk.begin([refund, { name: "colour" }]);
  const id = (kind: string) => pending.find(({ value }) => value.kind === kind)?.pauseId ?? "";
  const error = async (...argv: string[]) => {
    const ended = await desk.type(["approvals", ...argv]);
    return `${ended.code} ${ended.stderr.split("\n")[0]}`;
  };
  const question = id("question");
  assert.equal(
    await error("approve", question),
    `2 error: \`${question}\` is a question: \`toolpost approvals reply ${question} …\``,
  );
  const approval = id("approval");
  assert.equal(
    await error("reply", approval, "yes"),
    `2 error: \`${approval}\` is an approval: \`toolpost approvals approve ${approval}\`, or \`decline\``,
  );
  assert.equal(await error("reply", question), "2 error: `toolpost approvals reply` needs the answer, as JSON or text");
});

test("what was answered before is told with who answered, and stays", async (t) => {
  const desk = keptDesk(t);
  const run = await desk.begin([refund]);
  const [{ pauseId = "" } = {}] = run.pending;
  await desk.type(["approvals", "decline", pauseId, "--comment", "no", "--as", "zoë"]);
  const second = await desk.type(["approvals", "approve", pauseId]);
  assert.deepEqual(
    [second.code, second.stdout, second.stderr.split("\n")[0]],
    [4, "", `error [approval.already-answered]: \`${pauseId}\` is already answered: declined by operator zoë: "no"`],
  );
});

test("whoever is asked while another answers is told who was first", async (t) => {
  const desk = keptDesk(t);
  const run = await desk.begin([refund]);
  const [{ pauseId = "" } = {}] = run.pending;
  const stdin = new Readable({ read: () => undefined });
  let declined: Promise<unknown> | undefined;
  const onStderr = (told: string): void => {
    if (declined !== undefined || !told.endsWith("Approve? [y]es / [n]o: ")) return;
    declined = desk.type(["approvals", "decline", pauseId, "--as", "zoë"]).then(() => stdin.push("y\n"));
  };
  const { code, stdout, stderr } = await desk.type(["approvals", "approve", pauseId], {
    isTerminal: true,
    stdin,
    onStderr,
  });
  assert.deepEqual([code, stdout], [4, ""]);
  assert.ok(
    stderr.includes(`[approval.already-answered]: \`${pauseId}\` is already answered: declined by operator zoë`),
    stderr,
  );
});

test("a comment that has quotes in it reads as one text", async (t) => {
  const desk = keptDesk(t);
  const [{ pauseId = "" } = {}] = (await desk.begin([refund])).pending;
  const comment = 'too much, "really"\nno';
  const { stdout } = await desk.type(["approvals", "decline", pauseId, "--comment", comment, "--as", "Ruth"]);
  assert.equal(stdout, `refund (${pauseId}): declined by operator Ruth: "too much, \\"really\\"\\nno"\n`);
});

test("what has expired is told so, and nothing is run", async (t) => {
  const desk = keptDesk(t, "approvals: { expireAfter: minutes(5) }");
  const run = await desk.begin([refund]);
  const [{ pauseId = "" } = {}] = run.pending;
  const waiting = await desk.type(["approvals", "show", pauseId]);
  assert.match(waiting.stdout, /\n {2}expires {2}\S+ \S+ UTC, in (?:4|5) min\n/);
  const clock = "{ ...systemClock, now: () => Date.now() + 360_000 }";
  const later = desk.with(
    `approvals: { expireAfter: minutes(5) }, clock: ${clock}, engine: sqlite(file, { clock: ${clock} })`,
  );
  const late = await later.type(["approvals", "approve", pauseId]);
  assert.deepEqual(
    [late.code, late.stdout, late.stderr.split("\n")[0]],
    [4, "", `error [approval.expired]: \`${pauseId}\` has expired: nobody answered in time`],
  );
  assert.equal(await said(later, run.runId), "It said: Tool error: nobody approved the call in time");
});

test("nothing that a model, a tool or a person wrote steers the terminal, and JSON stays the same document", async (t) => {
  const evil = "\r\x1b[2K\x1b]8;;http://evil\x07link\u202e\u200b\u009b1A";
  const steersNothing = (text: string, of: string) => {
    for (const character of "\r\x1b\x07\u202e\u200b\u009b") assert.ok(!text.includes(character), `${of}: ${text}`);
  };
  const name = `say${evil}`;
  const tool = `{ name: "odd", description: ${JSON.stringify(evil)}, source: "custom", inputSchema: { type: "object" }, policy: "needs-approval", execute: () => ${JSON.stringify(evil)} }`;
  const desk = keptDesk(t, `agents: [defineAgent({ name: "clerk", description: "c", model, tools: [${tool}] })]`);
  const run = await desk.begin([{ name: "odd", input: { [evil]: evil } }, { name }], {
    threadId: evil,
    user: { id: evil },
  });
  const [{ pauseId = "" } = {}] = run.pending;
  const commands = [
    ["runs", "list"],
    ["runs", "show", run.runId, "--journal"],
    ["approvals", "list"],
    ["approvals", "show", pauseId],
    ["approvals", "approve", pauseId, "--comment", evil, "--as", evil],
    ["approvals", "list", "--all"],
    ["approvals", "show", pauseId],
    ["runs", "show", run.runId, "--journal"],
    ["runs", "resume"],
    ["runs", "show", run.runId, "--journal"],
    ["approvals", "approve", pauseId],
    ["approvals", "show", `pause_${evil}`],
  ];
  let all = "";
  for (const argv of commands) {
    const { stdout, stderr } = await desk.type([...argv, "--no-color"], { isTerminal: true, answers: ["y"] });
    steersNothing(stdout + stderr, argv.join(" "));
    all += stdout + stderr;
  }
  for (const written of ["\\x1b[2K", "\\x07", "\\u202e", "\\u200b", "\\x9b"]) assert.ok(all.includes(written), written);
  const json = await desk.type(["approvals", "show", pauseId, "--json"]);
  steersNothing(json.stdout, "--json");
  const record = JSON.parse(json.stdout);
  assert.deepEqual(
    [record.value.arguments, record.answer.value.comment, record.answeredBy, record.ownerId],
    [{ [evil]: evil }, evil, { operator: evil }, evil],
  );
});
