// What an application says of runs that an engine keeps, and what it asks of their orders; beside it what runs in memory say.

import assert from "node:assert/strict";
import { join } from "node:path";
import { describe, it, type TestContext } from "node:test";
import { z } from "zod";
import type { Agent, AgentOptions } from "../../src/agent/define-agent.ts";
import { defineAgent } from "../../src/agent/define-agent.ts";
import type { RunOptions } from "../../src/app/run-options.ts";
import { defineTool } from "../../src/author/define-tool.ts";
import type { AgentEvent } from "../../src/core/event.ts";
import type { AnyTool } from "../../src/core/tool.ts";
import { memoryEngine, sqlite } from "../../src/durable/sqlite/sqlite-engine.ts";
import { scriptedModel } from "../../src/models/scripted-model.ts";
import { minutes, usd } from "../../src/std/units.ts";
import { fakeClock } from "../../src/testing/fake-clock.ts";
import { temporaryFolder } from "../lib/temporary-tree.ts";
import { desk, type Replies, until } from "./support.ts";

const user = { id: "u-1" };
const owner = { ownerId: "u-1" };
const kept = () => ({ engine: memoryEngine() });

function tool(name: string, execute: (input: never, ctx: never) => unknown, more: object = {}): AnyTool {
  return defineTool({ name, description: "Does", input: z.object({}), execute, ...more } as never) as AnyTool;
}

const guarded = tool("guarded", () => "done it", { policy: "needs-approval" });
const asks = { calls: [{ name: "guarded" }] };

function helper(replies: Replies, more: Partial<AgentOptions> = {}): Agent {
  return defineAgent({
    name: "helper",
    description: "Helps",
    model: scriptedModel(replies),
    tools: [],
    ...more,
  }) as Agent;
}

const asking = { calls: [{ name: "helper", input: { message: "help me" } }] };

describe("a run that an engine is to keep", () => {
  class Account {
    readonly id = "u-1";
  }
  for (const [what, options, message] of [
    ["a model object", { model: scriptedModel([]) }, /^`model` must be a text such as `openai:gpt-5.2`/],
    ["data that is no JSON", { data: { at: new Date(0) } }, /^`data` must be JSON data: plain objects/],
    ["data with a function in it", { data: { f: () => 1 } }, /^`data` must be JSON data/],
    ["data that JSON has no number for", { data: [Number.NaN] }, /^`data` must be JSON data/],
    ["a user that is no JSON", { user: { id: "u-1", since: new Date(0) } }, /^`user` must be JSON data/],
    ["an option that does not exist", { thread: "t" }, /thread/],
  ] as const)
    it(`is refused with ${what}, and nothing of it is kept`, async () => {
      const { app, agent } = desk(["never"], [], { app: kept() });
      await assert.rejects(Promise.resolve(app.run(agent, "go", options as RunOptions)), {
        code: "run.invalid-input",
        message,
      });
      assert.deepEqual(await app.runs(), []);
      await app.close();
    });

  it("may have them in memory, but for options that do not exist", async () => {
    const seen: unknown[] = [];
    const look = tool("look", (_input, ctx: { data: unknown; user: unknown }) => seen.push(ctx.data, ctx.user));
    const { app, agent } = desk([], [look]);
    const data = { at: new Date(0) };
    const account = new Account();
    const model = scriptedModel([{ calls: [{ name: "look" }] }, "done"]);
    if (process.env.TOOLPOST_STORIES !== "kept") {
      await app.run(agent, "go", { data, user: account as never, model });
      assert.equal((seen[0] as typeof data).at, data.at);
    }
    await app.close();
  });

  it("is refused for an agent there is not", async () => {
    const { app } = desk(["never"], [], { app: kept() });
    await assert.rejects(Promise.resolve(app.run("nobody", "go")), {
      code: "agent.unknown",
      message: "there is no agent `nobody`; the application has `desk`",
    });
    await app.close();
  });

  it("is cancelled by its caller's signal or timeout, also where it waits for people", async () => {
    const clock = fakeClock();
    const { app, agent } = desk([asks, asks], [guarded], { app: { ...kept(), clock } });
    const abort = new AbortController();
    const run = app.run(agent, "go", { signal: abort.signal });
    assert.equal((await run).status, "waiting");
    abort.abort("gone home");
    await assert.rejects(Promise.resolve(run), { code: "run.cancelled", message: "gone home" });
    const late = app.run(agent, "go", { timeout: minutes(1) });
    assert.equal((await late).status, "waiting");
    await clock.advance(minutes(1));
    await assert.rejects(Promise.resolve(late), { code: "run.cancelled", message: "timed out after 1 min" });
    assert.deepEqual(
      (await app.runs()).map(({ state }) => state),
      ["cancelled", "cancelled"],
    );
    await app.close();
  });

  it("is cancelled before it began where its signal had fired", async () => {
    const { app, agent, model } = desk(["never"], [], { app: kept() });
    const run = app.run(agent, "go", { signal: AbortSignal.abort("too late") });
    await assert.rejects(Promise.resolve(run), { code: "run.cancelled", message: "too late" });
    assert.equal(model.requests.length, 0);
    await app.close();
  });

  it("tells once that it waits, for each time that it does", async () => {
    const events: AgentEvent[] = [];
    const { app, agent } = desk([asks, asks, "done"], [guarded], {
      app: { ...kept(), listeners: [(event) => void events.push(event)] },
    });
    for (let waiting = await app.run(agent, "go"); waiting.status === "waiting"; ) {
      const answer = { pauseId: waiting.pending[0]?.pauseId ?? "", decision: "approve" } as const;
      waiting = await app.resume(answer, {});
    }
    assert.deepEqual(
      events.filter(({ type }) => type.startsWith("run-")).map(({ type }) => type),
      ["run-start", "run-wait", "run-wait", "run-end"],
    );
    await app.close();
  });

  it("waits on where an answer was refused", async () => {
    const { app, agent } = desk([asks], [guarded], { app: kept() });
    const run = app.run(agent, "go", { user });
    const pauseId = (await run).pending[0]?.pauseId ?? "";
    for (const [answer, by, code] of [
      [{ pauseId, decision: "approve" }, { ownerId: "u-2" }, "approval.unknown-pause"],
      [{ pauseId, decision: "approve" }, { answeredBy: "m-1" }, "approval.unknown-pause"],
      [{ pauseId, decision: "approve" }, { operator: "" }, "approval.wrong-answerer"],
      [{ pauseId, reply: "yes" }, owner, "approval.invalid-answer"],
      [{ pauseId: "none", decision: "approve" }, owner, "approval.unknown-pause"],
    ] as const)
      await assert.rejects(Promise.resolve(app.resume(answer, by)), { code });
    assert.equal((await run).pending[0]?.pauseId, pauseId);
    await app.close();
  });

  it("is answered by whom a channel asked only where one did, also where it has no owner", async () => {
    const { app, agent } = desk([asks], [guarded], { app: kept() });
    const { pending } = await app.run(agent, "go");
    const answer = { pauseId: pending[0]?.pauseId ?? "", decision: "approve" } as const;
    await assert.rejects(Promise.resolve(app.resume(answer, { answeredBy: "m-1" })), {
      code: "approval.unknown-pause",
    });
    await app.close();
  });
});

describe("a run below another that an engine keeps", () => {
  it("waits at the root, whose run goes on once it is answered", async () => {
    const inner = helper([asks, "helped"], { tools: [guarded] });
    const { app, agent } = desk([asking, "done"], [], { agent: { tools: [inner] }, app: kept() });
    const run = app.run(agent, "go", { user });
    const { status, pending } = await run;
    assert.deepEqual([status, pending.map(({ value }) => value.tool)], ["waiting", ["guarded"]]);
    const result = await app.resume({ pauseId: pending[0]?.pauseId ?? "", decision: "approve" }, owner);
    assert.deepEqual([result.runId, result.text, result.calls[0]?.text], [run.runId, "done", "helped"]);
    await app.close();
  });
});

describe("the waiting of a run that an engine keeps", () => {
  /** How often a run told that it waits, and for how many people each time. */
  function waitsOf(): { readonly listener: (event: AgentEvent) => void; readonly of: (runId: string) => number[] } {
    const waits: Extract<AgentEvent, { type: "run-wait" }>[] = [];
    return {
      listener: (event) => void (event.type === "run-wait" && waits.push(event)),
      of: (runId) => waits.filter((wait) => wait.runId === runId).map(({ pending }) => pending.length),
    };
  }

  it("is not told before all that is below it rests", async () => {
    const { promise: looked, resolve: look } = Promise.withResolvers<string>();
    const slow = tool("slow", () => looked);
    const quick = helper([asks, "helped"], { tools: [guarded] });
    const other = helper([{ calls: [{ name: "slow" }] }, asks, "helped"], { name: "other", tools: [slow, guarded] });
    const calls = [asking, { calls: [{ name: "other", input: { message: "look" } }] }].flatMap((each) => each.calls);
    const waits = waitsOf();
    const { app, agent } = desk([{ calls }, "done"], [], {
      agent: { tools: [quick, other] },
      app: { ...kept(), listeners: [waits.listener] },
    });
    const run = app.run(agent, "go", { user });
    const below = `${run.runId}/call:0:0/agent`;
    const states = async () => new Map((await app.runs()).map(({ runId, state }) => [runId, state]));
    await until(async () => {
      const known = await states();
      const isAtRest = known.get(run.runId) === "waiting" && known.get(below) === "waiting";
      return isAtRest && waits.of(below).length > 0 ? true : undefined;
    });
    for (let turn = 0; turn < 10; turn++) await new Promise(setImmediate);
    assert.deepEqual(waits.of(run.runId), []);
    look("at last");
    const { status, pending } = await run;
    assert.deepEqual([status, pending.length, waits.of(run.runId)], ["waiting", 2, [2]]);
    await app.close();
  });

  it("is not told for what is being answered", async () => {
    const engine = memoryEngine();
    const { promise: stored, resolve: store } = Promise.withResolvers<void>();
    let answers = 0;
    const answer = engine.answer.bind(engine);
    // The second answer is long on its way.
    const slowly: typeof answer = (...given) =>
      answers++ === 0 ? answer(...given) : stored.then(() => answer(...given));
    const waits = waitsOf();
    const { app, agent } = desk([{ calls: [...asks.calls, ...asks.calls] }, "done"], [guarded], {
      app: { engine: Object.assign(engine, { answer: slowly }), listeners: [waits.listener] },
    });
    const run = app.run(agent, "go", { user });
    const { pending } = await run;
    const resumed = pending.map(({ pauseId = "" }) => app.resume({ pauseId, decision: "approve" }, owner));
    await until(async () => {
      const [given] = await app.approvals({ answered: true, under: run.runId });
      const [root] = await app.runs();
      return given?.state === "answered" && root?.state === "waiting" ? true : undefined;
    });
    for (let turn = 0; turn < 10; turn++) await new Promise(setImmediate);
    assert.deepEqual(waits.of(run.runId), [2]);
    store();
    assert.deepEqual(
      (await Promise.all(resumed)).map(({ status }) => status),
      ["done", "done"],
    );
    assert.deepEqual(waits.of(run.runId), [2]);
    await app.close();
  });
});

describe("what is known of runs", () => {
  for (const [where, given] of [
    ["in memory", () => ({})],
    ["on an engine", kept],
  ] as const) {
    it(`is listed by state, agent and what they are under, newest first, ${where}`, async () => {
      const inner = helper([asks], { tools: [guarded] });
      const { app, agent } = desk([asking, asks], [guarded], {
        agent: { tools: [inner, guarded] },
        app: { ...given(), clock: fakeClock(1_000) },
      });
      const first = app.run(agent, "go", { threadId: "t", user });
      assert.equal((await first).status, "waiting");
      const second = app.run(agent, "go");
      assert.equal((await second).status, "waiting");
      const below = `${first.runId}/call:0:0/agent`;
      const ids = async (filter?: Parameters<typeof app.runs>[0]) =>
        (await app.runs(filter)).map(({ runId }) => runId).toSorted();
      assert.deepEqual(await ids(), [first.runId, below, second.runId].toSorted());
      assert.deepEqual(await ids({ agent: "helper" }), [below]);
      assert.deepEqual(await ids({ under: first.runId }), [first.runId, below].toSorted());
      assert.deepEqual(await ids({ states: ["done"] }), []);
      assert.deepEqual(await ids({ states: ["waiting"] }), [first.runId, below, second.runId].toSorted());
      assert.equal((await app.runs({ limit: 1 })).length, 1);
      const [top] = await app.runs({ agent: "desk", under: first.runId });
      assert.deepEqual(top, {
        runId: first.runId,
        agent: "desk",
        state: "waiting",
        threadId: "t",
        ownerId: "u-1",
        createdAt: 1_000,
      });
      const [child] = await app.runs({ agent: "helper" });
      assert.equal(child?.parent, first.runId);
      assert.deepEqual(
        (await app.approvals({ under: first.runId })).map(({ runId, state }) => [runId, state]),
        [[below, "waiting"]],
      );
      assert.deepEqual(
        [await app.inspect("none"), await app.cancel("none"), await app.cancel(second.runId, "enough")],
        [undefined, false, true],
      );
      await assert.rejects(Promise.resolve(second), { code: "run.cancelled", message: "enough" });
      await app.close();
    });
  }

  it("can be deleted once they ended long enough ago; in memory there is nothing to delete", async () => {
    const clock = fakeClock();
    const { app, agent } = desk(["one", "two"], [], { app: { ...kept(), clock } });
    await app.run(agent, "go");
    await clock.advance(minutes(10));
    const { runId } = await app.run(agent, "go");
    assert.equal(await app.prune({ olderThan: minutes(5) }), 1);
    assert.deepEqual(
      (await app.runs()).map((run) => run.runId),
      [runId],
    );
    await app.close();
    if (process.env.TOOLPOST_STORIES === "kept") return;
    const inMemory = desk([], []);
    await assert.rejects(inMemory.app.prune({ olderThan: minutes(5) }), { code: "run.needs-engine" });
    await inMemory.app.close();
  });
});

describe("runs of one thread from two processes", () => {
  /** Two applications on one file, and what the model of each was asked. */
  function two(t: TestContext, replies: readonly [Replies, Replies]) {
    const path = join(temporaryFolder(t), "runs.db");
    return replies.map((each) => {
      const made = desk(each, [guarded], { app: { engine: sqlite(path) } });
      t.after(() => made.app.close());
      return made;
    }) as [ReturnType<typeof desk>, ReturnType<typeof desk>];
  }

  it("are answered one after the other, and lose nothing", { timeout: 20_000 }, async (t) => {
    const answer = ({ lastUser }: { lastUser: string }) => `answer to ${lastUser}`;
    const [here, there] = two(t, [answer as never, answer as never]);
    const thread = { threadId: "t", user };
    const texts = ["a", "b", "c", "d", "e", "f"];
    await Promise.all(texts.map((text, index) => [here, there][index % 2]?.app.run("desk", text, thread)));
    await here.app.run("desk", "last", thread);
    const last = [...here.model.requests, ...there.model.requests].find(({ lastUser }) => lastUser === "last");
    const said = last?.prompt.flatMap(({ content }) =>
      typeof content === "string" ? [content] : content.flatMap((part) => (part.type === "text" ? [part.text] : [])),
    );
    assert.deepEqual(said?.toSorted(), [...texts, ...texts.map((text) => `answer to ${text}`), "last"].toSorted());
    // Each answer stands behind its message.
    for (const text of texts) assert.equal(said?.[said.indexOf(text) + 1], `answer to ${text}`);
  });

  it("are refused, or take over, where they say so", { timeout: 20_000 }, async (t) => {
    // Either process may move either run.
    const reply = ({ lastUser }: { lastUser: string }) => (lastUser === "first" ? asks : "took over");
    const [here, there] = two(t, [reply as never, reply as never]);
    const thread = { threadId: "t", user };
    const run = here.app.run("desk", "first", thread);
    assert.equal((await run).status, "waiting");
    await assert.rejects(Promise.resolve(there.app.run("desk", "second", { ...thread, onBusy: "reject" })), {
      code: "thread.busy",
    });
    const second = there.app.run("desk", "third", { ...thread, onBusy: "supersede" });
    assert.equal((await second).text, "took over");
    const [first] = await there.app.runs({ states: ["cancelled"] });
    assert.deepEqual([first?.runId, first?.error?.message], [run.runId, "a newer message took over"]);
  });
});

describe("what a run below used", () => {
  const usage = { inputTokens: 30, outputTokens: 20 };
  const spends = tool("spends", (_input, ctx: { spend(spend: object): void }) =>
    ctx.spend({ service: "shop", cost: usd(0.5) }),
  );
  const fails = tool(
    "fails",
    (_input, ctx: { spend(spend: object): void }) => {
      ctx.spend({ service: "shop", cost: usd(0.5) });
      throw new Error("no luck");
    },
    { toolErrors: "throw" },
  );

  for (const [where, given] of [
    ["in memory", () => ({})],
    ["on an engine", kept],
  ] as const)
    for (const [how, calls, settings] of [
      ["ended", [{ name: "spends" }], {}],
      ["failed by a limit", [{ name: "spends" }, { name: "spends" }], { maxToolCalls: 1 }],
      ["failed by an error of its tool", [{ name: "fails" }], {}],
    ] as const)
      it(`counts above it where it ${how}, ${where}`, async () => {
        const replies = [{ calls, usage }, ...(how === "ended" ? [{ text: "helped", usage }] : [])];
        const inner = helper(replies, { tools: [spends, fails], ...settings });
        const { app, agent } = desk(
          [
            { ...asking, usage },
            { ...asking, usage },
          ],
          [],
          { agent: { tools: [inner], budget: { money: usd(0.5) } }, app: given() },
        );
        // The second call of the agent is one too many.
        await assert.rejects(Promise.resolve(app.run(agent, "go")), (error: { code: string; data: unknown }) => {
          assert.deepEqual([error.code, error.data], ["budget.exceeded", { kind: "money", limit: 0.5, used: 0.5 }]);
          return true;
        });
        await app.close();
      });
});
