// A class tool and its call: one instance, many calls at once, each seeing its own.
import assert from "node:assert/strict";
import { test } from "node:test";
import { z } from "zod";
import type { AnyClass } from "../../src/author/classes/class-notes.ts";
import {
  BudgetExceededError,
  createApp,
  createToolkit,
  currentContext,
  defineAgent,
  defineTool,
} from "../../src/doors/index.ts";
import { scriptedModel, testTool } from "../../src/doors/testing.ts";
import { usd } from "../../src/doors/units.ts";
import { importCompiled } from "../lib/compile-fixture.ts";

type Counted = AnyClass<{ execute(...args: never[]): unknown }> & { made: number };
const classes = await importCompiled<{
  readonly Where: Counted;
  readonly Ledger: Counted;
  readonly Pay: AnyClass<{ execute(): string }>;
  readonly Use: new () => object;
  readonly Closing: AnyClass & { log: string[] };
  readonly Broken: AnyClass;
  readonly Poll: AnyClass;
  readonly Poller: AnyClass & { seen: string[] };
  readonly Eager: AnyClass;
  readonly BrokenAgent: AnyClass;
}>("authoring/standard/current-call.ts", "standard");
const { Where, Ledger, Pay, Use, Closing, Broken, BrokenAgent, Poll, Poller, Eager } = classes;

test("10,000 interleaved calls of one instance each see their own call, whichever way they look", async () => {
  const made = [Where.made, Ledger.made];
  const toolkit = await createToolkit({
    tools: [Where],
    defaults: { tools: { maxConcurrency: 500 } },
    log: () => {},
  });
  const results = await Promise.all(
    Array.from({ length: 10_000 }, (_, index) =>
      toolkit.call("where", { hops: index % 7 }, { callId: `c-${index}`, user: { id: `u-${index}` } }),
    ),
  );
  const wrong = results.filter(
    ({ text }, index) => text !== `c-${index} u-${index} call_c-${index}:direct:0:c-${index}`,
  );
  assert.deepEqual(wrong, []);
  assert.deepEqual(
    [Where.made, Ledger.made],
    made.map((count) => count + 1),
  );
});

test("two calls of one turn read their own context", async () => {
  const model = scriptedModel([
    { calls: [1, 2].map((hops) => ({ id: `call-${hops}`, name: "where", input: { hops } })) },
    "done",
  ]);
  const agent = defineAgent({ name: "guide", description: "Guides", model, tools: [Where] });
  const { calls, runId } = await createApp({ agents: [agent] }).run(agent, "go", { user: { id: "u" } });
  assert.deepEqual(
    calls.map(({ text }) => text),
    [1, 2].map((hops) => `call-${hops} u ${runId}:guide:0:call-${hops}`),
  );
});

test("what a constructor starts belongs to no call, and a constructor cannot read one", async () => {
  const toolkit = await createToolkit({ tools: [Poll, Eager], log: () => {} });
  assert.equal((await toolkit.call("poll", {}, { callId: "c-1" })).text, "c-1");
  assert.deepEqual(Poller.seen, ["context.none"]);
  assert.equal((await toolkit.call("eager", {})).errorCode, "tool.failed");
  await assert.rejects(testTool(Eager)({}), { code: "di.construction-failed" });
});

test("a policy, hooks and listeners see the call they have a say on or hear of", async () => {
  const seen: string[] = [];
  const see = (where: string) => void seen.push(`${where} ${currentContext().callId}`);
  const tool = defineTool({
    name: "look",
    description: "Looks",
    input: z.object({}),
    policy: () => {
      see("policy");
      return "allow";
    },
    execute: () => see("tool"),
  });
  const model = scriptedModel([{ calls: [{ id: "c-1", name: "look", input: {} }] }, "done"]);
  const agent = defineAgent({ name: "a", description: "A", model, tools: [tool] });
  const seeAround = (_call: unknown, next: () => Promise<unknown>) => {
    see("around");
    return next();
  };
  const app = createApp({
    agents: [agent],
    hooks: [{ beforeTool: () => see("beforeTool"), around: seeAround }],
    listeners: [({ type }) => (type === "tool-call-end" ? see("listener") : undefined)],
  });
  await app.run(agent, "go");
  assert.deepEqual(seen, ["beforeTool c-1", "policy c-1", "around c-1", "tool c-1", "listener c-1"]);
});

test("between calls of a run there is no idempotency key to read", async () => {
  let thrown: unknown;
  const agent = defineAgent({ name: "a", description: "A", model: scriptedModel(["done"]), tools: [] });
  const listener = () => {
    try {
      thrown = currentContext().idempotencyKey;
    } catch (error) {
      thrown ??= error;
    }
  };
  await createApp({ agents: [agent], listeners: [listener] }).run(agent, "go");
  assert.equal((thrown as { code?: string }).code, "context.none");
});

test("what a class pays counts in the budget, also of a call that fails", async () => {
  for (const fail of [false, true]) {
    const call = { name: "pay", input: { fail } };
    const model = scriptedModel([{ calls: [call] }, { calls: [call] }, { calls: [call] }]);
    const agent = defineAgent({ name: "a", description: "A", model, tools: [Pay], budget: { money: usd(0.5) } });
    const run = createApp({ agents: [agent], log: () => {} }).run(agent, "go");
    const error = await run.then(
      () => assert.fail("the budget held"),
      (reason: unknown) => reason,
    );
    assert.ok(error instanceof BudgetExceededError);
    assert.equal(error.partial?.calls.length, 2);
  }
});

test("a tested class records what it pays", async () => {
  const { output, spend } = await testTool(Pay)({});
  assert.deepEqual([output, spend], ["paid", [{ service: "maps-api", cost: usd(0.3) }]]);
});

test("app.tool calls a tool of a class alone, in a run of its own", async () => {
  const app = createApp({ tools: [Where, Pay] });
  const where = app.tool(Where);
  const [first, second] = await Promise.all([
    where.invoke({ hops: 1 }, { user: { id: "u-1" } }),
    where.invoke({ hops: 2 }, { user: { id: "u-2" } }),
  ]);
  const expected = /^tool-slice (u-\d) (run_[\w-]+):direct:0:tool-slice$/;
  const [, user1, run1] = expected.exec(first.text) ?? [];
  const [, user2, run2] = expected.exec(second.text) ?? [];
  assert.deepEqual([user1, user2, first.callId, second.callId], ["u-1", "u-2", "tool-slice", "tool-slice"]);
  assert.notEqual(run1, run2);
  assert.equal((await app.tool("pay").invoke({})).text, "paid");
  assert.equal((await app.tool("pay").invoke({ fail: 1 })).errorCode, "tool.invalid-input");
  await assert.rejects(app.tool(Use).invoke({}), {
    code: "tool.unknown",
    message: '"Use" is no tool of this application: give it in `tools`',
  });
  await app.close();
});

test("app.tool calls the tool that is meant, also where another agent has one of its name", async () => {
  const named = (word: string) =>
    defineTool({ name: "same", description: "Same", input: z.object({}), execute: () => word });
  const [first, second] = [named("first"), named("second")];
  const agentWith = (name: string, tool: typeof first) =>
    defineAgent({ name, description: name, model: scriptedModel(["x"]), tools: [tool] });
  const app = createApp({ agents: [agentWith("one", first), agentWith("two", second)] });
  assert.equal((await app.tool(second).invoke({})).text, "second");
  assert.equal((await app.tool(first).invoke({})).text, "first");
  await assert.rejects(app.tool<string>(undefined as never).invoke({}), { code: "tool.unknown" });
  await assert.rejects(app.tool<string>(new Use() as never).invoke({}), {
    message: "an instance of Use is no tool of this application: give it in `tools`",
  });
  await app.close();
});

test("closing an application closes what it constructed, and a toolkit's too", async () => {
  const app = createApp({ tools: [Use] });
  await app.tool(Use).invoke({});
  const toolkit = await createToolkit({ tools: [Use] });
  await toolkit.call("use", {});
  assert.deepEqual(Closing.log, []);
  await app.close();
  assert.deepEqual(Closing.log, ["closed"]);
  await toolkit.close();
  assert.deepEqual(Closing.log, ["closed", "closed"]);
});

test("a run does not begin with a tool that cannot be constructed; a single call of it fails", async () => {
  const app = createApp({ agents: [BrokenAgent], tools: [Broken, Pay], log: () => {} });
  await assert.rejects(async () => app.run(BrokenAgent, "go"), {
    code: "di.construction-failed",
    message: 'the constructor of "Broken" threw: no key',
  });
  const { status, errorCode } = await app.tool(Broken).invoke({});
  assert.deepEqual([status, errorCode], ["failed", "tool.failed"]);
  assert.equal((await app.tool(Pay).invoke({})).status, "ok");
  await app.close();
});
