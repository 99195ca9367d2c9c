// `toolpost call`: its input, its output, each exit code, and that every call passes the rules of the configuration.
import assert from "node:assert/strict";
import { PassThrough, Readable } from "node:stream";
import { type TestContext, test } from "node:test";
import { project } from "./lib/project.ts";
import { type Ended, runMain, type Surroundings } from "./lib/run-main.ts";

/** Calls a tool of a project with the configuration `code`. */
function callIn(
  t: TestContext,
  code: string,
  argv: readonly string[],
  more: Partial<Surroundings> = {},
): Promise<Ended> {
  return runMain(["call", ...argv], { cwd: project(t, code), ...more });
}

const all = "export default { tools, log: () => {} };";

const endings: ReadonlyArray<[argv: string[], code: number, stderr: RegExp]> = [
  [["fail"], 1, /^Tool error: code: tool\.failed, status: 500/],
  [["add", "{"], 1, /^Tool error: invalid input: not JSON: /],
  [["add", '{"a":1}'], 1, /^Tool error: invalid input: /],
  [["fatal"], 1, /^error \[tool\.fatal\]: the database is gone\n/],
  [["ad"], 2, /^Tool error: unknown tool: ad\nthere is no tool `ad`; did you mean `add`\?\n$/],
  [["frobnicate"], 2, /there is no tool `frobnicate`; `toolpost list` shows all\n$/],
  [["constructor"], 2, /^Tool error: unknown tool: constructor\n/],
  [["second"], 2, /^Tool error: unknown tool: second\n`second` is hidden for now/],
  [
    ["refund"],
    4,
    /^`refund` waits for a person.*Run it at a terminal to be asked, or give the configuration a channel/,
  ],
  [["colour"], 4, /^`colour` waits for a person/],
  [["refuse"], 5, /^Tool error: not on Sundays\n$/],
  [["late"], 6, /^Tool error: timed out after 5 ms\n$/],
];

for (const [argv, code, stderr] of endings) {
  test(`\`toolpost call ${argv.join(" ")}\` ends with ${code}, and standard output is left alone`, async (t) => {
    const ended = await callIn(t, all, argv);
    assert.match(ended.stderr, stderr);
    assert.deepEqual({ code: ended.code, stdout: ended.stdout }, { code, stdout: "" });
  });
}

test("--json prints the result of every ending, with the same exit code", async (t) => {
  for (const [argv, code] of endings) {
    if (argv[0] === "fatal") continue;
    const ended = await callIn(t, all, [...argv, "--json"]);
    const result = JSON.parse(ended.stdout);
    assert.equal(result.tool, argv[0]);
    assert.deepEqual([ended.code, result.isError], [code, result.status !== "waiting"]);
    assert.ok(!ended.stderr.includes("Tool error"), "the text stands in the result");
  }
});

test("a tool's own error code is not taken for an unknown tool", async (t) => {
  const own = `export default { log: () => {}, tools: [{ name: "own", description: "Fails", source: "custom",
    inputSchema: { type: "object" }, execute: () => { throw new ToolError({ code: "tool.unknown", userMessage: "gone" }); } }] };`;
  const ended = await callIn(t, own, ["own", "--json"]);
  assert.equal(JSON.parse(ended.stdout).errorCode, "tool.unknown");
  assert.equal(ended.code, 1);
});

test("the result is JSON whatever the tool gave", async (t) => {
  const { code, stdout } = await callIn(t, all, ["odd", "--json"]);
  const result = JSON.parse(stdout);
  assert.equal(code, 0);
  assert.deepEqual({ text: result.text, data: result.data }, { text: "odd", data: { big: "10", self: "[circular]" } });
});

test("the arguments come from the command line, or from standard input", async (t) => {
  const echo = async (argv: string[], stdin: string | Readable, isTerminal = false) => {
    const { code, stdout } = await callIn(t, all, ["echo", ...argv, "--no-color"], { stdin, isTerminal });
    return [code, stdout];
  };
  assert.deepEqual(await echo(['{"a":1}'], '{"b":2}'), [0, '{"a":1}\n']);
  assert.deepEqual(await echo([], '{"b":2}'), [0, '{"b":2}\n']);
  assert.deepEqual(await echo(["-"], '\ufeff{"c":"é"}\n', true), [0, '{"c":"é"}\n']);
  assert.deepEqual(await echo([], ""), [0, "{}\n"]);
  assert.deepEqual(await echo([], " \n"), [0, "{}\n"]);
  const bytes = Buffer.from('{"d":"é"}');
  assert.deepEqual(await echo([], Readable.from([bytes.subarray(0, 7), bytes.subarray(7)])), [0, '{"d":"é"}\n']);
  // A person at the terminal would not know that they are waited for.
  assert.deepEqual(await echo([], new PassThrough(), true), [0, "{}\n"]);
});

test("standard input that does not end is told of, and can be interrupted", async (t) => {
  t.mock.timers.enable({ apis: ["setTimeout"] });
  const interrupt = new AbortController();
  const stdin = new PassThrough();
  const onStderr = () => interrupt.abort("interrupted");
  const ending = callIn(t, all, ["echo"], { stdin, interrupt, onStderr });
  t.mock.timers.tick(1_000);
  assert.deepEqual(await ending, {
    code: 130,
    stdout: "",
    stderr: "reading the arguments from standard input until its end …\ncancelled: interrupted\n",
  });
});

test("progress goes to standard error in visible lines, and --quiet leaves it out", async (t) => {
  const ended = await callIn(t, all, ["chatty"]);
  assert.deepEqual(ended, {
    code: 0,
    stdout: "said\n",
    stderr: 'chatty: {"done":1,"of":2}\nchatty: two lines \\x1b[2K\n',
  });
  assert.deepEqual(await callIn(t, all, ["chatty", "--quiet"]), { code: 0, stdout: "said\n", stderr: "" });
});

test("a result is printed as it is for a program, and visible for a person", async (t) => {
  assert.equal((await callIn(t, all, ["loud"])).stdout, "red \x1b[31mtext\nand more\n");
  assert.equal((await callIn(t, all, ["loud"], { isTerminal: true })).stdout, "red \\x1b[31mtext\nand more\n");
});

test("a person at the terminal is asked, and may approve, decline or edit", async (t) => {
  const refund = (...answers: string[]) =>
    callIn(t, all, ["refund", '{"order":"o-1"}', "--no-color"], { isTerminal: true, answers });
  const approved = await refund("y");
  assert.deepEqual([approved.code, approved.stdout], [0, "refunded o-1\n"]);
  assert.match(approved.stderr, /Approval needed: refund\n/);
  const edited = await refund("e", '{"order":"o-2"}');
  assert.deepEqual([edited.code, edited.stdout], [0, "refunded o-2\n"]);
  const declined = await refund("n", "too late");
  assert.deepEqual([declined.code, declined.stdout], [4, ""]);
  assert.match(declined.stderr, /Tool error: the call was declined: too late\n$/);
  const left = await refund();
  assert.deepEqual([left.code, left.stdout], [4, ""]);
  assert.match(left.stderr, /`refund` waits for a person.*To go on, give the configuration a channel/);
  const asked = await callIn(t, all, ["colour", "--no-color"], { isTerminal: true, answers: ["red"] });
  assert.deepEqual([asked.code, asked.stdout], [0, "painted red\n"]);
});

test("where the configuration has a channel, nobody at the terminal is asked", async (t) => {
  const awaiting = '{ name: "mail", send: () => awaitReply() }';
  const approving = '{ name: "auto", send: () => decided({ decision: "approve" }) }';
  for (const make of ["", "createToolkit", "createApp"]) {
    const code = (channel: string) => `export default ${make}({ tools, approvals: { channel: ${channel} } });`;
    const waits = await callIn(t, code(awaiting), ["refund"], { isTerminal: true, answers: ["y"] });
    assert.deepEqual([waits.code, waits.stdout], [4, ""], make);
    assert.ok(!waits.stderr.includes("Approve?"));
    const approved = await callIn(t, code(approving), ["refund", '{"order":"o-1"}'], { isTerminal: true, answers: [] });
    assert.deepEqual([approved.code, approved.stdout, approved.stderr], [0, "refunded o-1\n", ""], make);
  }
});

test("an app's calls pass what governs its agents: floors, requires, rules, hooks, masking", async (t) => {
  const code = `
    const seen = [];
    export default createApp({
      tools: named("echo"),
      agents: [
        defineAgent({ name: "one", description: "One", model: scriptedModel([]), tools: named("add", "fail", "late"),
          approvals: { names: ["add"] }, requires: { fail: ["add"] } }),
        defineAgent({ name: "two", description: "Two", model: scriptedModel([]), tools: ["echo"], approvals: { names: ["late"] } }),
      ],
      rules: [({ tool, input }) => (tool === "echo" && input.evil ? "deny" : undefined)],
      hooks: [{ beforeTool: ({ input }) => ({ input: { ...input, by: "hook" } }) }],
      mask: { redactors: [(text) => text.replaceAll("password", "***")] },
      log: () => {},
    });`;
  const add = ["add", '{"a":1,"b":2}'];
  assert.equal((await callIn(t, code, add)).code, 4);
  assert.equal((await callIn(t, code, add, { isTerminal: true, answers: ["y"] })).stdout, "3\n");
  assert.equal((await callIn(t, code, ["late"])).code, 4, "the floor of another agent counts too");
  assert.equal((await callIn(t, code, ["late", "--agent", "one"])).code, 6, "unless the call is made as one agent");
  assert.match((await callIn(t, code, ["fail"])).stderr, /`fail` is hidden for now/);
  assert.equal((await callIn(t, code, ["echo", '{"evil":1}'])).code, 5);
  assert.equal((await callIn(t, code, ["echo", '{"a":"password"}'])).stdout, '{"a":"***","by":"hook"}\n');
  assert.equal((await callIn(t, code, ["echo", "{}", "--agent", "one"])).code, 2, "an agent calls its own tools");
});

test("--agent is refused where there are no agents", async (t) => {
  const { code, stderr } = await callIn(t, all, ["add", "--agent", "one"]);
  assert.equal(code, 2);
  assert.match(stderr, /^error: `--agent one`: `toolpost\.config\.ts` has no agents\nUsage: toolpost call/);
});

test("the first Ctrl-C cancels the call", async (t) => {
  const interrupt = new AbortController();
  const onStderr = (text: string) => text.includes("started") && interrupt.abort("interrupted");
  const ended = await callIn(t, all, ["wait", "--json"], { interrupt, onStderr });
  assert.equal(ended.code, 130);
  assert.equal(JSON.parse(ended.stdout).status, "cancelled");
});

test("Ctrl-C while a configuration loads ends the command, and closes what opens afterwards", async (t) => {
  const interrupt = new AbortController();
  const events: string[] = [];
  const { promise: closed, resolve } = Promise.withResolvers<void>();
  Object.assign(globalThis, { toolpostTest: { events, interrupt, resolve } });
  t.after(() => Reflect.deleteProperty(globalThis, "toolpostTest"));
  const code = `
    const { events, interrupt, resolve } = globalThis.toolpostTest;
    export default { tools, sources: [{
      name: "slow", kind: "custom",
      list: () => { interrupt.abort("interrupted"); return new Promise((listed) => setImmediate(listed, [])); },
      status: () => ({ name: "slow", kind: "custom", state: "ready", toolCount: 0, skipped: [] }),
      close: async () => { events.push("closed"); resolve(); },
    }] };`;
  const ended = await callIn(t, code, ["add"], { interrupt });
  assert.deepEqual(ended, { code: 130, stdout: "", stderr: "cancelled: interrupted\n" });
  await closed;
  assert.deepEqual(events, ["closed"]);
});

test("where every source failed, an unknown tool is the configuration's fault", async (t) => {
  const code = `export default { log: () => {}, sources: [{ name: "gone", kind: "custom", list: () => Promise.reject(new Error("down")),
    status: () => ({ name: "gone", kind: "custom", state: "failed", toolCount: 0, skipped: [], problem: "it is down" }), close: async () => {} }] };`;
  const ended = await callIn(t, code, ["add"]);
  assert.equal(ended.code, 3);
  assert.match(ended.stderr, /no tools from `gone` \(custom\): it is down\n/);
});

test("an agent that is a tool is run instead, as the error says", async (t) => {
  const code = `
    const helper = defineAgent({ name: "helper", description: "Helps", model: scriptedModel(["helped"]), tools: [] });
    const deskAgent = defineAgent({ name: "desk", description: "Answers", model: scriptedModel(["x"]), tools: [helper] });
    export default { agents: [deskAgent], log: () => {} };`;
  assert.deepEqual(await callIn(t, code, ["helper", '{"message":"x"}']), {
    code: 1,
    stdout: "",
    stderr:
      'Tool error: the agent `helper` is called in a run alone: start one by `app.run("helper", …)` or `toolpost run helper`\n',
  });
  const ended = await runMain(["run", "helper", "go", "--quiet"], { cwd: project(t, code) });
  assert.deepEqual([ended.code, ended.stdout], [0, "helped\n"]);
});
