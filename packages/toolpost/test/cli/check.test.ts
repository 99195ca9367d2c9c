// `toolpost check`: all problems at once, what is only a warning, and the exit code of each.
import assert from "node:assert/strict";
import { test } from "node:test";
import { project, source } from "./lib/project.ts";
import { runMain } from "./lib/run-main.ts";

const agent = `
  const { defineTool } = await import("${source}/author/define-tool.ts");
  const agent = (name, more = {}) => defineAgent({ name, description: name, model: scriptedModel(["x"]), tools: [], ...more });
  const note = (name) => defineTool({ name, description: name, input: { type: "object" }, environment: ["NOTES_FILE"], execute: () => "" });`;

/** A provider package that is there and cannot be loaded: all that exist are installed for other tests. */
const brokenGoogle = { "node_modules/@ai-sdk/google/package.json": '{ "name": "@ai-sdk/google", "main": "gone.js" }' };
const withoutReason = (text: string) => text.replace(/(could not be loaded): .*?(; run)/, "$1$2");

test("a configuration without a fault is summed up on one line, 0", async (t) => {
  const code = `${agent} export default { tools: named("add", "echo"), agents: [agent("a", { tools: named("add", "fail") }), agent("b")],
    mcp: { mcpServers: { files: { command: "no-such-program", args: ["\${FOLDER:-.}"] } } } };`;
  const ended = await runMain(["check"], { cwd: project(t, code) });
  assert.deepEqual(ended, { code: 0, stdout: "2 agents, 3 tools, 1 source: nothing to mend\n", stderr: "" });
});

test("what assembly, models, MCP servers and the environment have against it comes at once, 3", async (t) => {
  const code = `${agent} export default createApp({ agents: [
      agent("a", { model: "google:gemini-3", tools: [note("save"), note("list")] }),
      agent("b", { model: "scripted:gone.yaml" }),
      agent("c", { model: "openai-compatible:nowhere" }),
      agent("d", { model: "openai:gpt-5.2" })],
    mcp: { mcpServers: { files: { command: "x", env: { T: "\${TOKEN}" } }, web: { url: "https://example.com" } } } });`;
  const cwd = project(t, code, brokenGoogle);
  const { code: exit, stdout, stderr } = await runMain(["check"], { cwd });
  const lines = withoutReason(stdout)
    .replace(/ENOENT.*/, "ENOENT")
    .split("\n");
  assert.deepEqual(lines, [
    "[model.missing-package] agent `a`: `@ai-sdk/google` could not be loaded; run `npm install @ai-sdk/google`",
    `[scripted.file-invalid] agent \`b\`: ${cwd}/gone.yaml: ENOENT`,
    "[model.unknown-string] agent `c`: `openai-compatible:nowhere` is not of the form `openai-compatible:URL#MODEL`; known are `openai:MODEL`, `anthropic:MODEL`, `google:MODEL`, `ollama:MODEL`, `openai-compatible:URL#MODEL`, `scripted:FILE`",
    "[mcp.failed] source `files`: mcpServers.files.env.T needs the environment variable `TOKEN`, which is not set",
    "[mcp.failed] source `web`: servers with a `url` are not supported yet; only ones with a `command` are",
    "warning: [environment.unset] `GOOGLE_GENERATIVE_AI_API_KEY` is not set; model `google:gemini-3` reads it",
    "warning: [environment.unset] `OPENAI_API_KEY` is not set; model `openai:gpt-5.2` reads it",
    "warning: [environment.unset] `NOTES_FILE` is not set; tool `save`, tool `list` read it",
    "4 agents, 2 tools, 2 sources: 5 problems to mend, 3 warnings",
    "",
  ]);
  assert.deepEqual([exit, stderr], [3, ""]);
});

test("what keeps it from being put together does not hide models and servers", async (t) => {
  const code = `${agent} export default { tools: [...named("add"), ...named("add").map((tool) => ({ ...tool, description: " " }))],
    agents: [agent("a", { model: "google:gemini-3", tools: ["gone"], prompt: { files: ["./gone.md"] } }), agent("b", { model: "nope" }), 5],
    mcp: "broken.json" };`;
  const cwd = project(t, code, {
    ...brokenGoogle,
    "broken.json": '{ "mcpServers": { "a": { "commnd": "x" }, "b": 5 } }',
  });
  const ended = await runMain(["check"], { cwd });
  const lines = ended.stdout.replaceAll(cwd, "").trimEnd().split("\n");
  assert.deepEqual(
    lines.map((line) => /^\[\S+ (?:agent )?\S+/.exec(line)?.[0] ?? line),
    [
      "[app.invalid] createApp:",
      '[tool.description-missing] "add"',
      "[tool.duplicate-name] the",
      "[config.not-found] agent `a`:",
      "[agent.invalid] agent `b`:",
      "[model.missing-package] agent `a`:",
      "[config.invalid] /broken.json:",
      "[config.invalid] /broken.json:",
      "[config.invalid] /broken.json:",
      "9 problems to mend",
    ],
  );
  assert.equal(lines[8], "[config.invalid] /broken.json: mcpServers.b: expected an object, got a number");
  assert.deepEqual([ended.code, ended.stderr], [3, ""]);
});

for (const [kind, made] of [
  ["an application", "createApp(options)"],
  ["options that cannot be put together", '{ ...options, name: "a b" }'],
] as const)
  test(`agents that are tools of others are checked as any other, of ${kind}`, async (t) => {
    const code = `${agent}
      const failed = { name: "gone", kind: "custom", list: async () => [], close: async () => {},
        status: () => ({ name: "gone", kind: "custom", state: "failed", problem: "no host", toolCount: 0, skipped: [] }) };
      const deep = agent("deep", { model: "google:gemini-3", tools: [note("save"), failed] });
      const options = { agents: [agent("a", { tools: [agent("helper", { model: "openai:gpt-5.2", tools: [deep] })] })] };
      export default ${made};`;
    const { stdout } = await runMain(["check"], { cwd: project(t, code, brokenGoogle) });
    const ofModel =
      "[model.missing-package] agent `deep`: `@ai-sdk/google` could not be loaded; run `npm install @ai-sdk/google`";
    const lines = withoutReason(stdout).trimEnd().split("\n");
    if (made.startsWith("{")) {
      assert.match(lines[0] ?? "", /^\[app\.invalid\]/);
      assert.deepEqual(lines.slice(1), [ofModel, "2 problems to mend"]);
      return;
    }
    assert.deepEqual(lines, [
      ofModel,
      "[source.failed] source `gone`: no host",
      "warning: [environment.unset] `OPENAI_API_KEY` is not set; model `openai:gpt-5.2` reads it",
      "warning: [environment.unset] `GOOGLE_GENERATIVE_AI_API_KEY` is not set; model `google:gemini-3` reads it",
      "warning: [environment.unset] `NOTES_FILE` is not set; tool `save` reads it",
      "3 agents, 3 tools, 1 source: 2 problems to mend, 3 warnings",
    ]);
  });

test("warnings leave the exit code alone", async (t) => {
  const cwd = project(t, `${agent} export default createToolkit({ tools: [note("save")] });`);
  const unset = await runMain(["check"], { cwd });
  assert.deepEqual(unset, {
    code: 0,
    stdout:
      "warning: [environment.unset] `NOTES_FILE` is not set; tool `save` reads it\n1 tool: nothing to mend, 1 warning\n",
    stderr: "",
  });
  const set = await runMain(["check"], { cwd, env: { NOTES_FILE: "notes.txt" } });
  assert.equal(set.stdout, "1 tool: nothing to mend\n");
});

test("--json has the problems as data", async (t) => {
  const cwd = project(
    t,
    `${agent} export default { agents: [agent("a", { model: "google:x", tools: [note("save")] })] };`,
    brokenGoogle,
  );
  const { code, stdout } = await runMain(["check", "--json"], { cwd, env: { GOOGLE_GENERATIVE_AI_API_KEY: "k" } });
  assert.equal(code, 3);
  assert.deepEqual(JSON.parse(withoutReason(stdout)), {
    ok: false,
    problems: [
      {
        code: "model.missing-package",
        message: "agent `a`: `@ai-sdk/google` could not be loaded; run `npm install @ai-sdk/google`",
      },
    ],
    warnings: [{ code: "environment.unset", message: "`NOTES_FILE` is not set; tool `save` reads it" }],
    agents: 1,
    tools: 1,
    sources: 0,
  });
  const good = await runMain(["check", "--json"], { cwd: project(t, "export default { tools: [] };") });
  assert.deepEqual(JSON.parse(good.stdout), { ok: true, problems: [], warnings: [], agents: 0, tools: 0, sources: 0 });
});

test("a module that cannot be loaded, and none at all, are problems too", async (t) => {
  const thrown = await runMain(["check"], { cwd: project(t, 'throw new Error("two\\nlines \\x1b[2K");') });
  assert.equal(thrown.code, 3);
  assert.match(
    thrown.stdout,
    /^\[config\.invalid\] `toolpost\.config\.ts` threw Error: two lines \\x1b\[2K, at toolpost\.config\.ts:2:7\nfix: Mend what the error says; the configuration is an ordinary module\.\n1 problem to mend\n$/,
  );
  const broken = await runMain(["check"], { cwd: project(t, "const a = ;") });
  assert.match(
    broken.stdout,
    /^\[config\.syntax\] .*, at toolpost\.config\.ts:2\S*\n {2}\| const a = ;\n {2}\| {11}\^/,
  );
  const misspelt = await runMain(["check"], { cwd: project(t, "export default createApp({ agnts: [] });") });
  assert.match(
    misspelt.stdout,
    /^\[app\.invalid\] createApp: there is no setting `agnts`: did you mean `agents`\?\n1 problem to mend\n$/,
  );
  const none = await runMain(["check"], { cwd: import.meta.dirname });
  assert.equal(none.code, 3);
  assert.match(none.stdout, /^\[config\.not-found\] there is no `toolpost\.config\.ts`/);
});

test("a source that a toolkit could not connect is a problem", async (t) => {
  const code = `const down = { name: "billing", kind: "http", list: () => Promise.reject(new Error("down")), close: async () => {},
    status: () => ({ name: "billing", kind: "http", state: "failed", toolCount: 0, skipped: [], problem: "it is down" }) };
    export default createToolkit({ sources: [down], log: () => {} });`;
  const ended = await runMain(["check"], { cwd: project(t, code) });
  assert.deepEqual(
    [ended.code, ended.stdout],
    [3, "[source.failed] source `billing`: it is down\n0 tools, 1 source: 1 problem to mend\n"],
  );
});
