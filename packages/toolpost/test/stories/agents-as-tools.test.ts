// Agents among the tools of agents: each call a run of its own, below the caller's.

import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { z } from "zod";
import { agentTool } from "../../src/agent/agent-tool.ts";
import type { Agent, AgentOptions } from "../../src/agent/define-agent.ts";
import { defineAgent } from "../../src/agent/define-agent.ts";
import { defineTool } from "../../src/author/define-tool.ts";
import { FatalToolError } from "../../src/core/errors.ts";
import type { AgentEvent } from "../../src/core/event.ts";
import type { BudgetExceededError } from "../../src/core/run-errors.ts";
import type { AnyTool, Tool } from "../../src/core/tool.ts";
import { scriptedModel } from "../../src/models/scripted-model.ts";
import { minutes } from "../../src/std/units.ts";
import { fakeClock } from "../../src/testing/fake-clock.ts";
import { callOnce, desk, type Replies } from "./support.ts";

function tool(name: string, execute: Tool["execute"] | (() => unknown), more: object = {}): AnyTool {
  return defineTool({
    name,
    description: "Does",
    input: z.object({}),
    execute: execute as () => unknown,
    ...more,
  }) as Tool;
}

function helper(replies: Replies, tools: readonly AnyTool[] = [], more: Partial<AgentOptions> = {}): Agent {
  return defineAgent({ name: "helper", description: "Helps", model: scriptedModel(replies), tools, ...more }) as Agent;
}

const asking = { calls: [{ name: "helper", input: { message: "help me" } }] };

describe("an agent among the tools of another", () => {
  it("is called with a message of its own, and its text is the result", async () => {
    const model = scriptedModel(["here is help"]);
    const agent = defineAgent({ name: "helper", description: "Helps", model, tools: [] });
    const { app, agent: outer } = desk([asking, "done"], [], { agent: { tools: [agent] } });
    const result = await app.run(outer, "go");
    assert.deepEqual(
      result.calls.map(({ tool: name, source, status, text }) => [name, source, status, text]),
      [["helper", "agent", "ok", "here is help"]],
    );
    assert.deepEqual(model.requests[0]?.prompt, [{ role: "user", content: [{ type: "text", text: "help me" }] }]);
    assert.equal(result.text, "done");
    await app.close();
  });

  it("refuses a call without a message as any tool refuses its input", async () => {
    const { app, agent } = desk([{ calls: [{ name: "helper", input: { text: "x" } }] }, "done"], [], {
      agent: { tools: [helper([])] },
    });
    const { calls } = await app.run(agent, "go");
    assert.equal(calls[0]?.text, "Tool error: invalid input: message: expected a text");
    await app.close();
  });

  it("gives its structured answer as the value", async () => {
    const inner = helper([{ calls: [{ name: "answer-helper", input: { found: 3 } }] }], [], {
      output: z.object({ found: z.number() }) as never,
    });
    const { app, agent } = desk([asking, "done"], [], { agent: { tools: [inner] } });
    const { calls } = await app.run(agent, "go");
    assert.deepEqual([calls[0]?.value, calls[0]?.text], [{ found: 3 }, '{"found":3}']);
    await app.close();
  });

  it("can have another name and a policy, and passes the one gate", async () => {
    const inner = agentTool(helper(["never"]), { name: "ask_helper", policy: "deny" });
    const { app, agent } = desk([{ calls: [{ name: "ask_helper", input: { message: "x" } }] }, "done"], [inner]);
    const { calls } = await app.run(agent, "go");
    assert.deepEqual([calls[0]?.status, calls[0]?.text], ["denied", "Tool error: this call is not allowed"]);
    await app.close();
  });

  it("sees the user, the tenant and the data of the run above, and events tell its run from that one", async () => {
    const seen: unknown[] = [];
    const look = tool("look", ((_input: unknown, ctx: { user: unknown; tenant: unknown; data: unknown }) => {
      seen.push(ctx.user, ctx.tenant, ctx.data);
      return "looked";
    }) as never);
    const events: AgentEvent[] = [];
    const { app, agent } = desk([asking, "done"], [], {
      agent: { tools: [helper([{ calls: [{ name: "look" }] }, "helped"], [look])] },
      app: { listeners: [(event) => void events.push(event)] },
    });
    const run = app.run(agent, "go", { user: { id: "u-1" }, tenant: "t-1", data: { a: 1 } });
    await run;
    assert.deepEqual(seen, [{ id: "u-1" }, "t-1", { a: 1 }]);
    const started = events.filter(({ type }) => type === "run-start").map(({ runId }) => runId);
    assert.deepEqual(started, [run.runId, `${run.runId}/call:0:0/agent`]);
    await app.close();
  });

  it("has its pauses at the root, where the owner answers them", async () => {
    let paid = 0;
    const pay = tool("pay", () => ++paid, { policy: "needs-approval" });
    const { app, agent } = desk([asking, "done"], [], {
      agent: { tools: [helper([{ calls: [{ name: "pay" }] }, "paid"], [pay])] },
    });
    const run = app.run(agent, "go", { user: { id: "u-1" } });
    const waiting = await run;
    assert.deepEqual([waiting.status, waiting.pending.map(({ value }) => value.tool), paid], ["waiting", ["pay"], 0]);
    const resumed = app.resume({ pauseId: waiting.pending[0]?.pauseId ?? "", decision: "approve" }, { ownerId: "u-1" });
    const result = await resumed;
    assert.deepEqual([result.status, result.text, result.runId, paid], ["done", "done", run.runId, 1]);
    await app.close();
  });

  it("waits at the root only once all of it waits", async () => {
    const pay = tool("pay", () => "paid", { policy: "needs-approval" });
    const { promise, resolve } = Promise.withResolvers<string>();
    const slow = tool("slow", () => promise);
    const { app, agent } = desk([{ calls: [...asking.calls, { name: "slow" }] }, "done"], [], {
      agent: { tools: [helper([{ calls: [{ name: "pay" }] }, "paid"], [pay]), slow] },
    });
    const run = app.run(agent, "go");
    for await (const event of run.events) {
      if (event.type === "tool-call-start" && event.tool === "slow") break;
    }
    resolve("at last");
    const waiting = await run;
    assert.deepEqual(
      waiting.calls.map(({ tool: name }) => name),
      ["slow"],
    );
    assert.equal(waiting.pending.length, 1);
    await app.close();
  });

  it("ends the whole run by a fatal error below", async () => {
    const fatal = tool("fatal", () => {
      throw new FatalToolError("the vault is open");
    });
    const { app, agent } = desk([asking], [], {
      agent: { tools: [helper([{ calls: [{ name: "fatal" }] }], [fatal])] },
    });
    await assert.rejects(Promise.resolve(app.run(agent, "go")), { code: "tool.fatal" });
    await app.close();
  });

  it("lets the run above go on where it failed by itself", async () => {
    const inner = helper([{ calls: [{ name: "nothing" }, { name: "nothing" }] }], [tool("nothing", () => 1)], {
      maxToolCalls: 1,
    });
    const { app, agent, log } = desk([asking, "done"], [], { agent: { tools: [inner] } });
    const result = await app.run(agent, "go");
    assert.deepEqual(
      [result.status, result.calls[0]?.status, result.calls[0]?.errorCode],
      ["done", "failed", "tool.failed"],
    );
    assert.ok(log.some(({ message }) => message === "`helper` threw"));
    await app.close();
  });

  it("says that it was stopped, and what it had said", async () => {
    const again = tool("again", () => 1);
    const inner = helper([{ text: "half", calls: [{ name: "again" }] }], [again], { maxSteps: 1 });
    const { app, agent } = desk([asking, "done"], [], { agent: { tools: [inner] } });
    const { calls } = await app.run(agent, "go");
    assert.deepEqual(
      [calls[0]?.status, calls[0]?.text],
      ["failed", "The agent was stopped before it was done (steps); it had said: half"],
    );
    await app.close();
  });

  it("counts what it used in the run above, and has no more than what is left there", async () => {
    const usage = { inputTokens: 30, outputTokens: 20 };
    const inner = helper([{ text: "helped", usage }]);
    const { app, agent } = desk(
      [
        { ...asking, usage },
        { text: "done", usage },
      ],
      [],
      { agent: { tools: [inner] } },
    );
    const result = await app.run(agent, "go");
    assert.equal(result.usage.totalTokens, 150);
    await app.close();

    const costly = helper([{ text: "1", calls: [{ name: "again" }], usage }, "never"], [tool("again", () => 1)]);
    const tight = desk([{ ...asking, usage }], [], { agent: { tools: [costly], budget: { tokens: 100 } } });
    await assert.rejects(Promise.resolve(tight.app.run(tight.agent, "go")), (error: BudgetExceededError) => {
      assert.deepEqual([error.code, error.data], ["budget.exceeded", { kind: "tokens", limit: 100, used: 150 }]);
      return true;
    });
    await tight.app.close();
  });

  it("is cancelled with the run above, down to its tool", async () => {
    const { promise: started, resolve } = Promise.withResolvers<AbortSignal>();
    const hang = tool("hang", ((_input: unknown, { signal }: { signal: AbortSignal }) => {
      resolve(signal);
      return new Promise(() => undefined);
    }) as never);
    const { app, agent } = desk([asking], [], {
      agent: { tools: [helper([{ calls: [{ name: "hang" }] }], [hang])] },
      app: { clock: fakeClock() },
    });
    const run = app.run(agent, "go");
    const rejected = assert.rejects(Promise.resolve(run), { code: "run.cancelled", message: "enough" });
    const signal = await started;
    run.abort("enough");
    await rejected;
    assert.equal(signal.aborted, true);
    await app.close();
  });

  it("expires with the approval it waits for", async () => {
    const clock = fakeClock();
    const pay = tool("pay", () => "paid", { policy: "needs-approval" });
    const { promise: ended, resolve } = Promise.withResolvers<void>();
    const listener = (event: AgentEvent): void => {
      if (event.type === "run-end" && !event.runId.includes("/")) resolve();
    };
    const { app, agent } = desk([asking, "done"], [], {
      agent: { tools: [helper([{ calls: [{ name: "pay" }] }, "not paid"], [pay])] },
      app: { clock, approvals: { expireAfter: minutes(5) }, listeners: [listener] },
    });
    const run = app.run(agent, "go");
    assert.equal((await run).status, "waiting");
    await clock.advance(minutes(6));
    await ended;
    assert.equal((await run).calls[0]?.text, "not paid");
    await app.close();
  });

  it("that is cancelled alone leaves what waits beside it to be answered, and what comes later to be asked about", async () => {
    let paid = 0;
    const pay = tool("pay", () => ++paid, { policy: "needs-approval" });
    const give = tool("give_up", ((_input: unknown, ctx: { abort(reason: string): void }) => ctx.abort("no")) as never);
    const below = helper([{ calls: [{ name: "give_up" }] }], [give]);
    const calls = [{ name: "helper", input: { message: "help me" } }, { name: "pay" }];
    const { app, agent } = desk([{ calls }, { calls: [{ name: "pay" }] }, "done"], [], {
      agent: { tools: [below, pay] },
    });
    let result = await app.run(agent, "go");
    for (const expected of [0, 1]) {
      assert.deepEqual(
        [result.status, result.pending.map(({ value }) => value.tool), paid],
        ["waiting", ["pay"], expected],
      );
      result = await app.resume({ pauseId: result.pending[0]?.pauseId ?? "", decision: "approve" }, {});
    }
    assert.deepEqual(
      [result.status, result.calls.map(({ tool: name, status }) => `${name} ${status}`)],
      ["done", ["helper cancelled", "pay ok", "pay ok"]],
    );
    await app.close();
  });

  it("that waits for a person holds back no call whose policy looks at the run", async () => {
    const pay = tool("pay", () => "paid", { policy: "needs-approval" });
    const looked: unknown[] = [];
    const look = tool("look", () => looked.push("looked"), { policy: () => "allow" });
    const below = helper([{ calls: [{ name: "pay" }] }, "paid"], [pay]);
    const calls = [{ name: "helper", input: { message: "help me" } }, { name: "look" }, { name: "look" }];
    const { app, agent } = desk([{ calls }, "done"], [], { agent: { tools: [below, look] } });
    const { status, pending } = await app.run(agent, "go");
    const tools = pending.map(({ value }) => value.tool);
    assert.deepEqual([status, tools, looked], ["waiting", ["pay"], ["looked", "looked"]]);
    await app.close();
  });

  it("may call agents itself, and two definitions of one name are refused", async () => {
    const deep = defineAgent({
      name: "deep",
      description: "Deep",
      model: scriptedModel(["bottom"]),
      tools: [],
    }) as Agent;
    const middle = helper([{ calls: [{ name: "deep", input: { message: "down" } }] }, "middle"], [], { tools: [deep] });
    const { app, agent } = desk([asking, "top"], [], { agent: { tools: [middle] } });
    assert.equal((await app.run(agent, "go")).text, "top");
    await app.close();
    assert.throws(() => desk([], [], { agent: { tools: [helper([]), agentTool(helper([]), { name: "other" })] } }), {
      message: /two agents are named `helper`/,
    });
  });
});

describe("an agent called beside a call that ends the run", () => {
  const both = (name: string) => ({ calls: [...asking.calls, { name }] });
  const lookThenPay = [{ calls: [{ name: "look" }] }, { calls: [{ name: "pay" }] }, "helped"];

  /** An agent that looks, which takes until it is told, then would pay, with approval. */
  function payer(): {
    readonly agent: Agent;
    readonly looked: () => void;
    readonly looks: Promise<void>;
    paid: number;
  } {
    const { promise, resolve } = Promise.withResolvers<string>();
    const { promise: looks, resolve: begins } = Promise.withResolvers<void>();
    const look = tool("look", () => {
      begins();
      return promise;
    });
    const made = { agent: undefined as unknown as Agent, looked: () => resolve("seen"), looks, paid: 0 };
    const pay = tool("pay", () => ++made.paid, { policy: "needs-approval" });
    made.agent = helper(lookThenPay, [look, pay]);
    return made;
  }

  it("goes on, and is declined what it asks a person afterwards", async () => {
    const below = payer();
    const finish = tool(
      "finish",
      async () => {
        await below.looks;
        return "over";
      },
      { endsRun: true },
    );
    const events: AgentEvent[] = [];
    const { app, agent } = desk([both("finish"), "done"], [], {
      agent: { tools: [below.agent, finish] },
      app: {
        listeners: [
          (event) => {
            events.push(event);
            if (event.type === "tool-call-end" && event.tool === "finish") below.looked();
          },
        ],
      },
    });
    const result = await app.run(agent, "go");
    assert.deepEqual([result.status, result.endedByTool, below.paid], ["done", "finish", 0]);
    const paid = events.flatMap((event) =>
      event.type === "tool-call-end" && event.tool === "pay" ? [event.result] : [],
    );
    assert.deepEqual(
      paid.map(({ status }) => status),
      ["declined"],
    );
    await app.close();
  });

  it("asks nobody where it begins after that call", async () => {
    const below = payer();
    below.looked();
    const finish = tool("finish", () => "over", { endsRun: true });
    const { app, agent } = desk([{ calls: [{ name: "finish" }, ...asking.calls] }, "done"], [], {
      agent: { tools: [below.agent, finish], maxConcurrency: 1 },
    });
    const run = app.run(agent, "go");
    const { status, endedByTool, calls } = await run;
    assert.deepEqual([status, endedByTool, calls.map(({ status: each }) => each)], ["done", "finish", ["ok", "ok"]]);
    assert.deepEqual([below.paid, (await app.approvals()).length], [0, 0]);
    await app.close();
  });

  for (const [what, act, code] of [
    [
      "a fatal error",
      () => {
        throw new FatalToolError("over");
      },
      "tool.fatal",
    ],
    [
      "a cancel of its own",
      (_input: unknown, ctx: { abort(reason: string): void }) => ctx.abort("fraud"),
      "run.cancelled",
    ],
  ] as const) {
    it(`is cancelled by ${what}, also while it is at work`, async () => {
      const below = payer();
      const end = tool("end", (async (input: unknown, ctx: never) => {
        await below.looks;
        return (act as (input: unknown, ctx: never) => unknown)(input, ctx);
      }) as never);
      const { app, agent } = desk([both("end")], [], { agent: { tools: [below.agent, end] } });
      await assert.rejects(Promise.resolve(app.run(agent, "go")), { code });
      below.looked();
      assert.deepEqual([below.paid, (await app.approvals()).length], [0, 0]);
      await app.close();
    });
  }
});

describe("an agent that is called alone", () => {
  const told =
    'Tool error: the agent `helper` is called in a run alone: start one by `app.run("helper", …)` or `toolpost run helper`';

  it("fails with the way to call it, and its model is asked nothing", async () => {
    const model = scriptedModel([]);
    const inner = agentTool(defineAgent({ name: "helper", description: "Helps", model, tools: [] }), { name: "ask" });
    const { app, log } = desk([], [inner]);
    const toolkit = await app.toolkit();
    for (const result of [
      await toolkit.call("ask", { message: "x" }),
      await app.tool(inner).invoke({ message: "x" }),
      await callOnce(inner, { message: "x" }, { toolkit: { defaults: { tools: { toolErrors: "throw" } } } }),
    ])
      assert.deepEqual([result.status, result.errorCode, result.text], ["failed", "agent.needs-run", told]);
    assert.deepEqual([model.requests.length, log], [0, []]);
    await app.close();
  });

  it("may be a tool of the application that agents name", async () => {
    const { app, agent } = desk([asking, "done"], [], {
      agent: { tools: ["helper"] },
      app: { tools: [agentTool(helper(["here is help"]))] },
    });
    const { calls } = await app.run(agent, "go");
    assert.deepEqual([calls[0]?.status, calls[0]?.text], ["ok", "here is help"]);
    assert.deepEqual((await app.describe()).agents.at(-1)?.toolOf, ["desk"]);
    await app.close();
  });

  it("is started by its name as any other agent", async () => {
    const { app } = desk([], [], { agent: { tools: [helper(["helped"])] } });
    assert.deepEqual(
      app.agentsBelow.map(({ name }) => name),
      ["helper"],
    );
    assert.equal((await app.run("helper", "go")).text, "helped");
    await app.close();
  });

  it("is no function to call by hand either", () => {
    assert.throws(() => agentTool(helper([])).execute({} as never, {} as never), { code: "agent.needs-run" });
  });
});
