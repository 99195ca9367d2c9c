// `toolpost list`: the table, the JSON, what is told beside them.
import assert from "node:assert/strict";
import { Writable } from "node:stream";
import { test } from "node:test";
import { project } from "./lib/project.ts";
import { runMain } from "./lib/run-main.ts";

/** A source that cannot be reached, as code for a configuration. */
const broken = `{
  name: "billing", kind: "http",
  list: () => Promise.reject(new Error("down")),
  status: () => ({ name: "billing", kind: "http", state: "failed", toolCount: 0, skipped: [], problem: "it is down\\x1b[2K" }),
  close: async () => {},
}`;

test("the table has a row per tool, and foreign text cannot steer the terminal", async (t) => {
  const ended = await runMain(["list"], { cwd: project(t, 'export default { tools: named("add", "loud") };') });
  assert.deepEqual(ended, {
    code: 0,
    stdout: `NAME  SOURCE  DESCRIPTION\nadd   native  Adds two numbers\nloud  native  Looks \\x1b[2Kharmless, is not \\u202e\n`,
    stderr: "",
  });
});

test("--json prints an array of definitions and nothing else", async (t) => {
  const cwd = project(t, `export default { tools: named("refund"), sources: [${broken}], log: () => {} };`);
  const { code, stdout, stderr } = await runMain(["list", "--json"], { cwd });
  assert.equal(code, 0);
  assert.deepEqual(JSON.parse(stdout), [
    {
      name: "refund",
      source: "native",
      description: "Refunds an order",
      inputSchema: { type: "object", properties: { order: { type: "string" } } },
    },
  ]);
  assert.equal(stderr, "no tools from `billing` (http): it is down\\x1b[2K\n");
});

test("a failed source is an error of the configuration only where no tool is left", async (t) => {
  const some = await runMain(["list"], {
    cwd: project(t, `export default { tools: named("add"), sources: [${broken}], log: () => {} };`),
  });
  assert.equal(some.code, 0);
  assert.match(some.stderr, /`billing`.*it is down/);
  const none = await runMain(["list", "--json"], {
    cwd: project(t, `export default { sources: [${broken}], log: () => {} };`),
  });
  assert.deepEqual({ code: none.code, stdout: none.stdout }, { code: 3, stdout: "[]\n" });
  assert.match(none.stderr, /`billing`.*it is down/);
});

test("colours are for terminals, and not for those who do not want them", async (t) => {
  const cwd = project(t, 'export default { tools: named("add") };');
  const head = async (argv: string[], env = {}, isTerminal = true) =>
    (await runMain(["list", ...argv], { cwd, env, isTerminal })).stdout.split("\n")[0];
  assert.equal(await head([]), "\x1b[1mNAME  SOURCE  DESCRIPTION\x1b[22m");
  for (const plain of [
    head([], { NO_COLOR: "1" }),
    head(["--no-color"]),
    head([], { TERM: "dumb" }),
    head([], {}, false),
  ]) {
    assert.equal(await plain, "NAME  SOURCE  DESCRIPTION");
  }
  assert.equal(await head([], { NO_COLOR: "" }), await head([]));
});

test("a terminal's line is not overrun", async (t) => {
  const cwd = project(t, 'export default { tools: named("add") };');
  const { stdout } = await runMain(["list", "--no-color"], { cwd, isTerminal: true, columns: 20 });
  assert.equal(stdout, "NAME  SOURCE  DESCR…\nadd   native  Adds …\n");
  const long = project(t, `export default { tools: [{ ...named("add")[0], description: "x".repeat(100) }] };`);
  const unknown = await runMain(["list", "--no-color"], { cwd: long, isTerminal: true, columns: 0 });
  assert.equal(unknown.stdout, `NAME  SOURCE  DESCRIPTION\nadd   native  ${"x".repeat(65)}…\n`);
});

test("a standard output that takes nothing is an error", async (t) => {
  const full = () =>
    new Writable({
      write: (_chunk, _encoding, done) => done(Object.assign(new Error("ENOSPC: no space left"), { code: "ENOSPC" })),
    });
  const cwd = project(t, 'export default { tools: named("add") };');
  for (const argv of [["list"], ["--version"]]) {
    assert.deepEqual(await runMain(argv, { cwd, stdout: full() }), {
      code: 1,
      stdout: "",
      stderr: "error: ENOSPC: no space left\n",
    });
  }
});

const twoAgents = `
const agent = (name, tools, more = {}) => defineAgent({ name, description: name, model: scriptedModel([]), tools, ...more });
const other = { ...named("add")[0], description: "Adds otherwise" };
`;

test("an app's tools are those of the application and of its agents, each once", async (t) => {
  const code = `${twoAgents} export default createApp({ tools: [...named("echo"), ...named("add")], agents: [agent("one", ["add", ...named("fail")]), agent("two", named("add", "wait"))] });`;
  const cwd = project(t, code);
  const { stdout } = await runMain(["list", "--json"], { cwd });
  assert.deepEqual(
    JSON.parse(stdout).map(({ name }: { name: string }) => name),
    ["echo", "add", "fail", "wait"],
  );
});

test("--agent lists the tools of one agent, which settles what two agents name alike", async (t) => {
  const code = `${twoAgents} export default { tools: named("echo"), agents: [agent("one", named("add")), agent("two", [other])] };`;
  const cwd = project(t, code);
  const clash = await runMain(["list"], { cwd });
  assert.equal(clash.code, 3);
  assert.match(clash.stderr, /agent `one` and agent `two` have different tools named `add`/);
  const two = await runMain(["list", "--agent", "two", "--json"], { cwd });
  assert.deepEqual(
    JSON.parse(two.stdout).map(({ description }: { description: string }) => description),
    ["Adds otherwise"],
  );
  const unknown = await runMain(["list", "--agent", "twoo"], { cwd });
  assert.equal(unknown.code, 2);
  assert.match(unknown.stderr, /^error: there is no agent `twoo`; did you mean `two`\?\n/);
});
