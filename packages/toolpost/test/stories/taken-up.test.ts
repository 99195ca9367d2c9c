// Runs that come to wait and are taken up again, here and by an application made anew on the same file: they begin at their
// journal's first entry, and neither model nor tool does anything twice.

import assert from "node:assert/strict";
import { join } from "node:path";
import { describe, it, type TestContext } from "node:test";
import { z } from "zod";
import type { Agent } from "../../src/agent/define-agent.ts";
import { defineAgent } from "../../src/agent/define-agent.ts";
import type { AppOptions } from "../../src/app/app-options.ts";
import type { App } from "../../src/app/create-app.ts";
import { createApp } from "../../src/app/create-app.ts";
import { defineTool } from "../../src/author/define-tool.ts";
import type { ToolContext } from "../../src/core/context.ts";
import type { AgentEvent } from "../../src/core/event.ts";
import type { LogEntry } from "../../src/core/govern.ts";
import type { AnyTool } from "../../src/core/tool.ts";
import { memoryEngine, sqlite } from "../../src/durable/sqlite/sqlite-engine.ts";
import { scriptedModel } from "../../src/models/scripted-model.ts";
import type { ScriptedReply } from "../../src/models/scripted-reply.ts";
import { minutes, seconds, usd } from "../../src/std/units.ts";
import type { FakeClock } from "../../src/testing/fake-clock.ts";
import { fakeClock } from "../../src/testing/fake-clock.ts";
import { temporaryFolder } from "../lib/temporary-tree.ts";

const owner = { ownerId: "u-1" };
const user = { id: "u-1" };

type Turns = readonly (string | ScriptedReply)[];
type MakeTool = (name: string, execute: (input: never, ctx: ToolContext) => unknown, more?: object) => AnyTool;

interface ProcessOptions {
  readonly tools?: (tool: MakeTool) => readonly (AnyTool | Agent)[];
  readonly agent?: object;
  readonly app?: Partial<AppOptions>;
  readonly clock?: FakeClock;
}

/** An application as one process has it, with what it did and told. */
interface Process {
  readonly app: App;
  readonly done: string[];
  readonly events: AgentEvent[];
  readonly log: LogEntry[];
  readonly clock: FakeClock;
}

/** Opens processes on one file, all with the same turns of the model. */
function onFile(t: TestContext, turns: Turns): (options: ProcessOptions) => Process {
  const path = join(temporaryFolder(t), "runs.db");
  return ({ tools, agent, app, clock = fakeClock(Date.UTC(2026, 0, 1)) }) => {
    const done: string[] = [];
    const events: AgentEvent[] = [];
    const log: LogEntry[] = [];
    const tool: MakeTool = (name, execute, more = {}) =>
      defineTool({
        name,
        description: "Does",
        input: z.object({}),
        ...more,
        execute: ((input: never, ctx: ToolContext) => {
          done.push(name);
          return execute(input, ctx);
        }) as never,
      }) as AnyTool;
    const model = scriptedModel(({ prompt }) => {
      const turn = prompt.filter(({ role }) => role === "assistant").length;
      done.push(`model ${turn}`);
      return turns[turn] ?? assert.fail(`there is no turn ${turn}`);
    });
    const desk = defineAgent({ name: "desk", description: "Answers", model, tools: tools?.(tool) ?? [], ...agent });
    const made = createApp({
      agents: [desk],
      engine: sqlite(path),
      clock,
      log: (entry) => void log.push(entry),
      listeners: [(event) => void events.push(event)],
      ...app,
    });
    t.after(() => made.close());
    return { app: made, done, events, log, clock };
  };
}

const guarded = (tool: MakeTool): AnyTool => tool("guarded", () => "done it", { policy: "needs-approval" });

/** Runs until people are waited for, and gives the run's and the pause's id. */
async function waiting({ app }: Process, options: object = {}): Promise<{ runId: string; pauseId: string }> {
  const { status, runId, pending } = await app.run("desk", "go", { user, ...options });
  assert.equal(status, "waiting");
  return { runId, pauseId: pending[0]?.pauseId ?? "" };
}

/** A call that the process is in the middle of when another takes over, which thinks that the lease is over. */
async function takenOver(t: TestContext, more: object, turns: Turns, settings: ProcessOptions = {}) {
  const open = onFile(t, turns);
  const entered = Promise.withResolvers<AbortSignal>();
  const before = open({
    tools: (tool) => [
      tool(
        "pay",
        (_input, { signal }) => {
          entered.resolve(signal);
          return new Promise(() => undefined);
        },
        more,
      ),
    ],
    ...settings,
  });
  const run = before.app.run("desk", "go", { user });
  const signal = await entered.promise;
  const after = open({
    tools: (tool) => [tool("pay", () => "paid", more)],
    clock: fakeClock(before.clock.now() + minutes(1).ms),
    ...settings,
  });
  await after.app.start();
  const handle = after.app.attach(run.runId);
  return { before, after, handle, run, signal };
}

const paying: Turns = [{ calls: [{ name: "pay" }] }, "done"];

describe("a call that a crash interrupted", () => {
  for (const annotations of [{ idempotent: true }, { readOnly: true }])
    it(`is made again where its tool is ${Object.keys(annotations)[0]}, under the same key`, async (t) => {
      const { after, handle } = await takenOver(t, { annotations }, paying);
      const { calls } = await handle;
      assert.deepEqual(
        calls.map(({ status, text }) => [status, text]),
        [["ok", "paid"]],
      );
      assert.deepEqual(after.done, ["pay", "model 1"]);
    });

  it("is not made again otherwise: the model reads that nobody knows", async (t) => {
    const { after, handle } = await takenOver(t, {}, paying);
    const { calls, status } = await handle;
    assert.deepEqual(
      [status, calls.map(({ status: each, errorCode, text }) => [each, errorCode, text])],
      [
        "done",
        [["unknown", "tool.outcome-unknown", "Tool error: the outcome is unknown: the call may have had its effect"]],
      ],
    );
    assert.deepEqual(after.done, ["model 1"]);
  });

  it("counts among those that were started", async (t) => {
    const turns: Turns = [{ calls: [{ name: "pay" }] }, { calls: [{ name: "pay" }] }];
    const { after, handle } = await takenOver(t, {}, turns, { agent: { maxToolCalls: 1 } });
    await assert.rejects(Promise.resolve(handle), { code: "limit.tool-calls" });
    assert.deepEqual(after.done, ["model 1"]);
  });

  it("ends the run where its tool says so", async (t) => {
    const { after, handle } = await takenOver(t, { onUnknown: "fail" }, paying);
    await assert.rejects(Promise.resolve(handle), {
      code: "tool.outcome-unknown",
      message: "the process ended while `pay` was at work, so the call may have had its effect",
    });
    assert.deepEqual(after.done, []);
  });

  for (const [reply, status, text, done] of [
    ["it happened", "ok", "A person confirmed that the call had its effect; what it returned is lost.", ["model 1"]],
    ["run it again", "ok", "paid", ["pay", "model 1"]],
    ["nobody knows", "unknown", "Tool error: the outcome is unknown: the call may have had its effect", ["model 1"]],
  ] as const)
    it(`is put to a person where its tool says so, who may say: ${reply}`, async (t) => {
      const { after, handle } = await takenOver(t, { onUnknown: "ask" }, paying);
      const first = await handle;
      const [pause] = first.pending;
      assert.deepEqual(
        [first.status, pause?.value.kind === "question" && [pause.value.question, pause.value.choices]],
        [
          "waiting",
          [
            "the process ended while `pay` was at work, so the call may have had its effect: what happened?",
            ["it happened", "run it again", "nobody knows"],
          ],
        ],
      );
      assert.deepEqual(after.done, []);
      const result = await after.app.resume({ pauseId: pause?.pauseId ?? "", reply }, owner);
      assert.deepEqual(
        result.calls.map((call) => [call.status, call.text]),
        [[status, text]],
      );
      assert.deepEqual(after.done, done);
    });

  it("ends the runs above, too, where it was made in an agent below and its tool says so", async (t) => {
    const open = onFile(t, [{ calls: [{ name: "helper", input: { message: "pay" } }] }]);
    const below = (tool: MakeTool, execute: () => unknown): Agent =>
      defineAgent({
        name: "helper",
        description: "Helps",
        model: scriptedModel(paying),
        tools: [tool("pay", execute, { onUnknown: "fail" })],
      }) as Agent;
    const entered = Promise.withResolvers<void>();
    const before = open({
      tools: (tool) => [
        below(tool, () => {
          entered.resolve();
          return new Promise(() => undefined);
        }),
      ],
    });
    const run = before.app.run("desk", "go", { user });
    await entered.promise;
    const clock = fakeClock(before.clock.now() + minutes(1).ms);
    const after = open({ tools: (tool) => [below(tool, () => "paid")], clock });
    await after.app.start();
    await assert.rejects(Promise.resolve(after.app.attach(run.runId)), { code: "tool.outcome-unknown" });
    assert.deepEqual(after.done, []);
  });

  it("counts once where a person has it run again", async (t) => {
    const { after, handle } = await takenOver(t, { onUnknown: "ask" }, paying, { agent: { maxToolCalls: 1 } });
    const { pending } = await handle;
    const answer = { pauseId: pending[0]?.pauseId ?? "", reply: "run it again" };
    const { status, calls } = await after.app.resume(answer, owner);
    assert.deepEqual([status, calls.map(({ text }) => text)], ["done", ["paid"]]);
  });

  it("is lost to the process that had begun it: its signal fires, its handle rejects", async (t) => {
    const { before, handle, signal, run } = await takenOver(t, { timeout: "none" }, paying);
    const lost = assert.rejects(Promise.resolve(run), { code: "run.lease-lost" });
    await handle;
    await before.clock.advance(seconds(31));
    await lost;
    assert.equal((signal.reason as { code?: string }).code, "run.lease-lost");
  });
});

describe("a run that waits and is taken up by another process", () => {
  const turns: Turns = [{ calls: [{ name: "look" }] }, { calls: [{ name: "look" }, { name: "guarded" }] }, "done"];
  const tools = (tool: MakeTool): AnyTool[] => [
    tool("look", (_input, { idempotencyKey, spend }) => {
      spend({ service: "eyes", cost: usd(0.25) });
      return idempotencyKey;
    }),
    guarded(tool),
  ];

  it("does and tells nothing twice, and keeps keys, usage, spend and thread", async (t) => {
    const open = onFile(t, turns);
    const before = open({ tools });
    const { runId, pauseId } = await waiting(before, { threadId: "t" });
    assert.deepEqual(before.done, ["model 0", "look", "model 1", "look"]);
    await before.app.close();
    const after = open({ tools });
    const result = await after.app.resume({ pauseId, decision: "approve" }, owner);
    assert.deepEqual(after.done, ["guarded", "model 2"]);
    assert.deepEqual(
      result.calls.map(({ tool, status }) => [tool, status]),
      [
        ["look", "ok"],
        ["look", "ok"],
        ["guarded", "ok"],
      ],
    );
    const [first, second] = result.calls;
    assert.ok(first?.text.startsWith(`${runId}:desk:0:`) && second?.text.startsWith(`${runId}:desk:1:`));
    assert.deepEqual(first?.spend, [{ service: "eyes", cost: usd(0.25) }]);
    assert.deepEqual([result.runId, result.threadId, result.steps, result.text], [runId, "t", 3, "done"]);
    // What the next process tells is what comes next.
    const told = after.events.map((event) => ("tool" in event ? `${event.type} ${event.tool}` : event.type));
    assert.deepEqual(told, [
      "approval-decide guarded",
      "tool-call-end guarded",
      "step-start",
      "text-delta",
      "step-end",
      "run-end",
    ]);
  });

  it("counts what was spent before in its budget of money", async (t) => {
    const open = onFile(t, [...turns.slice(0, 2), { calls: [{ name: "look" }] }]);
    const agent = { budget: { money: usd(0.5) } };
    const before = open({ tools, agent: { budget: { money: usd(0.6) } } });
    const { pauseId } = await waiting(before);
    await before.app.close();
    const after = open({ tools, agent });
    await assert.rejects(Promise.resolve(after.app.resume({ pauseId, decision: "approve" }, owner)), {
      code: "budget.exceeded",
      data: { kind: "money", limit: 0.5, used: 0.5 },
    });
    assert.deepEqual(after.done, []);
  });

  it("is closed there with an error that says where it goes on, and can be found by its id", async (t) => {
    const open = onFile(t, turns);
    const before = open({ tools });
    const { runId, pauseId } = await waiting(before);
    const waitingHere = before.app.resume({ pauseId: "other", decision: "approve" }, owner);
    await assert.rejects(Promise.resolve(waitingHere), { code: "approval.unknown-pause" });
    await before.app.close();
    await assert.rejects(Promise.resolve(before.app.run("desk", "go")), {
      code: "app.closed",
      message: "the application is closed; no run can start",
    });
    const after = open({ tools });
    const found = after.app.attach(runId);
    const looked = found.then(({ status }) => status);
    await after.clock.advance(seconds(1));
    assert.equal(await looked, "waiting");
    assert.equal((await found).pending[0]?.pauseId, pauseId);
    await assert.rejects(Promise.resolve(after.app.attach("run_none")), {
      code: "run.unknown",
      message: "there is no run `run_none`",
    });
    assert.deepEqual(after.done, []);
  });
});

describe("a turn in which a hook throws while a sibling waits for a person", () => {
  for (const [where, engine] of [
    ["in memory", () => ({})],
    ["on an engine", () => ({ engine: memoryEngine() })],
  ] as const)
    it(`ends the run, ${where}`, async () => {
      const tool = (name: string, more: object = {}): AnyTool =>
        defineTool({ name, description: "Does", input: z.object({}), execute: () => name, ...more }) as AnyTool;
      const model = scriptedModel([{ calls: [{ name: "guarded" }, { name: "look" }] }]);
      const tools = [tool("guarded", { policy: "needs-approval" }), tool("look", { policy: () => "allow" })];
      const desk = defineAgent({ name: "desk", description: "Answers", model, tools });
      const beforeTool = ({ tool: name }: { tool: string }): void => {
        if (name === "look") throw new Error("not today");
      };
      const app = createApp({ agents: [desk], hooks: [{ beforeTool }], log: () => undefined, ...engine() });
      await assert.rejects(Promise.resolve(app.run("desk", "go")), { message: "not today" });
      await app.close();
    });
});
