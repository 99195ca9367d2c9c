// `toolpost describe`: every line of the text, the JSON of it, and that nothing is connected or revealed for it.
import assert from "node:assert/strict";
import { test } from "node:test";
import type { Description } from "../../src/app/description.ts";
import { project, source } from "./lib/project.ts";
import { runMain } from "./lib/run-main.ts";

/** Units and tools that say all there is to say. */
const notes = `
  const { kilobytes, megabytes, minutes, seconds, usd } = await import("${source}/std/units.ts");
  const { defineTool } = await import("${source}/author/define-tool.ts");
  const tool = (name, more = {}) => defineTool({ name, description: "Does " + name, input: { type: "object" }, execute: () => "", ...more });
  const noteSave = tool("note_save", { description: "Save a note", policy: "needs-approval", environment: ["NOTES_FILE"], maxResultSize: kilobytes(256) });
  const noteList = tool("note_list", { annotations: { readOnly: true }, environment: ["NOTES_FILE", "NOTES_KEY"], tags: ["notes"], timeout: "none" });
  const noteDrop = tool("note_drop", { policy: () => "allow", maxResultSize: megabytes(1), timeout: seconds(90) });
  const noteBurn = tool("note_burn", { policy: { verdict: "deny" }, tags: ["fire"] });
  const spare = tool("spare", { description: "Is\\n\\x1b[2Kleft  over", policy: () => "allow" });`;

const desk = `${notes}
  export default {
    name: "desk-application",
    tools: [noteList, spare],
    agents: [
      defineAgent({ name: "desk", description: "Keeps\\nnotes", model: "openai:gpt-5.2", thinking: "low", prompt: { files: ["./desk.md"] },
        tools: [noteSave, "note_list", noteDrop, noteBurn, "read_text_file"], requires: { note_save: ["note_list"] },
        maxToolCalls: 5, budget: { money: usd(0.2), time: minutes(2), tokens: 10_000, calls: 3 },
        output: { type: "object", title: "Verdict", properties: { mood: { type: "string" }, score: { type: "number" } } } }),
      defineAgent({ name: "strict", description: "Asks", model: scriptedModel(["x"]), tools: ["note_list"], approvals: { tags: ["notes"] }, toolErrors: "observe" }),
    ],
    approvals: { names: ["note_drop"], tags: ["fire"] },
    rules: [() => undefined],
    mcp: { mcpServers: {
      files: { command: "no-such-program", args: ["\${FOLDER:-.}"], env: { A: "\${TOKEN}" } },
      web: { url: "https://\${HOST}/mcp" },
      off: { command: "x", disabled: true } } },
    defaults: { tools: { maxResultSize: kilobytes(64), maxConcurrency: 2 } },
  };`;

const deskText = `desk-application: 2 agents, 5 tools, 2 sources

agent desk: Keeps notes
  model openai:gpt-5.2, thinking low
  prompt ./desk.md
  answers with Verdict: mood, score
  maxSteps 50 (built-in), maxFailures 10 (built-in), maxToolCalls 5 (own), maxConcurrency 2 (desk-application)
  toolErrors mask (built-in)
  budget money $0.20, tokens 10,000, calls 3, time 2 min
  tools
    note_save (write, local, waits for approval) ← NOTES_FILE: Save a note
      maxResultSize 256 KB (own), timeout 30 s (built-in), requires note_list
    note_list (read, local) ← NOTES_FILE, NOTES_KEY: Does note_list
      maxResultSize 64 KB (desk-application), timeout none (own), tags notes
    note_drop (write, local, waits for approval): Does note_drop
      maxResultSize 1 MB (own), timeout 90 s (own)
    note_burn (write, local, denied): Does note_burn
      maxResultSize 64 KB (desk-application), timeout 30 s (built-in), tags fire
    read_text_file: of a source, known once that is connected

agent strict: Asks
  model scripted:script
  no prompt
  maxSteps 50 (built-in), maxFailures 10 (built-in), maxToolCalls 20 (built-in), maxConcurrency 2 (desk-application)
  toolErrors observe (own)
  tools
    note_list (read, local, waits for approval) ← NOTES_FILE, NOTES_KEY: Does note_list
      maxResultSize 64 KB (desk-application), timeout none (own), tags notes

sources
  files (mcp, local) ← FOLDER, TOKEN
  web (mcp, remote) ← HOST

environment
  OPENAI_API_KEY: model openai:gpt-5.2
  OPENAI_BASE_URL (may be unset): model openai:gpt-5.2
  NOTES_FILE: tool note_list, tool note_save
  NOTES_KEY: tool note_list
  FOLDER (may be unset): source files
  TOKEN: source files
  HOST: source web

rules: 1, each may deny a call or have a person asked

unassigned tools
  spare (write, local, may wait for approval): Is \\x1b[2Kleft over
    maxResultSize 64 KB (desk-application), timeout 30 s (built-in)
`;

test("an application: every agent, tool, bound, source and variable, with nothing connected", async (t) => {
  const ended = await runMain(["describe"], { cwd: project(t, desk, { "desk.md": "Be brief." }) });
  assert.deepEqual(ended, { code: 0, stdout: deskText, stderr: "" });
});

test("--json has bounds in bytes and milliseconds, per tool and per agent, each with its origin", async (t) => {
  const ended = await runMain(["describe", "--json"], { cwd: project(t, desk, { "desk.md": "Be brief." }) });
  const description: Description = JSON.parse(ended.stdout);
  const [agent, strict] = description.agents;
  assert.deepEqual(agent?.tools[0], {
    name: "note_save",
    description: "Save a note",
    access: "write",
    place: "local",
    source: "native",
    approval: "waits",
    environment: ["NOTES_FILE"],
    tags: [],
    requires: ["note_list"],
    maxResultSize: { bytes: 262_144, origin: "own" },
    timeout: { ms: 30_000, origin: "built-in" },
  });
  assert.deepEqual(agent?.tools[1]?.maxResultSize, { bytes: 65_536, origin: "desk-application" });
  assert.deepEqual(agent?.tools[1]?.timeout, { ms: null, origin: "own" });
  assert.deepEqual(agent?.maxToolCalls, { count: 5, origin: "own" });
  assert.deepEqual(agent?.budget, { usd: 0.2, tokens: 10_000, calls: 3, ms: 120_000 });
  assert.deepEqual(agent?.toolsOfSources, ["read_text_file"]);
  assert.deepEqual(strict?.maxToolCalls, { count: 20, origin: "built-in" });
  assert.deepEqual(description.unassignedTools, ["spare"]);
  assert.deepEqual(description.environment[2], {
    name: "NOTES_FILE",
    hasDefault: false,
    readers: [
      { kind: "tool", name: "note_list" },
      { kind: "tool", name: "note_save" },
    ],
  });
  assert.equal(ended.stderr, "");
});

const below = `${notes}
  const agent = (name, more) => defineAgent({ name, description: name, model: scriptedModel(["x"]), tools: [], ...more });
  const deep = agent("deep", { model: "anthropic:claude-opus-4-5", tools: [noteList] });
  const helper = agent("helper", { tools: [deep, "note_save"], history: { turns: 5, summaries: 10 }, asks: true, maxToolCalls: 3, approvals: { tags: ["notes"] } });
  export default { tools: [noteSave, spare], agents: [agent("a", { tools: [helper, deep], history: { turns: 1, summaries: 1 } }), agent("b", { tools: [helper], history: { turns: 2 } })] };`;

test("agents that are tools of others are told of as any other, and whose tools they are", async (t) => {
  const ended = await runMain(["describe"], { cwd: project(t, below) });
  const blocks = ended.stdout.split("\n\n");
  assert.equal(blocks[0], "application: 4 agents, 5 tools");
  assert.deepEqual(
    blocks.slice(1, 5).map((block) => block.split("\n")[0]),
    ["agent a: a", "agent b: b", "agent helper (tool of a and b): helper", "agent deep (tool of a and helper): deep"],
  );
  assert.equal(
    blocks[3],
    `agent helper (tool of a and b): helper
  model scripted:script
  no prompt
  asks a person by ask-user
  history 5 turns + 10 summaries
  maxSteps 50 (built-in), maxFailures 10 (built-in), maxToolCalls 3 (own), maxConcurrency 8 (built-in)
  toolErrors mask (built-in)
  tools
    deep (write, local, agent): deep
      maxResultSize 128 KB (built-in), timeout none (own)
    note_save (write, local, waits for approval) ← NOTES_FILE: Save a note
      maxResultSize 256 KB (own), timeout 30 s (built-in)`,
  );
  assert.deepEqual(ended.stdout.match(/^ {2}history .*$/gm), [
    "  history 1 turn + 1 summary",
    "  history 2 turns",
    "  history 5 turns + 10 summaries",
  ]);
  assert.equal(
    blocks[5],
    `environment
  ANTHROPIC_API_KEY: model anthropic:claude-opus-4-5
  ANTHROPIC_BASE_URL (may be unset): model anthropic:claude-opus-4-5
  NOTES_FILE: tool note_save, tool note_list
  NOTES_KEY: tool note_list`,
  );
  assert.equal(blocks[6]?.split("\n")[1], "  spare (write, local, may wait for approval): Is \\x1b[2Kleft over");
});

test("--json has them too, with what they ask and remember", async (t) => {
  const { stdout } = await runMain(["describe", "--json"], { cwd: project(t, below) });
  const { agents, unassignedTools }: Description = JSON.parse(stdout);
  assert.deepEqual(
    agents.map(({ name, toolOf, asks, history }) => [name, toolOf, asks, history]),
    [
      ["a", [], false, { turns: 1, summaries: 1 }],
      ["b", [], false, { turns: 2, summaries: 0 }],
      ["helper", ["a", "b"], true, { turns: 5, summaries: 10 }],
      ["deep", ["a", "helper"], false, { turns: null, summaries: 0 }],
    ],
  );
  assert.deepEqual(unassignedTools, ["spare"]);
});

test("the source of an agent below is told as its own", async (t) => {
  const code = `
    const mine = { name: "mine", kind: "custom", list: async () => [], close: async () => {},
      status: () => ({ name: "mine", kind: "custom", state: "idle", toolCount: 0, skipped: [] }) };
    const agent = (name, tools) => defineAgent({ name, description: name, model: scriptedModel(["x"]), tools });
    export default { agents: [agent("a", [agent("b", [mine])])] };`;
  const { stdout } = await runMain(["describe"], { cwd: project(t, code) });
  assert.match(stdout, /^sources\n {2}mine \(custom, of b\)$/m);
});

test("what no name is given to is called by its kind", async (t) => {
  const code = `${notes}
    export default { agents: [defineAgent({ name: "a", description: "A", model: scriptedModel(["x"]), prompt: "Be brief.", tools: [noteSave] })],
      defaults: { tools: { timeout: seconds(5) } } };`;
  const { stdout } = await runMain(["describe"], { cwd: project(t, code) });
  assert.ok(stdout.startsWith("application: 1 agent, 1 tool\n"), stdout);
  assert.match(stdout, /^ {2}prompt of 9 characters$/m);
  assert.match(stdout, /^ {6}maxResultSize 256 KB \(own\), timeout 5 s \(application\)$/m);
  assert.ok(stdout.endsWith("\nunassigned tools: none\n"), stdout);
});

test("a toolkit is described with the tools of its sources", async (t) => {
  const code = `${notes}
    const rain = { name: "rain", description: "Rain", inputSchema: { type: "object" }, source: "http", execute: () => "wet" };
    const dew = { ...rain, name: "note_save", source: "custom" };
    const listing = (name, kind, tools) => ({ name, kind, list: async () => tools, close: async () => {},
      status: () => ({ name, kind, state: "ready", toolCount: tools.length, skipped: [] }) });
    export default createToolkit({ tools: [noteSave], defaults: { tools: { timeout: seconds(5) } },
      sources: [listing("weather", "http", [rain]), { ...listing("garden", "custom", [dew]), describe: () => { throw new Error("no"); } }] });`;
  const ended = await runMain(["describe"], { cwd: project(t, code) });
  assert.deepEqual(ended, {
    code: 0,
    stdout: `toolkit: 3 tools, 2 sources

tools
  note_save (write, local, waits for approval) ← NOTES_FILE: Save a note
    maxResultSize 256 KB (own), timeout 5 s (toolkit)
  rain (write, remote, http weather): Rain
    maxResultSize 128 KB (built-in), timeout 5 s (toolkit)
  garden_note_save (write, local, custom garden): Rain
    maxResultSize 128 KB (built-in), timeout 5 s (toolkit)

sources
  weather (http)
  garden (custom)

environment
  NOTES_FILE: tool note_save
`,
    stderr: "",
  });
});

test("an mcp.json alone is described, whatever its servers are", async (t) => {
  const mcp = '{ "mcpServers": { "files\\u001b[2K": { "command": "no-such-program", "env": { "A": "${TOKEN}" } } } }';
  const cwd = project(t, "", { "mcp.json": mcp });
  const ended = await runMain(["describe", "--config", "none.ts"], { cwd });
  assert.equal(ended.code, 3);
  const { rmSync } = await import("node:fs");
  rmSync(`${cwd}/toolpost.config.ts`);
  assert.deepEqual(await runMain(["describe"], { cwd }), {
    code: 0,
    stdout:
      "application: 0 tools, 1 source\n\nsources\n  files\\x1b[2K (mcp, local) ← TOKEN\n\nenvironment\n  TOKEN: source files\\x1b[2K\n",
    stderr: "",
  });
});

test("the source an agent was given is told as its own; one of the application is everybody's", async (t) => {
  const code = `
    const quiet = (name) => ({ name, kind: "custom", list: async () => [], close: async () => {}, describe: () => ({ place: "remote" }),
      status: () => ({ name, kind: "custom", state: "idle", toolCount: 0, skipped: [] }) });
    const [mine, ours] = [quiet("mine"), quiet("ours")];
    const agent = (name) => defineAgent({ name, description: name, model: scriptedModel(["x"]), tools: [mine, ours] });
    export default createApp({ agents: [agent("a"), agent("b")], sources: [ours] });`;
  const { stdout } = await runMain(["describe"], { cwd: project(t, code) });
  assert.match(stdout, /^sources\n {2}ours \(custom, remote\)\n {2}mine \(custom, remote, of a and b\)$/m);
});

test("a configuration that cannot be used is an error, 3", async (t) => {
  const broken = project(t, 'export default { tools, mcp: "gone.json" };');
  const ended = await runMain(["describe"], { cwd: broken });
  assert.deepEqual([ended.code, ended.stdout], [3, ""]);
  assert.match(ended.stderr, /^error \[config\.not-found\]: `.*gone\.json` cannot be read \(ENOENT\)\n/);
  const misnamed = await runMain(["describe"], { cwd: project(t, 'export default { tools: [], name: "a b" };') });
  assert.equal(misnamed.code, 3);
  assert.match(
    misnamed.stderr,
    /\[app\.invalid\] createApp: `name` is `"a b"`, expected 1 to 64 letters, digits, `_` or `-`/,
  );
});
