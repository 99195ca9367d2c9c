// Where the configuration comes from, what it may export, and what is said of one that cannot be used.
import assert from "node:assert/strict";
import { test } from "node:test";
import { temporaryTree } from "../lib/temporary-tree.ts";
import { project, source } from "./lib/project.ts";
import { runMain } from "./lib/run-main.ts";

const add = ["call", "add", '{"a":1,"b":2}'];

const usable: ReadonlyArray<[what: string, code: string]> = [
  ["options of a toolkit", "export default { tools };"],
  ["a promise of options", "export default Promise.resolve({ tools });"],
  ["a toolkit", "export default await createToolkit({ tools });"],
  ["a promise of a toolkit", "export default createToolkit({ tools });"],
  ["an app", "export default createApp({ tools });"],
  ["an instance of a class that has them as fields", "export default new (class Options { tools = tools; })();"],
  ["options of an app", "export default { tools, agents: [] };"],
  ["the exports of a compiled module", "export default { __esModule: true, default: { tools } };"],
];

for (const [what, code] of usable) {
  test(`the configuration may export ${what}`, async (t) => {
    assert.deepEqual(await runMain(add, { cwd: project(t, code) }), { code: 0, stdout: "3\n", stderr: "" });
  });
}

test("a configuration in JavaScript is found too, and --config names another one", async (t) => {
  const tool = (name: string) =>
    `{ name: "${name}", description: "Does", source: "custom", inputSchema: { type: "object" }, execute: () => "did" }`;
  const cwd = temporaryTree(t, {
    "toolpost.config.mjs": `export default { tools: [${tool("usual")}] };`,
    "deep/other.mjs": `export default { tools: [${tool("other")}] };`,
  });
  assert.deepEqual(await runMain(["call", "usual"], { cwd }), { code: 0, stdout: "did\n", stderr: "" });
  assert.deepEqual(await runMain(["call", "other", "--config", "deep/other.mjs"], { cwd }), {
    code: 0,
    stdout: "did\n",
    stderr: "",
  });
});

const unusable: ReadonlyArray<[what: string, code: string, error: RegExp]> = [
  [
    "throws",
    "function start() {\n  throw new TypeError('no key');\n}\nexport default start();",
    /^error \[config\.invalid\]: `toolpost\.config\.ts` threw TypeError: no key, at toolpost\.config\.ts:3:9\nfix: /,
  ],
  ["throws what is no error", "throw { why: 'none' };", /`toolpost\.config\.ts` threw \{"why":"none"\}\n/],
  [
    "rejects",
    "export default Promise.reject(new Error('later'));",
    /threw Error: later, at toolpost\.config\.ts:\d+:\d+\n/,
  ],
  [
    "has an engine whose file cannot be opened",
    `const { sqlite } = await import("${source}/durable/sqlite/sqlite-engine.ts");\nexport default createApp({ engine: sqlite("./no/folder/runs.db") });`,
    /^error \[engine\.cannot-open\]: `toolpost\.config\.ts`: `\.\/no\/folder\/runs\.db` cannot be opened [^\n]+: there is no folder `\S+`\ncause: [^\n]+\nfix: Make the folder first, or give another path\.\n$/,
  ],
  [
    "is no TypeScript",
    "export default {\n  tools tools\n};",
    /^error \[config\.syntax\]: `toolpost\.config\.ts`: .*, at toolpost\.config\.ts:3:9\n {2}\| {3}tools tools\n {2}\| {9}\^{5}\nfix: /,
  ],
  [
    "has no default export",
    "export const app = {};",
    /^error \[config\.invalid\]: `toolpost\.config\.ts` has no default export\nfix: Add `export default createApp/,
  ],
  [
    "exports a function",
    "export default () => ({ tools });",
    /exports a function by default: expected an app \(`createApp`\)/,
  ],
  ["exports a list", "export default tools;", /exports an array by default/],
  ["exports null", "export default null;", /exports null by default/],
  [
    "has a misspelt option",
    "export default { tolls: tools };",
    /exports an object with `tolls`; did you mean `tools`\?\nfix: Options are `name`, `tools`, `providers`, `agents`/,
  ],
  ["exports a tool", "export default named('add')[0];", /exports an object with `description`, /],
  [
    "does not hold together",
    "export default createApp({ tools: [...named('add'), { ...named('add')[0] }, { ...named('echo')[0], description: ' ' }] });",
    /^error: the definitions have 2 problems:\n {2}\[tool\.\S+\] .*`add`.*\n {2}\[tool\.\S+\] .*echo/,
  ],
];

for (const [what, code, error] of unusable) {
  test(`a configuration that ${what} is refused`, async (t) => {
    const { code: exit, stdout, stderr } = await runMain(["list", "--json"], { cwd: project(t, code) });
    assert.match(stderr, error);
    assert.deepEqual({ exit, stdout }, { exit: 3, stdout: "" });
  });
}

test("plain JavaScript that is not well-formed is shown with its line, too", async (t) => {
  const cwd = temporaryTree(t, { "toolpost.config.mjs": "export default {\n  a b\n};\n" });
  const { code, stderr } = await runMain(["list"], { cwd });
  assert.equal(code, 3);
  assert.match(
    stderr,
    /`toolpost\.config\.mjs`: Unexpected identifier 'b', at toolpost\.config\.mjs:2\n {2}\| {3}a b\n {2}\| +\^\n/,
  );
});

test("so is JavaScript that the configuration imports", async (t) => {
  const cwd = temporaryTree(t, {
    "toolpost.config.mjs": 'import "./lib/tools.mjs";\nexport default {};',
    "lib/tools.mjs": "\n\nconst a = ;\n",
  });
  const { stderr } = await runMain(["list"], { cwd });
  assert.match(stderr, /: Unexpected token ';', at lib\/tools\.mjs:3\n {2}\| const a = ;\n {2}\| {11}\^\n/);
});

test("a package that is not installed is named with its command", async (t) => {
  const { code, stderr } = await runMain(["list"], { cwd: project(t, 'import "@nobody/nothing"; export default {};') });
  assert.equal(code, 3);
  assert.match(stderr, /Cannot find package '@nobody\/nothing'.*\nfix: Run `npm install @nobody\/nothing`\.\n/);
});

test("a named file that is not there, and nothing at all, say what to do", async (t) => {
  const cwd = temporaryTree(t, { "a.json": "{}" });
  const say = async (...argv: string[]) => {
    const { code, stdout, stderr } = await runMain(["list", ...argv], { cwd });
    assert.deepEqual({ code, stdout }, { code: 3, stdout: "" });
    return stderr;
  };
  assert.match(
    await say(),
    /^error \[config\.not-found\]: there is no `toolpost\.config\.ts` and no `mcp\.json` in `.*`\nfix: Create/,
  );
  assert.match(
    await say("--config", "gone.ts"),
    /^error \[config\.not-found\]: `--config gone\.ts`: there is no file `.*gone\.ts`\n/,
  );
  assert.match(await say("--mcp", "gone.json"), /^error \[config\.not-found\]: `--mcp gone\.json`: there is no file/);
  assert.match(
    await say("--config", "a.json"),
    /^error \[config\.invalid\]: .*\nfix: Name an mcp\.json by `--mcp a\.json`\.\n/,
  );
});

test("mcp.json is read where the configuration names none, and --mcp counts before both", async (t) => {
  const server = (name: string) => `{ "mcpServers": { "${name}": { "command": "toolpost-no-such-command" } } }`;
  const files = { "mcp.json": server("usual"), "own.json": server("own"), "named.json": server("named") };
  const failed = async (code: string, ...argv: string[]) => {
    const { stderr } = await runMain(["list", ...argv], { cwd: project(t, `const log = () => {};\n${code}`, files) });
    return [...stderr.matchAll(/^no tools from `(\w+)`/gm)].map(([, name]) => name);
  };
  assert.deepEqual(await failed("export default { tools, log };"), ["usual"]);
  assert.deepEqual(await failed("export default { tools, log, mcp: JSON.parse('{ \"mcpServers\": {} }') };"), []);
  assert.deepEqual(await failed("export default { tools, log };", "--mcp", "named.json"), ["named"]);
  assert.deepEqual(await failed("export default { tools, log, mcp: 'own.json' };", "--mcp", "named.json"), ["named"]);
  assert.deepEqual(await failed("export default createApp({ tools, log });"), []);
});

test("--mcp cannot be added to what is put together already", async (t) => {
  const cwd = project(t, "export default createApp({ tools });", { "named.json": '{ "mcpServers": {} }' });
  const { code, stderr } = await runMain(["list", "--mcp", "named.json"], { cwd });
  assert.equal(code, 3);
  assert.match(
    stderr,
    /`--mcp` cannot be added to the app that `toolpost\.config\.ts` exports\nfix: .*`mcp: "named\.json"`/,
  );
});

test("an mcp.json that cannot be read is an error of the configuration, with its place", async (t) => {
  const { code, stdout, stderr } = await runMain(["list"], {
    cwd: temporaryTree(t, { "mcp.json": '{\n  "mcpServers": nope\n}' }),
  });
  assert.deepEqual({ code, stdout }, { code: 3, stdout: "" });
  assert.match(stderr, /^error \[config\.syntax\]: .*mcp\.json:2:17: /);
});
