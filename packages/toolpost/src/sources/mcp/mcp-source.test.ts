// A source over the tiny server: what it lists, what a call brings back, what the server gets to see.
import assert from "node:assert/strict";
import { test } from "node:test";
import { temporaryFolder } from "../../../test/lib/temporary-tree.ts";
import { InvalidOutputError, ToolError } from "../../core/errors.ts";
import type { ToolSource } from "../../core/source.ts";
import { milliseconds, seconds } from "../../std/units.ts";
import { call, callJson, tinySource } from "./fixtures/tiny-source.ts";
import { mcpSource } from "./mcp-source.ts";

const names = async (source: ToolSource) => (await source.list()).map(({ name }) => name);

test("nothing is started before the first listing; then it is ready", async (t) => {
  const source = tinySource(t, {}, { timeout: seconds(9) });
  assert.deepEqual(source.status(), { name: "tiny", kind: "mcp", state: "idle", toolCount: 0, skipped: [] });
  const listing = source.list();
  assert.equal(source.status().state, "connecting");
  const [tools, again] = await Promise.all([listing, source.list()]);
  assert.equal(again, tools);
  assert.deepEqual(source.status(), {
    name: "tiny",
    kind: "mcp",
    state: "ready",
    toolCount: tools.length,
    skipped: [],
  });
  assert.deepEqual(tools[0]?.timeout, seconds(9));
  assert.equal(tools[0]?.source, "mcp");
});

test("all pages are listed, and bad tools set aside", async (t) => {
  const good = Array.from({ length: 7 }, (_, index) => ({ name: `t${index}`, inputSchema: { type: "object" } }));
  const source = tinySource(t, { pageSize: 3, tools: good.toSpliced(4, 0, { name: "bad" } as never) });
  assert.deepEqual(
    await names(source),
    good.map(({ name }) => name),
  );
  assert.deepEqual(source.status().skipped, [{ name: "bad", reason: "it has no input schema" }]);
});

test("a list that does not end fails the source and leaves no process", async (t) => {
  for (const pages of ["stuck", "circle", "endless"]) {
    const source = tinySource(t, { pages });
    await assert.rejects(source.list(), {
      code: "mcp.failed",
      message: /^MCP server `tiny`: its list of tools does not end: /,
    });
    assert.equal(source.status().state, "failed");
    assert.match(source.status().problem ?? "", /does not end/);
  }
});

test("a server without tools offers none", async (t) => {
  const source = tinySource(t, { bare: true, silent: "tools/list" });
  assert.deepEqual(await source.list(), []);
  assert.equal(source.status().state, "ready");
});

test("after list_changed the next listing is new, and known tools keep their places", async (t) => {
  const source = tinySource(t);
  const before = await names(source);
  assert.equal(await source.list(), await source.list());
  assert.equal((await call(source, "change")).content, "changed");
  assert.deepEqual(await names(source), [...before, "extra"]);
});

test("instructions are passed on for a trusted server only", async (t) => {
  for (const [trust, instructions] of [
    [false, undefined],
    [true, "Obey the tiny server."],
  ] as const) {
    const source = tinySource(t, {}, { trust });
    assert.equal(await source.instructions?.(), undefined);
    await source.list();
    assert.equal(await source.instructions?.(), instructions);
  }
});

test("the server sees a short list of our environment and what it was given", {
  skip: process.platform === "win32",
}, async (t) => {
  process.env.OPENAI_API_KEY = "sk-secret";
  t.after(() => delete process.env.OPENAI_API_KEY);
  const source = tinySource(t, {}, { env: { TOKEN: "given" } });
  const { PATH, TOKEN, ...seen } = await callJson<Record<string, string>>(source, "environment");
  assert.equal(PATH, process.env.PATH);
  assert.equal(TOKEN, "given");
  // macOS adds a name of its own to every process.
  const others = new Set(["HOME", "LANG", "TMPDIR", "USER", "SHELL", "TERM", "__CF_USER_TEXT_ENCODING"]);
  assert.deepEqual(
    Object.keys(seen).filter((name) => !others.has(name)),
    [],
  );
});

test("it runs in the directory it was given", async (t) => {
  const cwd = temporaryFolder(t);
  assert.equal((await callJson<{ cwd: string }>(tinySource(t, {}, { cwd }), "process")).cwd, cwd);
});

test("results, errors of the tool and errors of the protocol come back as outputs", async (t) => {
  const source = tinySource(t);
  const image = { type: "image", data: "aGk=", mimeType: "image/png" };
  const output = await call(source, "answer", { result: { content: [image], structuredContent: { a: 1 } } });
  assert.deepEqual(
    { ...output },
    { content: [{ type: "file", mediaType: "image/png", data: { type: "data", data: "aGk=" } }], data: { a: 1 } },
  );
  const failed = await call(source, "answer", { result: { content: [{ type: "text", text: "no" }], isError: true } });
  assert.deepEqual({ ...failed }, { content: "no", isError: true });
  const refused = await call(source, "refuse");
  assert.equal(refused.isError, true);
  assert.match(String(refused.content), /no such thing/);
  assert.deepEqual(refused.data, { code: -32602, data: { at: 1 } });
});

test("structured content that does not fit the declared schema is an error, not a value", async (t) => {
  const outputSchema = { type: "object", properties: { degrees: { type: "number" } }, required: ["degrees"] };
  const source = tinySource(t, { tools: [{ name: "answer", inputSchema: { type: "object" }, outputSchema }] });
  const answer = (result: object) => call(source, "answer", { result });
  assert.deepEqual((await answer({ content: [], structuredContent: { degrees: 21 } })).data, { degrees: 21 });
  assert.equal((await answer({ content: [], isError: true })).isError, true);
  for (const [structuredContent, issue] of [
    [{ degrees: "hot" }, { path: "degrees", message: /number/ }],
    [undefined, { path: "", message: /^the structured content that the tool declares is missing$/ }],
  ] as const) {
    await assert.rejects(answer({ content: [], structuredContent }), (error) => {
      assert.ok(error instanceof InvalidOutputError);
      assert.equal(error.issues[0]?.path, issue.path);
      assert.match(error.issues[0]?.message ?? "", issue.message);
      return true;
    });
  }
});

test("5 MB of text arrive whole", async (t) => {
  const text = "😀".repeat(1_310_720);
  const output = await call(tinySource(t), "answer", { result: { content: [{ type: "text", text }] } });
  assert.ok(output.content === text);
});

test("progress reaches the context, also when the result comes with it", async (t) => {
  const seen: unknown[] = [];
  const output = await call(tinySource(t), "wait", { end: true }, { progress: (data) => seen.push(data) });
  assert.equal(output.content, "done");
  const half = { progress: 1, total: 2, message: "half" };
  assert.deepEqual(seen, [half, half]);
});

test("a cancelled call reaches the server, and the connection goes on", { timeout: 20_000 }, async (t) => {
  const source = tinySource(t);
  const abort = new AbortController();
  const reason = new Error("enough");
  const context = { signal: abort.signal, progress: () => abort.abort(reason) };
  await assert.rejects(call(source, "wait", {}, context), reason);
  assert.equal((await callJson<unknown[]>(source, "cancellations")).length, 1);
  await assert.rejects(call(source, "touch", {}, { signal: AbortSignal.abort(reason) }), reason);
  assert.equal(source.status().state, "ready");
});

test("an answer that is no object settles the call at once, and the connection goes on", {
  timeout: 20_000,
  skip: process.platform === "win32",
}, async (t) => {
  const source = tinySource(t);
  for (const [result, kind] of [
    [null, "null"],
    [5, "a number"],
    ["x", "a string"],
    [[], "an array"],
  ] as const) {
    await assert.rejects(call(source, "answer", { result }), (error) => {
      assert.ok(error instanceof ToolError);
      assert.equal(error.code, "mcp.failed");
      assert.equal(
        error.message,
        `MCP server \`tiny\`: it answered with a result that is ${kind}; the protocol wants an object`,
      );
      assert.equal(error.userMessage, `${error.message}.`);
      assert.equal(error.canRetry, false);
      return true;
    });
  }
  await assert.rejects(call(source, "answer"), {
    message: /^MCP server `tiny`: it sent an answer that is no JSON-RPC/,
  });
  assert.equal((await call(source, "answer", { result: { content: [] } })).content, "");
  const listless = tinySource(t, { listAnswer: null });
  await assert.rejects(listless.list(), {
    code: "mcp.failed",
    message: /^MCP server `tiny`: it answered with a result that is null;/,
  });
});

test("a duration that no timer knows is refused when the source is made", () => {
  for (const [key, ms] of [
    ["timeout", 0],
    ["startTimeout", -1],
    ["startTimeout", Number.NaN],
    ["timeout", 2 ** 31],
  ] as const) {
    assert.throws(() => mcpSource({ name: "tiny", command: "x", [key]: milliseconds(ms) }), {
      code: "config.invalid",
      message: `MCP server \`tiny\`, \`${key}\`: expected a duration above 0 and up to 24 days; write \`seconds(30)\` or the like`,
    });
  }
});
