// One suite for every way to write a tool: functions, classes under legacy decorators, classes under standard ones.
// The classes come through a real compiler.
import assert from "node:assert/strict";
import { suite, test } from "node:test";
import type { AnyTool } from "../../src/core/tool.ts";
import type { AgentEvent, Channel, Toolkit, ToolResult } from "../../src/doors/index.ts";
import { AutoApproveChannel, AutoRejectChannel, createApp, createToolkit, defineAgent } from "../../src/doors/index.ts";
import { scriptedModel } from "../../src/doors/testing.ts";
import { importCompiled } from "../lib/compile-fixture.ts";
import { createDesk as functions } from "./functions/desk.ts";
import type { CreateDesk, DeskWorld } from "./lib/desk.ts";
import { toolNames } from "./lib/desk.ts";

const [legacy, standard] = await Promise.all(
  (["legacy", "standard"] as const).map((system) =>
    importCompiled<{ readonly createDesk: CreateDesk }>(`authoring/${system}/desk.ts`, system),
  ),
);
const styles: readonly CreateDesk[] = [functions, legacy!.createDesk, standard!.createDesk];

function newWorld(): DeskWorld {
  return { issues: { search: async (query, limit) => Array(limit).fill(query) }, refunds: [] };
}

async function openDesk(createDesk: CreateDesk, world = newWorld(), channel: Channel = new AutoApproveChannel()) {
  const { tools, providers } = createDesk(world);
  return createToolkit({ tools, providers: providers ?? [], approvals: { channel }, log: () => {} });
}

async function afterSearch(toolkit: Toolkit): Promise<Toolkit> {
  await toolkit.call("search_issues", { query: "login" });
  return toolkit;
}

const shown = ({ status, errorCode, text }: ToolResult) => [status, errorCode, text];

for (const createDesk of styles) {
  suite(createDesk(newWorld()).style, () => {
    test("every tool is there, in order", async () => {
      const toolkit = await openDesk(createDesk);
      assert.deepEqual(
        toolkit.tools().map(({ name, source }) => [name, source]),
        toolNames.map((name) => [name, "native"]),
      );
    });

    test("a model is told the same, and every setting is kept", async () => {
      const settings = async (desk: CreateDesk) => (await openDesk(desk)).tools().map(plainSettings);
      assert.deepEqual(await settings(createDesk), await settings(functions));
    });

    test("input is parsed, defaults filled in, output validated", async () => {
      const toolkit = await openDesk(createDesk);
      const result = await toolkit.call("search_issues", { query: "login" });
      assert.deepEqual(shown(result), ["ok", undefined, '{"titles":["login","login","login"]}']);
    });

    test("invalid input names its path, and nothing runs", async () => {
      const world = { ...newWorld(), issues: { search: () => assert.fail("the tool ran") } };
      const result = await (await openDesk(createDesk, world)).call("search_issues", { query: "a", limit: 1.5 });
      const [status, code, text] = shown(result);
      assert.deepEqual([status, code], ["failed", "tool.invalid-input"]);
      assert.match(String(text), /^Tool error: invalid input: query: .+; limit: .+/);
    });

    test("invalid output is an error that names its path", async () => {
      const world = { ...newWorld(), issues: { search: async () => [7 as unknown as string] } };
      const result = await (await openDesk(createDesk, world)).call("search_issues", { query: "login" });
      assert.match(result.text, /^Tool error: invalid output: titles\[0\]: /);
      assert.equal(result.errorCode, "tool.invalid-output");
    });

    test("a tool hidden until another succeeded reads as unknown", async () => {
      const toolkit = await openDesk(createDesk);
      const refund = { orderId: "o-1", cents: 100 };
      assert.equal((await toolkit.call("refund", refund)).text, "Tool error: unknown tool: refund");
      assert.deepEqual(shown(await (await afterSearch(toolkit)).call("refund", refund)), [
        "ok",
        undefined,
        "refunded 100",
      ]);
    });

    test("a policy asks a person, whose refusal reads as the policy says", async () => {
      const world = newWorld();
      const toolkit = await afterSearch(await openDesk(createDesk, world, new AutoRejectChannel()));
      const result = await toolkit.call("refund", { orderId: "o-1", cents: 9_000 });
      assert.deepEqual(shown(result), ["declined", "approval.declined", "The refund was declined."]);
      assert.deepEqual(world.refunds, []);
    });

    test("what a tool throws in its author's words is read as such", async () => {
      const toolkit = await afterSearch(await openDesk(createDesk));
      const result = await toolkit.call("refund", { orderId: "none", cents: 1 });
      assert.deepEqual(shown(result), [
        "failed",
        "NO_ORDER",
        "Tool error: code: NO_ORDER, status: 404, userMessage: No such order.",
      ]);
    });

    test("the call's key reaches the tool", async () => {
      const world = newWorld();
      const toolkit = await afterSearch(await openDesk(createDesk, world));
      await toolkit.call("refund", { orderId: "o-1", cents: 5 }, { callId: "c-1" });
      assert.deepEqual(world.refunds, ["call_c-1:direct:0:c-1 o-1 5"]);
    });

    test("tools that share something share one of it", async () => {
      const toolkit = await openDesk(createDesk);
      const added = await toolkit.call("add_note", { text: "a" });
      await toolkit.call("add_note", { text: "b" });
      assert.deepEqual([added.text, added.data], ["added", { count: 1 }]);
      assert.equal((await toolkit.call("read_notes", {})).text, '["a","b"]');
    });

    test("input and context come in the order the author wrote", async () => {
      const result = await (await openDesk(createDesk)).call(
        "who",
        { text: "here" },
        { user: { id: "u-1" }, callId: "c-2" },
      );
      assert.deepEqual(shown(result), ["ok", undefined, "here: u-1 c-2"]);
    });

    test("in an agent's run: several tools at once, and one that ends the run", async () => {
      const world = newWorld();
      const { tools = [], providers = [] } = createDesk(world);
      const model = scriptedModel([
        {
          calls: [
            { name: "search_issues", input: { query: "login" } },
            { name: "add_note", input: { text: "x" } },
          ],
        },
        { calls: [{ name: "refund", input: { orderId: "o-9", cents: 1 } }] },
        "It is done.",
      ]);
      const agent = defineAgent({ name: "desk", description: "Helps", model, tools });
      const app = createApp({ agents: [agent], providers, log: () => {} });
      const run = app.run(agent, "go");
      const ended: string[] = [];
      for await (const event of run.events) ended.push(...endOf(event));
      const { status, endedByTool, text } = await run;
      assert.deepEqual({ status, endedByTool, text }, { status: "done", endedByTool: "refund", text: "It is done." });
      assert.deepEqual(ended.sort(), ["add_note ok", "refund ok", "search_issues ok"]);
      assert.equal(world.refunds.length, 1);
      await app.close();
    });
  });
}

function endOf(event: AgentEvent): string[] {
  return event.type === "tool-call-end" ? [`${event.tool} ${event.result.status}`] : [];
}

/** Everything of a tool that is data, and which functions it has. */
function plainSettings(tool: AnyTool): unknown {
  return Object.fromEntries(
    Object.entries(tool).map(([key, value]) => [key, typeof value === "function" ? "a function" : value]),
  );
}
