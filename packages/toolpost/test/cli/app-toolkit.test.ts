// The toolkit of an application, which the command calls tools through: its rules, and who closes what.
import assert from "node:assert/strict";
import { test } from "node:test";
import { defineAgent } from "../../src/agent/define-agent.ts";
import { createApp } from "../../src/app/create-app.ts";
import type { ToolSource } from "../../src/core/source.ts";
import type { AnyTool, Tool } from "../../src/core/tool.ts";
import { scriptedModel } from "../../src/models/scripted-model.ts";

const tool = (name: string, more: Partial<Tool> = {}): AnyTool => ({
  name,
  description: `Does ${name}`,
  inputSchema: { type: "object" },
  source: "custom",
  execute: () => `did ${name}`,
  ...more,
});

function sourceOf(name: string, tools: readonly AnyTool[], events: string[]): ToolSource {
  return {
    name,
    kind: "custom",
    list: async () => tools,
    status: () => ({ name, kind: "custom", state: "ready", toolCount: tools.length, skipped: [] }),
    close: async () => void events.push(`${name} closed`),
  };
}

const agent = (name: string, more: Partial<Parameters<typeof defineAgent>[0]>) =>
  defineAgent({ name, description: name, model: scriptedModel([]), tools: [], ...more });

test("what an agent's tool requires is required of a caller, for tools of sources too", async () => {
  const app = createApp({
    sources: [sourceOf("shop", [tool("order"), tool("refund")], [])],
    agents: [agent("clerk", { tools: [tool("look")], requires: { refund: ["order", "look"] } })],
  });
  const toolkit = await app.toolkit();
  const call = async (name: string) => (await toolkit.call(name, {})).text;
  assert.equal(await call("refund"), "Tool error: unknown tool: refund");
  assert.equal(await call("order"), "did order");
  assert.equal(await call("refund"), "Tool error: unknown tool: refund");
  assert.equal(await call("look"), "did look");
  assert.equal(await call("refund"), "did refund");
  await app.close();
});

test("a tool that hides itself stays hidden when an agent requires something of it", async () => {
  const hidden = tool("hidden", { visibleWhen: () => "yes" as unknown as boolean });
  const app = createApp({
    agents: [agent("clerk", { tools: [hidden, tool("look")], requires: { hidden: ["look"] } })],
  });
  const toolkit = await app.toolkit();
  assert.equal((await toolkit.call("look", {})).status, "ok");
  assert.equal((await toolkit.call("hidden", {})).errorCode, "tool.unknown");
  await app.close();
});

test("an agent's `toolErrors` counts where the call is made as that agent", async () => {
  const failing = tool("fail", {
    execute: () => {
      throw new Error("no luck");
    },
  });
  const app = createApp({
    log: () => undefined,
    agents: [agent("clerk", { tools: [failing], toolErrors: "observe" })],
  });
  assert.equal((await (await app.toolkit({ agent: "clerk" })).call("fail", {})).text, "Tool error: no luck");
  assert.match((await (await app.toolkit()).call("fail", {})).text, /code: tool\.failed/);
  await app.close();
});

test("closing the toolkit leaves the sources to the application, which closes both", async () => {
  const events: string[] = [];
  const own = sourceOf("own", [tool("mine")], events);
  const app = createApp({
    sources: [sourceOf("shop", [tool("order")], events)],
    agents: [agent("clerk", { tools: [own] })],
  });
  const first = await app.toolkit();
  assert.deepEqual(
    first
      .tools()
      .map(({ name }) => name)
      .sort(),
    ["mine", "order"],
  );
  await first.close();
  assert.deepEqual(events, []);
  const second = await app.toolkit();
  await app.close();
  assert.deepEqual([...new Set(events)].sort(), ["own closed", "shop closed"]);
  await assert.rejects(second.call("order", {}), { code: "app.closed" });
  await assert.rejects(app.toolkit(), { code: "app.closed" });
});

test("a toolkit that is still connecting when the application closes is closed, too", async () => {
  const listed = Promise.withResolvers<readonly AnyTool[]>();
  const app = createApp({ sources: [{ ...sourceOf("slow", [], []), list: () => listed.promise }] });
  const opening = app.toolkit();
  const closing = app.close();
  listed.resolve([tool("order")]);
  const toolkit = await opening;
  await closing;
  await assert.rejects(toolkit.call("order", {}), { code: "app.closed" });
});

test("an agent that is not there is named with those that are", async () => {
  const app = createApp({ agents: [agent("clerk", {})] });
  await assert.rejects(app.toolkit({ agent: "nobody" }), { code: "agent.unknown", message: /`nobody`.*`clerk`/ });
  await app.close();
});
