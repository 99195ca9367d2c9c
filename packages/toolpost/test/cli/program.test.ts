// The command as a process of its own: what only a process shows. Each test costs a start of Node, so they are few.
import assert from "node:assert/strict";
import type { ChildProcess } from "node:child_process";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { test } from "node:test";
import { gone, isRunning, tinyServer } from "../../src/sources/mcp/fixtures/tiny-source.ts";
import { temporaryFolder } from "../lib/temporary-tree.ts";
import { fixtures, project } from "./lib/project.ts";
import { runCommand } from "./lib/run-main.ts";

const fileServer = createRequire(import.meta.url).resolve("@modelcontextprotocol/server-filesystem/package.json");

test("a real MCP server of an mcp.json with comments is listed and called", async () => {
  const cwd = join(fixtures, "files");
  const env = { SERVER: join(fileServer, "../dist/index.js"), FOLDER: cwd };
  const [listed, called] = await Promise.all([
    runCommand(["list", "--json"], { cwd, env }),
    runCommand(["call", "read_text_file", "--json"], {
      cwd,
      env,
      stdin: JSON.stringify({ path: join(cwd, "mcp.json") }),
    }),
  ]);
  assert.deepEqual([listed.code, listed.stderr], [0, ""]);
  const tools: Record<string, unknown>[] = JSON.parse(listed.stdout);
  assert.ok(
    tools.every((tool) => Object.keys(tool).join() === "name,source,description,inputSchema" && tool.source === "mcp"),
  );
  assert.ok(tools.some(({ name }) => name === "read_text_file"));
  assert.equal(called.code, 0, called.stderr);
  assert.ok(JSON.parse(called.stdout).text.includes(readFileSync(join(cwd, "mcp.json"), "utf8").slice(0, 20)));
});

test("an app runs: text on one output, calls on the other", async () => {
  const ended = await runCommand(["run", "clerk", "What is 1 + 2?"], { cwd: join(fixtures, "desk") });
  assert.deepEqual([ended.code, ended.stdout], [0, "Let me add.\nIt is 3.\n"], ended.stderr);
  assert.match(ended.stderr, /^add \(native\): ok, \S+ ms, 1 bytes\n$/);
});

test("standard output holds the result alone, whatever a tool writes there", async (t) => {
  const ended = await runCommand(["call", "noisy", "--json"], { cwd: project(t), stdin: '{"a":1}' });
  assert.equal(ended.code, 0);
  assert.deepEqual(JSON.parse(ended.stdout).value, { a: 1 });
  assert.equal(ended.stderr, "by console.log\nby process.stdout\n");
});

test("SIGINT cancels what is under way; a second one does not wait for it", async (t) => {
  // Its source never closes, and keeps the process running.
  const code = `
    export default { tools, sources: [{ name: "stuck", kind: "custom", list: async () => [],
      status: () => ({ name: "stuck", kind: "custom", state: "ready", toolCount: 0, skipped: [] }),
      close: () => new Promise(() => { console.error("closing"); setInterval(() => {}, 1e6); }) }] };`;
  const [once, twice] = await Promise.all([
    runCommand(["call", "wait"], { cwd: project(t) }, (told, child) => {
      if (told === "wait: started\n") child.kill("SIGINT");
    }),
    runCommand(["call", "wait", "{}"], { cwd: project(t, code) }, (told, child) => {
      if (told === "wait: started\n" || told.endsWith("closing\n")) child.kill("SIGINT");
    }),
  ]);
  assert.deepEqual(once, { code: 130, stdout: "", stderr: "wait: started\nTool error: interrupted\n" });
  assert.deepEqual(twice, { code: 130, stdout: "", stderr: "wait: started\nTool error: interrupted\nclosing\n" });
});

test("a signal while a server connects closes it before the command ends, with the signal's exit code", {
  skip: process.platform === "win32",
}, async (t) => {
  for (const [signal, code] of [
    ["SIGINT", 130],
    ["SIGTERM", 143],
    ["SIGHUP", 129],
  ] as const) {
    const farewell = join(temporaryFolder(t), "farewell");
    const cwd = project(t, withServer({ silent: "all", tellPid: true, farewell }));
    const ended = await runCommand(["list"], { cwd }, once(/^\d+\n$/, signal));
    assert.equal(ended.code, code, ended.stderr);
    const [pid, ...told] = ended.stderr.trimEnd().split("\n");
    assert.deepEqual(told, [`cancelled: ${signal === "SIGINT" ? "interrupted" : `ended by ${signal}`}`]);
    assert.equal(isRunning(Number(pid)), false);
    assert.equal(readFileSync(farewell, "utf8"), "ended by itself\n");
  }
});

test("a second signal waits for no server, and none survives it", { skip: process.platform === "win32" }, async (t) => {
  const cwd = project(t, withServer({ silent: "all", tellPid: true, stubborn: true, tellEnd: true }));
  const first = once(/^\d+\n$/, "SIGINT");
  const second = once(/asked to end\n$/, "SIGINT");
  const ended = await runCommand(["list"], { cwd }, (told, child) => {
    first(told, child);
    second(told, child);
  });
  const [pid, ...told] = ended.stderr.trimEnd().split("\n");
  assert.deepEqual([ended.code, told], [130, ["asked to end"]]);
  await gone(Number(pid));
});

test("a tool that ends the process is no success, and ends the servers", {
  skip: process.platform === "win32",
}, async (t) => {
  const quit = `[{ name: "quit", description: "Ends all", source: "custom", inputSchema: { type: "object" }, timeout: "none",
    execute: () => process.exit(0) }]`;
  const cwd = project(t, withServer({ tellPid: true, stubborn: true }, quit));
  const ended = await runCommand(["call", "quit"], { cwd });
  assert.equal(ended.code, 1);
  const [pid, ...told] = ended.stderr.trimEnd().split("\n");
  assert.deepEqual(told, [
    "error: ended early: the configuration or a tool called `process.exit()`; let it throw an error instead",
  ]);
  await gone(Number(pid));
});

test("what a tool left running does not keep the command, and what can never come is no success", async (t) => {
  const cwd = project(t);
  const [left, stalled] = await Promise.all([
    runCommand(["call", "linger"], { cwd }),
    runCommand(["call", "stall"], { cwd }),
  ]);
  assert.deepEqual(left, { code: 0, stdout: "left\n", stderr: "" });
  assert.equal(stalled.code, 1);
  assert.match(stalled.stderr, /^error: ended early: /);
});

test("a reader that went away is no error", async (t) => {
  const code = `export default { tools: [{ name: "big", description: "Gives much", source: "custom", inputSchema: { type: "object" },
    execute: (_input, ctx) => { ctx.progress("go"); return new Promise((resolve) => setImmediate(resolve, "x".repeat(100_000))); } }] };`;
  const ended = await runCommand(["call", "big"], { cwd: project(t, code) }, (_told, child) => child.stdout?.destroy());
  assert.deepEqual([ended.code, ended.stderr], [0, "big: go\n"]);
});

/** A configuration with the tiny server, whose standard error becomes the command's. */
function withServer(settings: object, tools = "[]"): string {
  const server = { command: process.execPath, args: [tinyServer, JSON.stringify(settings)] };
  const mcp = JSON.stringify({ mcpServers: { tiny: server } });
  return `export default { tools: ${tools}, mcp: ${mcp}, log: ({ data }) => process.stderr.write(data?.text ?? "") };`;
}

/** Sends the signal when what was told is first as the pattern has it. */
function once(pattern: RegExp, signal: NodeJS.Signals): (told: string, child: ChildProcess) => void {
  let isSent = false;
  return (told, child) => {
    if (!isSent && pattern.test(told)) isSent = child.kill(signal);
  };
}
