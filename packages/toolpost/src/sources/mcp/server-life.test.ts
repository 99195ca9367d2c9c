// How a source's server lives: started, found dead, started again, given up, ended with all it started.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { temporaryFolder } from "../../../test/lib/temporary-tree.ts";
import { isToolpostError, ToolError } from "../../core/errors.ts";
import type { LogEntry } from "../../core/govern.ts";
import type { ToolSource } from "../../core/source.ts";
import { milliseconds, seconds } from "../../std/units.ts";
import { call, callJson, gone, isRunning, tinySource } from "./fixtures/tiny-source.ts";
import { mcpSource } from "./mcp-source.ts";

test("a server killed between two calls is started again at the next one", async (t) => {
  const { source, ended } = watched(t, {});
  const { pid } = await callJson<{ pid: number }>(source, "process");
  process.kill(pid, "SIGKILL");
  assert.equal(await ended, "MCP server `tiny` stopped: it was ended by SIGKILL");
  assert.deepEqual(
    { ...source.status(), skipped: [], toolCount: 0 },
    { name: "tiny", kind: "mcp", state: "failed", problem: "it was ended by SIGKILL", toolCount: 0, skipped: [] },
  );
  const tools = await source.list();
  const again = await callJson<{ pid: number }>(source, "process");
  assert.notEqual(again.pid, pid);
  assert.equal(source.status().state, "ready");
  assert.equal(source.status().problem, undefined);
  assert.equal(await source.list(), tools);
});

test("a tool found before its server died starts it again", async (t) => {
  const { source, ended } = watched(t, {});
  const tools = await source.list();
  const { pid } = await callJson<{ pid: number }>(source, "process");
  process.kill(pid, "SIGKILL");
  await ended;
  const tool = tools.find(({ name }) => name === "answer");
  const output = await tool?.execute({ result: { content: [{ type: "text", text: "back" }] } } as never);
  assert.equal((output as { content: string }).content, "back");
});

test("a call whose server died under it is sent again only where a trusted server says that is harmless", async (t) => {
  for (const [trust, tool, timesCalled] of [
    [true, "look", 2],
    [true, "store", 2],
    [true, "touch", 1],
    [false, "look", 1],
    [false, "store", 1],
  ] as const) {
    const notes = join(temporaryFolder(t), "notes");
    const source = tinySource(t, { notes }, { trust });
    const calling = call(source, tool);
    if (timesCalled === 2) assert.equal((await calling).content, "call 2");
    else await assert.rejects(calling, isUnknownOutcome);
    assert.equal(readFileSync(notes, "utf8"), "called\n".repeat(timesCalled), `${tool}, trust ${trust}`);
    assert.equal((await call(source, "answer", { result: { content: [] } })).content, "");
  }
});

test("a harmless call is sent again once, not for ever", async (t) => {
  const notes = join(temporaryFolder(t), "notes");
  const source = tinySource(t, { notes }, { trust: true });
  await assert.rejects(call(source, "look", { always: true }), (error) => {
    assert.ok(error instanceof ToolError);
    assert.equal(error.code, "mcp.failed");
    assert.equal(error.userMessage, "The server of this tool is not running.");
    return true;
  });
  assert.equal(readFileSync(notes, "utf8"), "called\ncalled\n");
});

test("a call that cannot have arrived is sent again, whatever its tool", async (t) => {
  const source = tinySource(t);
  const { pid } = await callJson<{ pid: number }>(source, "process");
  assert.equal((await call(source, "deafen")).content, "deaf");
  const again = await callJson<{ pid: number }>(source, "process");
  assert.notEqual(again.pid, pid);
  await gone(pid);
});

test("a server that cannot be started says why, with the end of its standard error", async (t) => {
  const source = tinySource(t, { stderr: "first\nno \u001b[2Jtoken\n", crash: 3 });
  await assert.rejects(source.list(), {
    code: "mcp.failed",
    message: "MCP server `tiny`: it ended with exit code 3 before it answered",
  });
  assert.equal(source.status().state, "failed");
  assert.equal(
    source.status().problem,
    "it ended with exit code 3 before it answered\nlast lines of its standard error:\nfirst\nno \\x1b[2Jtoken",
  );
});

test("a flood on standard error blocks nothing, and only its end is kept", async (t) => {
  const entries: LogEntry[] = [];
  const source = tinySource(t, { flood: 1_000_000, crash: 1 }, { log: (entry) => entries.push(entry) });
  await assert.rejects(source.list(), { code: "mcp.failed" });
  assert.match(source.status().problem ?? "", /standard error:\nend of the flood$/);
  assert.ok(entries.length > 0 && entries.every(({ level }) => level === "debug"));
  const calm = tinySource(t, { flood: 1_000_000 }, { log: () => assert.fail("a log that throws") });
  assert.ok((await calm.list()).length > 0);
});

test("lines that are no messages are passed over", async (t) => {
  assert.ok((await tinySource(t, { noise: true }).list()).length > 0);
});

test("a server that never answers is given up and ended", async (t) => {
  for (const [silent, method] of [
    ["all", "initialize"],
    ["tools/list", "tools/list"],
  ]) {
    const source = tinySource(t, { silent }, { startTimeout: milliseconds(silent === "all" ? 300 : 1_500) });
    await assert.rejects(source.list(), {
      code: "mcp.failed",
      message: new RegExp(
        `did not answer ${method} within .*; raise \`startTimeoutSeconds\` .in code \`startTimeout\`. if`,
      ),
    });
  }
});

test("what cannot be started says the mend", { skip: process.platform === "win32" }, async (t) => {
  for (const [options, problem] of [
    [
      { command: "no-such-program-here" },
      "its command `no-such-program-here` was not found; install it, or give its path",
    ],
    [
      { command: "node server.js" },
      "its command `node server.js` was not found; put what follows the command in `args`",
    ],
    [
      { command: "node", cwd: "/no/such/place" },
      "its working directory `/no/such/place` does not exist; correct `cwd`",
    ],
    [{ command: import.meta.filename }, /may not be executed; check its permissions/],
    [{ command: "" }, /it could not be started|argument/],
  ] as const) {
    const source = mcpSource({ name: "x", ...options });
    t.after(() => source.close());
    await assert.rejects(source.list(), (error) => isToolpostError(error) && error.code === "mcp.failed");
    if (typeof problem === "string") assert.equal(source.status().problem, problem);
    else assert.match(source.status().problem ?? "", problem);
  }
});

test("closing ends a server that heeds neither the end of its input nor SIGTERM", async (t) => {
  const source = tinySource(t, { stubborn: true });
  const { pid } = await callJson<{ pid: number }>(source, "process");
  await Promise.all([source.close(), source.close()]);
  await gone(pid);
  await source.close();
  assert.equal(source.status().state, "closed");
  await assert.rejects(source.list(), { code: "mcp.failed", message: "MCP server `tiny`: its source was closed" });
  assert.equal(source.status().state, "closed");
});

test("closing ends what stands between us and the server, and what the server started", {
  skip: process.platform === "win32",
}, async (t) => {
  const settings = JSON.stringify({ stubborn: true, helper: true });
  const server = join(import.meta.dirname, "fixtures/tiny-server.mjs");
  const script = `"${process.execPath}" "${server}" '${settings}'; exit 0`;
  const source = tinySource(t, {}, { command: "sh", args: ["-c", script] });
  const { pid, helperPid } = await callJson<{ pid: number; helperPid: number }>(source, "process");
  await source.close();
  await Promise.all([gone(pid), gone(helperPid)]);
});

test("a dead server is noticed though something it started holds its output", async (t) => {
  const { source, ended } = watched(t, { helper: true });
  const { pid, helperPid } = await callJson<{ pid: number; helperPid: number }>(source, "process");
  process.kill(pid, "SIGKILL");
  await ended;
  await gone(helperPid);
});

test("what a server started ends with it, when it ends nicely and when it crashes", {
  skip: process.platform === "win32",
}, async (t) => {
  const nice = tinySource(t, { helper: "quiet" }, { closeGrace: seconds(20) });
  const first = await callJson<{ helperPid: number }>(nice, "process");
  await nice.close();
  assert.equal(isRunning(first.helperPid), false);
  const { source, ended } = watched(t, { helper: "quiet" });
  const second = await callJson<{ pid: number; helperPid: number }>(source, "process");
  process.kill(second.pid, "SIGKILL");
  assert.match(await ended, /it was ended by SIGKILL$/);
  assert.equal(isRunning(second.helperPid), false);
});

test("closing while the server starts leaves nothing", async (t) => {
  const entries: LogEntry[] = [];
  const started = Promise.withResolvers<void>();
  const log = (entry: LogEntry) => {
    entries.push(entry);
    started.resolve();
  };
  const source = tinySource(t, { silent: "all", stderr: "up\n", stubborn: true }, { log });
  const listing = assert.rejects(source.list(), { code: "mcp.failed", message: /its source was closed/ });
  await started.promise;
  await source.close();
  await listing;
  assert.equal(source.status().state, "closed");
  const unstarted = tinySource(t);
  const refused = assert.rejects(unstarted.list(), { code: "mcp.failed" });
  await unstarted.close();
  await refused;
});

test("a call under way when its source is closed has an unknown outcome", async (t) => {
  const source = tinySource(t);
  const calling = call(source, "wait", {}, { progress: () => void source.close() });
  await assert.rejects(calling, isUnknownOutcome);
  await assert.rejects(call(source, "answer"), { code: "mcp.failed" });
});

/** A source, and the message of its log when its server ends on its own. */
function watched(
  t: Parameters<typeof tinySource>[0],
  settings: object,
): { source: ToolSource; ended: Promise<string> } {
  const ended = Promise.withResolvers<string>();
  const log = ({ level, message }: LogEntry) => level === "warn" && ended.resolve(message);
  return { source: tinySource(t, { ...settings }, { log }), ended: ended.promise };
}

function isUnknownOutcome(error: unknown): boolean {
  assert.ok(error instanceof ToolError);
  assert.equal(error.code, "tool.outcome-unknown");
  assert.equal(error.canRetry, false);
  assert.match(error.userMessage ?? "", /outcome is unknown/);
  return true;
}
