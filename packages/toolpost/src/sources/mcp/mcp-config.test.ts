// Files as people have them from other hosts, and files with every kind of mistake.
import assert from "node:assert/strict";
import { join } from "node:path";
import { test } from "node:test";
import { temporaryTree } from "../../../test/lib/temporary-tree.ts";
import { isToolpostError } from "../../core/errors.ts";
import { seconds } from "../../std/units.ts";
import { checkMcpConfig, type McpConfig, parseMcpConfig, readMcpConfig } from "./mcp-config.ts";

const stdio = {
  transport: "stdio",
  isDisabled: false,
  args: [],
  env: {},
  cwd: "/project",
  trust: false,
  environment: [],
};

const named = (name: string, hasDefault = false) => ({ name, hasDefault });

function parse(text: string, env: Readonly<Record<string, string>> = {}): McpConfig {
  return parseMcpConfig(text, "/project/mcp.json", env);
}

/** The problems of a configuration, without the name of the file. */
function problemsOf(value: unknown): string[] {
  try {
    checkMcpConfig(value, { file: "mcp.json", directory: "/project", env: {} });
  } catch (error) {
    assert.ok(isToolpostError(error));
    assert.equal(error.code, "config.invalid");
    return error.message.split("\n").map((line) => line.replace(/^mcp\.json: /, ""));
  }
  return [];
}

const problemsOfServer = (server: unknown) =>
  problemsOf({ mcpServers: { x: server } }).map((text) => text.replace(/^mcpServers\.x/, ""));

test("both forms of a command, with comments and trailing commas", () => {
  const { servers } = parse(`\ufeff{
    // two forms
    "mcpServers": {
      "one": { "command": "node", "args": ["server.js",], },
      "two": { "type": "stdio", "command": ["node", "server.js"], "args": ["--fast"] }, /* the other */
    },
  }`);
  assert.deepEqual(servers, [
    { ...stdio, name: "one", command: "node", args: ["server.js"] },
    { ...stdio, name: "two", command: "node", args: ["server.js", "--fast"] },
  ]);
});

test("each of the three keys", () => {
  for (const key of ["mcpServers", "servers", "mcp"]) {
    const { servers } = parse(`{ "$schema": "x", "inputs": [], "${key}": { "a b": { "command": "x" } } }`);
    assert.deepEqual(servers, [{ ...stdio, name: "a b", command: "x" }]);
    assert.deepEqual(parse(`{ "${key}": {} }`).servers, []);
  }
});

test("every setting", () => {
  const server = {
    command: "x",
    env: { A: "1" },
    cwd: "sub/..//place",
    timeoutSeconds: 0.5,
    startTimeoutSeconds: 60,
    allow: ["admin.tools/list"],
    drop: [],
    trust: true,
    disabled: true,
    description: "kept by other hosts",
    autoApprove: ["x"],
  };
  assert.deepEqual(parse(JSON.stringify({ servers: { x: server } })).servers, [
    {
      ...stdio,
      name: "x",
      isDisabled: true,
      command: "x",
      env: { A: "1" },
      cwd: "/project/place",
      timeout: seconds(0.5),
      startTimeout: seconds(60),
      allow: ["admin.tools/list"],
      drop: [],
      trust: true,
    },
  ]);
});

test("references to the environment are filled in where programs are described, and nowhere else", () => {
  const server = {
    command: "${BIN}/x",
    args: ["--level=${LEVEL:-low}", "$${KEEP}"],
    env: { TOKEN: "${TOKEN}" },
    cwd: "${BIN}",
    allow: ["${TOKEN}"],
  };
  const text = JSON.stringify({ mcpServers: { "${BIN}": server } });
  assert.deepEqual(parse(text, { BIN: "/bin", TOKEN: 'a"b${LEVEL}' }).servers, [
    {
      ...stdio,
      name: "${BIN}",
      command: "/bin/x",
      args: ["--level=low", "${KEEP}"],
      env: { TOKEN: 'a"b${LEVEL}' },
      cwd: "/bin",
      allow: ["${TOKEN}"],
      environment: [named("BIN"), named("LEVEL", true), named("TOKEN")],
    },
  ]);
});

test("a variable that is needed at one place has no default, whatever the others say", () => {
  const { servers } = parse(
    `{ "mcp": { "a": { "command": "\${A:-x}", "args": ["\${A} $\${C}", "\${B:-\${D}", "\${A:-y}"], "drop": ["\${E}"] } } }`,
    {
      A: "a",
    },
  );
  assert.deepEqual(servers[0]?.environment, [named("A"), named("B", true)]);
});

test("a missing variable fails its server, by name and place, and no other", () => {
  const text = `{ "mcp": {
    "a": { "command": "x", "env": { "T": "\${TOKEN}" }, "args": ["\${HOST}:\${PORT}"] },
    "b": { "command": "x" },
    "c": { "command": "\${TOKEN}", "disabled": true } } }`;
  const problem = [
    "mcp.a.args[0] needs the environment variable `HOST`, which is not set",
    "mcp.a.args[0] needs the environment variable `PORT`, which is not set",
    "mcp.a.env.T needs the environment variable `TOKEN`, which is not set",
  ].join("; ");
  const { servers } = parse(text);
  const environment = [named("HOST"), named("PORT"), named("TOKEN")];
  assert.deepEqual(servers[0], {
    transport: "none",
    name: "a",
    isDisabled: false,
    problem,
    place: "local",
    environment,
  });
  assert.deepEqual(servers[1], { ...stdio, name: "b", command: "x" });
  assert.equal(servers[2]?.isDisabled, true);
});

test("a server with a url is well written and not supported yet", () => {
  const remote = { type: "http", url: "https://example.com/mcp", headers: { A: "b ${TOKEN}" }, oauth: {} };
  for (const server of [remote, { ...remote, type: undefined }, { ...remote, type: "sse" }]) {
    const { servers } = parse(JSON.stringify({ mcpServers: { x: server, y: { command: "x" } } }));
    assert.deepEqual(servers[0], {
      transport: "none",
      name: "x",
      isDisabled: false,
      problem: "servers with a `url` are not supported yet; only ones with a `command` are",
      place: "remote",
      environment: [named("TOKEN")],
    });
    assert.equal(servers[1]?.transport, "stdio");
  }
});

test("what is wrong with a file as a whole", () => {
  for (const [value, problem] of [
    [null, "expected an object, got null"],
    [[], "expected an object, got an array"],
    ["x", "expected an object, got a string"],
    [{}, "expected one of the keys `mcpServers`, `servers` and `mcp`, found none"],
    [{ mcp: {}, servers: {} }, "expected one of the keys `servers` and `mcp`, found both; keep one"],
    [
      { mcpServers: {}, servers: {}, mcp: {} },
      "expected one of the keys `mcpServers`, `servers` and `mcp`, found several; keep one",
    ],
    [{ mcpServers: null }, "mcpServers: expected an object, got null"],
    [{ mcpServers: [] }, "mcpServers: expected an object, got an array"],
    [{ mcpServers: { x: null } }, "mcpServers.x: expected an object, got null"],
    [{ mcpServers: { "a b": 5 } }, 'mcpServers["a b"]: expected an object, got a number'],
  ] as const) {
    assert.deepEqual(problemsOf(value), [problem]);
  }
});

test("what is wrong with a server", () => {
  for (const [server, problem] of [
    [{}, ": expected `command`, the program to start"],
    [{ command: null }, ": expected `command`, the program to start"],
    [{ command: "" }, ".command: expected the program to start, got nothing"],
    [{ command: [] }, ".command: expected the program to start, got nothing"],
    [{ command: 5 }, ".command: expected a string, got a number"],
    [{ command: ["x", 5] }, ".command[1]: expected a string, got a number"],
    [{ command: "x", args: "y" }, ".args: expected a list of strings, got a string"],
    [{ command: "x", args: [null] }, ".args[0]: expected a string, got null"],
    [{ command: "x", env: ["A=1"] }, ".env: expected an object, got an array"],
    [{ command: "x", env: { PORT: 80 } }, ".env.PORT: expected a string, got a number"],
    [{ command: "x", cwd: {} }, ".cwd: expected a string, got an object"],
    [{ command: "x", disabled: "no" }, ".disabled: expected true or false, got a string"],
    [{ command: "x", trust: 1 }, ".trust: expected true or false, got a number"],
    [
      { command: "x", timeoutSeconds: 0 },
      ".timeoutSeconds: expected a number of seconds above 0 and up to 2,147,483 (24 days), got a number",
    ],
    [
      { command: "x", startTimeoutSeconds: 2_147_484 },
      ".startTimeoutSeconds: expected a number of seconds above 0 and up to 2,147,483 (24 days), got a number",
    ],
    [
      { command: "x", timeoutSeconds: "5" },
      ".timeoutSeconds: expected a number of seconds above 0 and up to 2,147,483 (24 days), got a string",
    ],
    [{ command: "x", allow: "y" }, ".allow: expected a list of strings, got a string"],
    [{ command: "x", drop: [5] }, ".drop[0]: expected a string, got a number"],
    [{ command: "x", type: "ftp" }, '.type: expected "stdio", "http" or "sse"'],
    [{ command: "x", url: "y" }, ": has both `command` and `url`; keep one"],
    [{ url: 5 }, ".url: expected a string, got a number"],
    [
      { command: "x", timeout: 5 },
      ".timeout: not a known key; its unit differs from host to host, write `timeoutSeconds`",
    ],
    [{ command: "x", excludeTools: [] }, ".excludeTools: not a known key; write `drop`"],
    [
      { command: "x", alow: [] },
      ".alow: not a known key; known keys are allow, args, command, cwd, disabled, drop, env, startTimeoutSeconds, timeoutSeconds, trust, type, url",
    ],
    [
      { command: "x", constructor: 1 },
      ".constructor: not a known key; known keys are allow, args, command, cwd, disabled, drop, env, startTimeoutSeconds, timeoutSeconds, trust, type, url",
    ],
  ] as const) {
    assert.deepEqual(problemsOfServer(server), [problem]);
  }
});

test("all problems are told at once, and no value is shown", () => {
  const problems = problemsOf({
    mcpServers: { a: null, b: { command: 5, env: { KEY: 1 }, args: {} }, c: { command: "x" } },
  });
  assert.equal(problems.length, 4);
  assert.ok(problems.every((problem) => /^mcpServers\.[ab]/.test(problem)));
  assert.doesNotMatch(
    problemsOf({ mcpServers: { a: { command: ["sk-secret", 1], env: "sk-secret" } } }).join(),
    /sk-secret/,
  );
});

test("files: read, missing, and not JSON", async (t) => {
  const root = temporaryTree(t, {
    "sub/mcp.json": '{ "mcpServers": { "x": { "command": "x", "cwd": ".." } } }',
    "bad.json": '{\n  "mcpServers": nothing\n}',
  });
  const { file, servers } = await readMcpConfig(join(root, "sub/mcp.json"), {});
  assert.equal(file, join(root, "sub/mcp.json"));
  assert.deepEqual(servers, [{ ...stdio, name: "x", command: "x", cwd: root }]);
  await assert.rejects(readMcpConfig(join(root, "gone.json")), {
    code: "config.not-found",
    message: `\`${join(root, "gone.json")}\` cannot be read (ENOENT)`,
  });
  await assert.rejects(readMcpConfig(join(root, "bad.json")), { code: "config.syntax", message: /bad\.json:2:17: / });
});
