// What a process loads to start, by the built package: held by lists and not by a clock, so that a stray import is seen.
// `bench/limit/start-up.mjs` measures what these lists cost.
import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { test } from "node:test";
import { runNode, workspace } from "../lib/run-command.ts";

const imported = 'await import("toolpost");';
const firstRun = `
const { createApp, defineAgent, defineTool } = await import("toolpost");
let turn = 0;
const model = { specificationVersion: "v4", provider: "p", modelId: "m", supportedUrls: {}, doStream() {},
  doGenerate: async () => ({
    content: turn++ === 0
      ? [{ type: "tool-call", toolCallId: "c", toolName: "probe", input: '{"n":1}' }]
      : [{ type: "text", text: "done" }],
    finishReason: { unified: "stop" }, usage: { inputTokens: { total: 1 }, outputTokens: { total: 1 } }, warnings: [] }) };
const probe = defineTool({ name: "probe", description: "Probes", execute: ({ n }) => n,
  input: { type: "object", properties: { n: { type: "integer" } }, required: ["n"], additionalProperties: false } });
const agent = defineAgent({ name: "a", description: "A", model, tools: [probe] });
const { text } = await createApp({ agents: [agent] }).run(agent, "go", { stream: false });
if (text !== "done") throw new Error(text);`;

const files = `
import { registerHooks } from "node:module";
const found = [];
registerHooks({ load: (url, context, next) => { if (url.startsWith("file:")) found.push(url); return next(url, context); } });
process.on("exit", () => console.log(JSON.stringify(found)));`;

const builtins = `
const before = new Set(process.moduleLoadList);
process.on("exit", () => console.log(JSON.stringify(process.moduleLoadList.filter((name) => !before.has(name)))));`;

async function loaded(watch: string, code: string): Promise<string[]> {
  const { code: exit, stdout, stderr } = await runNode(["--input-type=module", "--eval", watch + code], workspace);
  assert.equal(exit, 0, stderr);
  return JSON.parse(stdout);
}

/** `dist/core-D4nhFT0E.js` is `core`; whatever is not of the package stays as it is. */
async function filesOf(code: string): Promise<string[]> {
  const urls = await loaded(files, code);
  return urls.map((url) => /\/toolpost\/dist\/([a-z-]+?)(?:-[\w-]{8})?\.js$/.exec(url)?.[1] ?? url);
}

test("the root door is one file behind its list of exports", async () => {
  assert.deepEqual(await filesOf(imported), ["index", "core"]);
});

test("a first run adds what runs, and no library", async () => {
  assert.deepEqual((await filesOf(firstRun)).sort(), ["calls", "core", "index", "runs"]);
});

test("the root door loads no module of Node", async () => {
  assert.deepEqual(await loaded(builtins, imported), []);
});

test("a first run loads no module of Node but what keeps the context", {
  skip: !existsSync("/dev/urandom"),
}, async () => {
  const names = await loaded(builtins, firstRun);
  assert.deepEqual(
    names.filter((name) => !/async_hooks|async_local_storage|async_context/.test(name)),
    [],
  );
});
