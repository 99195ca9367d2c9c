// `toolpost run`: the text as it comes, the calls beside it, approvals, and how each end of a run ends the command.
import assert from "node:assert/strict";
import { PassThrough, Writable } from "node:stream";
import { type TestContext, test } from "node:test";
import { project } from "./lib/project.ts";
import { type Ended, runMain, type Surroundings } from "./lib/run-main.ts";

/** Runs agents of a project whose configuration exports the options `code` makes with `agent(name, replies, more)`. */
function runIn(
  t: TestContext,
  code: string,
  argv: readonly string[],
  more: Partial<Surroundings> = {},
): Promise<Ended> {
  const agent = `const agent = (name, replies, more = {}) => defineAgent({
    name, description: name, model: scriptedModel(replies), tools: named("add", "refund", "wait", "chatty", "fatal"), ...more });`;
  return runMain(["run", ...argv], { cwd: project(t, `${agent}\n${code}`), ...more });
}

const adding = `export default { agents: [agent("clerk", [
  { text: "Let me add.", calls: [{ name: "add", input: { a: 1, b: 2 } }, { name: "chatty" }] },
  { text: "It is 😀 3.", chunks: 4 },
])] };`;

const duration = /\d+(?:\.\d)? (?:ms|s)/g;

test("the text is printed as it comes, and a line per call is told", async (t) => {
  const { code, stdout, stderr } = await runIn(t, adding, ["What is 1 + 2?"]);
  assert.deepEqual({ code, stdout }, { code: 0, stdout: "Let me add.\nIt is 😀 3.\n" });
  assert.equal(
    stderr.replaceAll(duration, "N ms").split("\n").sort().join("\n").trim(),
    [
      "add (native): ok, N ms, 1 bytes",
      "chatty (native): ok, N ms, 4 bytes",
      "chatty: two lines \\x1b[2K",
      'chatty: {"done":1,"of":2}',
    ]
      .sort()
      .join("\n"),
  );
  assert.equal((await runIn(t, adding, ["What?", "--quiet"])).stderr, "");
});

test("--json prints the run's result and nothing else", async (t) => {
  const { code, stdout } = await runIn(t, adding, ["What?", "--json"]);
  const result = JSON.parse(stdout);
  assert.equal(code, 0);
  assert.deepEqual([result.status, result.text, result.steps, result.calls.length], ["done", "It is 😀 3.", 2, 2]);
});

test("a structured answer is printed as JSON", async (t) => {
  const code = `export default { agents: [agent("clerk", [{ calls: [{ name: "answer-clerk", input: { sum: 3 } }] }], {
    output: { type: "object", properties: { sum: { type: "number" } } } })] };`;
  const ended = await runIn(t, code, ["What?", "--quiet"]);
  assert.deepEqual(ended, { code: 0, stdout: '{"sum":3}\n', stderr: "" });
});

test("a person's terminal is not steered by the text, wherever it is cut", async (t) => {
  const code = `
    const model = { id: "cut:cut", async call(_request, onDelta) {
      const text = "a\\x1b[2K ❤\\ufe0f 😀\\nb";
      for (const delta of ["a\\x1b", "[2K ❤", "\\ufe0f \\ud83d", "\\ude00\\nb"]) onDelta({ type: "text-delta", id: "0", text: delta });
      return { content: [{ type: "text", text }], finish: "stop", usage: { inputTokens: 0, outputTokens: 0, totalTokens: 0, reasoningTokens: 0, cachedInputTokens: 0 } };
    } };
    export default { agents: [agent("clerk", [], { model })] };`;
  const model = (isTerminal: boolean) => runIn(t, code, ["Say"], { isTerminal });
  const person = await model(true);
  assert.deepEqual([person.code, person.stdout], [0, "a\\x1b[2K ❤\ufe0f 😀\nb\n"], person.stderr);
  assert.equal((await model(false)).stdout, "a\x1b[2K ❤\ufe0f 😀\nb\n");
});

const saying = `
  const said = (name) => agent(name, [(request) => name + " hears " + request.lastUser]);
`;
const one = `${saying} export default { agents: [said("one")] };`;
const two = `${saying} export default { agents: [said("one"), said("two")] };`;

test("the agent may be left out where there is one, the message where it comes by standard input", async (t) => {
  const heard = async (code: string, argv: string[], stdin = "", isTerminal = false) => {
    const ended = await runIn(t, code, [...argv, "--no-color"], { stdin, isTerminal });
    return ended.code === 0 ? ended.stdout.trim() : `${ended.code} ${ended.stderr.split("\n")[0]}`;
  };
  assert.equal(await heard(one, ["hi"]), "one hears hi");
  assert.equal(await heard(one, ["hi"], "not this"), "one hears hi");
  assert.equal(await heard(one, ["one", "hi"]), "one hears hi");
  assert.equal(await heard(one, [], "from a pipe"), "one hears from a pipe");
  assert.equal(await heard(one, ["-"], "from a pipe"), "one hears from a pipe");
  assert.equal(await heard(two, ["two", "hi"]), "two hears hi");
  assert.equal(await heard(two, ["two"], "from a pipe"), "two hears from a pipe");
  assert.equal(await heard(two, ["two", "-"], "from a pipe", true), "two hears from a pipe");
  assert.equal(await heard(two, ["hi"]), "2 error: name the agent to run: `one`, `two`");
  assert.equal(await heard(two, ["twoo", "hi"]), "2 error: there is no agent `twoo`; did you mean `two`?");
  assert.equal(
    await heard(two, ["two", "hi", "there"]),
    "2 error: `there` is one word too many; put the message in quotes",
  );
  assert.equal(
    await heard(one, ["one"], "", true),
    "2 error: `toolpost run` needs a message, as an argument or on standard input",
  );
  assert.equal(
    await heard(one, [], " \n"),
    "2 error: `toolpost run` needs a message, as an argument or on standard input",
  );
});

test("--model takes the place of the agent's model, --thread goes on with a conversation", async (t) => {
  const code = `
    const threads = { read: async ({ threadId }) => [{ role: "user", content: [{ type: "text", text: "before, in " + threadId }] }], append: async () => {} };
    export default { threads, agents: [agent("clerk", [(request) => JSON.stringify(request.options.prompt.map(({ content }) => content[0].text))])] };`;
  assert.equal((await runIn(t, code, ["now", "--thread", "t-1"])).stdout, '["before, in t-1","now"]\n');
  const bad = await runIn(t, code, ["now", "--model", "opnai:gpt"]);
  assert.equal(bad.code, 3);
  assert.match(bad.stderr, /^error \[model\.unknown-string\]: `opnai:gpt` names no known provider/);
});

const refunds = (more = "") => `export default { ${more} agents: [agent("clerk", [
  { text: "First", calls: [{ name: "refund", input: { order: "o-1" } }, { name: "refund", input: { order: "o-2" } }] },
  (request) => "It said: " + request.lastResults.map(({ text }) => text).join(", "),
])] };`;

test("a person at the terminal answers each call that waits", async (t) => {
  const ended = await runIn(t, refunds(), ["Refund both", "--no-color"], {
    isTerminal: true,
    answers: ["y", "n", "not that one"],
  });
  assert.equal(ended.code, 0, ended.stderr);
  assert.equal(ended.stdout, "First\nIt said: refunded o-1, Tool error: the call was declined: not that one\n");
  assert.equal(ended.stderr.match(/Approval needed: refund/g)?.length, 2);
});

test("what nobody can be asked about waits: 4", async (t) => {
  const { code, stdout, stderr } = await runIn(t, refunds(), ["Refund both"]);
  assert.deepEqual({ code, stdout }, { code: 4, stdout: "First\n" });
  assert.equal(stderr.match(/^`refund` waits for a person/gm)?.length, 2);
  const left = await runIn(t, refunds(), ["Refund both", "--no-color", "--json"], { isTerminal: true, answers: ["y"] });
  assert.equal(left.code, 4);
  assert.equal(JSON.parse(left.stdout).pending.length, 1);
});

test("where the application has a channel, nobody at the terminal is asked", async (t) => {
  const more = 'approvals: { channel: { name: "mail", send: () => awaitReply() } },';
  const ended = await runIn(t, refunds(more), ["Refund both"], { isTerminal: true, answers: ["y", "y"] });
  assert.equal(ended.code, 4);
  assert.ok(!ended.stderr.includes("Approve?"));
});

const ends: ReadonlyArray<[what: string, agent: string, code: number, stderr: RegExp]> = [
  ["is stopped", 'agent("clerk", [{ text: "So far", finish: "length" }])', 6, /^stopped: length\n$/],
  [
    "has used up its calls",
    'agent("clerk", [{ calls: [{ name: "add", input: { a: 1, b: 1 } }, { name: "chatty" }] }], { maxToolCalls: 1 })',
    6,
    /error \[limit\.tool-calls\]/,
  ],
  ["fails", 'agent("clerk", [{ error: "overloaded" }])', 1, /^error \[model\.failed\]: .*overloaded/],
  [
    "meets a fatal error",
    'agent("clerk", [{ calls: [{ name: "fatal" }] }])',
    1,
    /error \[tool\.fatal\]: the database is gone/,
  ],
  [
    "cannot be put together",
    'agent("clerk", [], { tools: ["gone"] })',
    3,
    /^error: the definitions have a problem:\n {2}\[agent\.unknown-tool\]/,
  ],
];

for (const [what, agent, code, stderr] of ends) {
  test(`a run that ${what} ends with ${code}`, async (t) => {
    const ended = await runIn(t, `export default { log: () => {}, agents: [${agent}] };`, ["Go", "--json"]);
    assert.match(ended.stderr, stderr);
    assert.equal(ended.code, code);
    if (code === 6 && ended.stdout !== "") assert.equal(JSON.parse(ended.stdout).status, "stopped");
    else assert.equal(ended.stdout, "");
  });
}

test("the first Ctrl-C cancels the run, also while a person is asked", async (t) => {
  const waiting = 'export default { log: () => {}, agents: [agent("clerk", [{ calls: [{ name: "wait" }] }])] };';
  for (const [code, sign, isTerminal] of [
    [waiting, "started", false],
    [refunds("log: () => {},"), "Approve?", true],
  ] as const) {
    const interrupt = new AbortController();
    const onStderr = (text: string) => text.includes(sign) && interrupt.abort("interrupted");
    const ended = await runIn(t, code, ["Go", "--no-color"], {
      interrupt,
      onStderr,
      isTerminal,
      ...(isTerminal && { stdin: new PassThrough() }),
    });
    assert.equal(ended.code, 130, ended.stderr);
    assert.match(ended.stderr, /cancelled: interrupted\n$/);
  }
});

test("a run that nobody reads any more is cancelled, quietly", async (t) => {
  const code = `export default { log: () => {}, agents: [agent("clerk", [{ text: "Let me wait.", calls: [{ name: "wait" }] }])] };`;
  const stdout = new Writable({
    write: (_chunk, _encoding, done) => done(Object.assign(new Error("write EPIPE"), { code: "EPIPE" })),
  });
  const ended = await runIn(t, code, ["Go", "--quiet"], { stdout });
  assert.deepEqual(ended, { code: 130, stdout: "", stderr: "" });
});

test("a configuration without agents cannot run", async (t) => {
  for (const code of [
    "export default { tools };",
    "export default createApp({ tools });",
    "export default createToolkit({ tools });",
  ]) {
    const ended = await runIn(t, code, ["Go"]);
    assert.deepEqual([ended.code, ended.stdout], [3, ""]);
    assert.match(
      ended.stderr,
      /^error \[config\.invalid\]: `toolpost\.config\.ts` gives no agent to run\nfix: Export `createApp\(\{ agents/,
    );
  }
});
