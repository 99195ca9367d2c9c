// How a run ends: what awaiting it gives or throws, and that its history is whole whatever the end.

import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { z } from "zod";
import { defineAgent } from "../../src/agent/define-agent.ts";
import { createApp } from "../../src/app/create-app.ts";
import { defineTool } from "../../src/author/define-tool.ts";
import { awaitReply } from "../../src/core/approval.ts";
import { FatalToolError, isToolpostError } from "../../src/core/errors.ts";
import type { Message } from "../../src/core/message.ts";
import type { RunError } from "../../src/core/run-errors.ts";
import { BudgetExceededError, LimitExceededError, ModelError, RunCancelledError } from "../../src/core/run-errors.ts";
import type { RunHandle } from "../../src/core/run-handle.ts";
import type { ToolSource } from "../../src/core/source.ts";
import type { Tool } from "../../src/core/tool.ts";
import { minutes, seconds, usd } from "../../src/std/units.ts";
import { fakeClock } from "../../src/testing/fake-clock.ts";
import { memoryThreads } from "../../src/threads/memory-threads.ts";
import { desk } from "./support.ts";

const ping = defineTool({ name: "ping", description: "Pings", input: z.object({}), execute: () => "pong" }) as Tool;
const hang = defineTool({
  name: "hang",
  description: "Hangs",
  input: z.object({}),
  execute: () => new Promise(() => undefined),
}) as Tool;
const fail = defineTool({
  name: "fail",
  description: "Fails",
  input: z.object({}),
  execute: () => Promise.reject(new Error("no")),
}) as Tool;

function named(name: string, execute: () => unknown, more: object = {}): Tool {
  return defineTool({ name, description: "Does", input: z.object({}), execute, ...more }) as Tool;
}

async function caught(run: PromiseLike<unknown>): Promise<RunError> {
  try {
    await run;
  } catch (error) {
    return error as RunError;
  }
  throw new Error("the run did not reject");
}

/** Every call has exactly one result, right after it. */
export function assertWhole(messages: readonly Message[]): void {
  const open: string[] = [];
  for (const message of messages) {
    if (message.role === "assistant")
      open.push(...message.content.flatMap((part) => (part.type === "tool-call" ? [part.toolCallId] : [])));
    if (message.role === "tool")
      assert.deepEqual(
        message.content.map((part) => part.toolCallId),
        open.splice(0),
      );
  }
  assert.deepEqual(open, []);
}

describe("a run that resolves", () => {
  it("is done when the model answers", async () => {
    const { app, agent, model } = desk(
      [{ calls: [{ name: "ping" }] }, { text: "It said pong.", usage: { inputTokens: 5, outputTokens: 2 } }],
      [ping],
    );
    const result = await app.run(agent, "ping please");
    assert.deepEqual(
      [result.status, result.text, result.steps, result.calls.map((call) => call.text)],
      ["done", "It said pong.", 2, ["pong"]],
    );
    assert.equal(result.usage.totalTokens, 7);
    assertWhole(result.messages);
    model.assertDone();
  });

  it("goes on with what the provider paused, in a last step too, as far as steps reach", async () => {
    const usage = { inputTokens: 1, outputTokens: 1, totalTokens: 2, reasoningTokens: 0, cachedInputTokens: 0 };
    for (const [maxSteps, end] of [
      [9, ["done", undefined, "bye", "Half of it."]],
      [2, ["stopped", "steps", "bye", "Half"]],
    ] as const) {
      const replies = [
        { content: [{ type: "tool-call", toolCallId: "c", toolName: "bye", input: "{}" }], finish: "tool-calls" },
        { content: [{ type: "text", text: "Half" }], finish: "stop", isPaused: true },
        { content: [{ type: "text", text: " of it." }], finish: "stop" },
      ];
      const model = { id: "own", call: async () => ({ ...replies.shift(), usage }) };
      const tools = [named("bye", () => "ok", { endsRun: true })];
      const agent = defineAgent({ name: "a", description: "A", model: model as never, tools, maxSteps });
      const { status, stoppedBy, endedByTool, text } = await createApp({ agents: [agent] }).run(agent, "x");
      assert.deepEqual([status, stoppedBy, endedByTool, text], end);
    }
  });

  it("finds calls by content, whatever the finish reason says", async () => {
    const { app, agent } = desk(
      [
        { calls: [{ name: "ping" }], finish: "stop" },
        { text: "done", finish: "tool-calls" },
      ],
      [ping],
    );
    const result = await app.run(agent, "x");
    assert.deepEqual([result.status, result.calls.length, result.text], ["done", 1, "done"]);
  });

  it("ends by a tool with one last step without tools, also when steps are used up", async () => {
    const { app, agent, model } = desk(
      [{ calls: [{ name: "hand_over" }, { name: "ping" }] }, "You are in good hands."],
      [named("hand_over", () => "ok", { endsRun: true }), ping],
      { agent: { maxSteps: 1 } },
    );
    const result = await app.run(agent, "x");
    assert.deepEqual([result.status, result.endedByTool, result.text], ["done", "hand_over", "You are in good hands."]);
    assert.deepEqual(
      result.calls.map((call) => call.status),
      ["ok", "ok"],
    );
    assert.deepEqual(
      model.requests.map((request) => request.tools.length),
      [2, 0],
    );
  });

  it("names the first call in the model's order that ended it, and does not end by failed ones", async () => {
    const ends = { endsRun: true };
    const { app, agent } = desk(
      [{ calls: [{ name: "broken" }, { name: "slow" }, { name: "quick" }] }, "bye"],
      [
        named("broken", () => Promise.reject(new Error("x")), ends),
        named("slow", () => new Promise((resolve) => setImmediate(() => setImmediate(resolve))), ends),
        named("quick", () => 1, ends),
      ],
    );
    assert.equal((await app.run(agent, "x")).endedByTool, "slow");
  });

  it("does not end by an endsRun that throws or says no", async () => {
    const cannot = (): never => {
      throw new Error("x");
    };
    const { app, agent } = desk(
      [{ calls: [{ name: "a" }, { name: "b" }] }, "still here"],
      [named("a", () => 1, { endsRun: cannot }), named("b", () => 1, { endsRun: async () => false })],
    );
    const result = await app.run(agent, "x");
    assert.deepEqual([result.status, result.endedByTool, result.text], ["done", undefined, "still here"]);
  });

  for (const [when, end] of [
    ["at once", () => 1],
    ["while they wait", () => new Promise((resolve) => setImmediate(() => resolve(1)))],
  ] as const) {
    it(`declines what waits for people when a call of the turn ends the run ${when}`, async () => {
      const { app, agent } = desk(
        [{ calls: [{ name: "guarded" }, { name: "bye" }] }, "over"],
        [named("guarded", () => 1, { policy: "needs-approval" }), named("bye", end, { endsRun: true })],
      );
      const result = await app.run(agent, "x");
      assert.deepEqual(
        result.calls.map((call) => [call.tool, call.status, call.errorCode]),
        [
          ["guarded", "declined", "approval.declined"],
          ["bye", "ok", undefined],
        ],
      );
    });
  }

  it("waits with what is pending, and goes on when it is answered", async () => {
    let runs = 0;
    const { app, agent } = desk(
      [{ calls: [{ name: "guarded", input: { a: 1 } }, { name: "ping" }] }, "done"],
      [
        defineTool({
          name: "guarded",
          description: "Guarded",
          input: z.object({ a: z.number() }),
          policy: "needs-approval",
          execute: () => ++runs,
        }) as Tool,
        ping,
      ],
    );
    const run = app.run(agent, "x", { user: { id: "u-1" } });
    const waiting = await run;
    assert.deepEqual([waiting.status, waiting.pending.length, runs], ["waiting", 1, 0]);
    assert.deepEqual(
      waiting.calls.map((call) => call.tool),
      ["ping"],
    );
    const [pause] = waiting.pending;
    assert.ok(pause?.pauseId);
    assert.deepEqual(pause.value.kind === "approval" && [pause.value.tool, pause.value.arguments], [
      "guarded",
      { a: 1 },
    ]);
    const code = (handle: RunHandle): PromiseLike<unknown> =>
      handle.then(
        () => "none",
        (error: unknown) => isToolpostError(error) && error.code,
      );
    const { pauseId } = pause;
    assert.equal(
      await code(app.resume({ pauseId: "pause_x", decision: "approve" }, { ownerId: "u-1" })),
      "approval.unknown-pause",
    );
    assert.equal(
      await code(app.resume({ pauseId, decision: "approve" }, { ownerId: "u-2" })),
      "approval.unknown-pause",
    );
    assert.equal(await code(app.resume({ pauseId, reply: "yes" }, { ownerId: "u-1" })), "approval.invalid-answer");
    const result = await app.resume({ pauseId, decision: "approve" }, { ownerId: "u-1" });
    assert.deepEqual([result.status, result.calls.map((call) => call.status), runs], ["done", ["ok", "ok"], 1]);
    assert.equal(
      await code(app.resume({ pauseId, decision: "approve" }, { ownerId: "u-1" })),
      "approval.already-answered",
    );
    assertWhole(result.messages);
  });

  it("declines an approval that nobody answered in time", async () => {
    const clock = fakeClock();
    const { app, agent } = desk(
      [{ calls: [{ name: "guarded" }] }, "a pity"],
      [named("guarded", () => 1, { policy: "needs-approval" })],
      {
        app: { clock, approvals: { channel: { name: "silent", send: () => awaitReply() }, expireAfter: minutes(5) } },
      },
    );
    const run = app.run(agent, "x");
    assert.equal((await run).status, "waiting");
    await clock.advance(minutes(5));
    const result = await run;
    assert.deepEqual(
      result.calls.map((call) => [call.status, call.errorCode, call.text]),
      [["declined", "approval.expired", "Tool error: nobody approved the call in time"]],
    );
  });

  it("is stopped when steps are used up, never done, with the text of this run", async () => {
    const { app, agent } = desk(
      [
        { text: "thinking…", calls: [{ name: "ping" }] },
        { text: "still…", calls: [{ name: "ping" }] },
      ],
      [ping],
      { agent: { maxSteps: 2 } },
    );
    const result = await app.run(agent, "x");
    assert.deepEqual([result.status, result.stoppedBy, result.text], ["stopped", "steps", "still…"]);
    assertWhole(result.messages);
  });

  it("is stopped by failures in a row, which an ok resets", async () => {
    const turn = (...names: string[]): { calls: { name: string }[] } => ({ calls: names.map((name) => ({ name })) });
    const { app, agent } = desk(
      [turn("fail", "fail"), turn("ping"), turn("fail", "nope"), turn("fail")],
      [fail, ping],
      { agent: { maxFailures: 3 } },
    );
    const result = await app.run(agent, "x");
    assert.deepEqual([result.status, result.stoppedBy, result.calls.length], ["stopped", "failures", 6]);
  });

  it("is stopped by ctx.stop() after the turn", async () => {
    const stops = defineTool({
      name: "stops",
      description: "Stops",
      input: z.object({}),
      execute: (_, ctx) => ctx.stop(),
    });
    const { app, agent } = desk([{ calls: [{ name: "stops" }, { name: "ping" }] }], [stops as Tool, ping]);
    const result = await app.run(agent, "x");
    assert.deepEqual([result.status, result.stoppedBy, result.calls.length], ["stopped", "stop", 2]);
  });

  for (const finish of ["length", "content-filter"] as const) {
    it(`is stopped when the model stopped short: ${finish}`, async () => {
      const { app, agent } = desk([{ text: "half an ans", finish }], [ping]);
      const result = await app.run(agent, "x");
      assert.deepEqual([result.status, result.stoppedBy, result.text], ["stopped", finish, "half an ans"]);
    });
  }

  it("reads a parse error for arguments cut off by the token limit, and sends a valid history back", async () => {
    const { app, agent, model, log } = desk(
      [{ calls: [{ name: "ping", input: '{"x": "un' }], finish: "length" }, "sorry"],
      [ping],
    );
    const result = await app.run(agent, "x");
    assert.match(result.calls[0]?.text ?? "", /^Tool error: invalid input: not JSON: /);
    const [, assistant] = model.requests[1]?.prompt ?? [];
    assert.deepEqual(
      assistant?.role === "assistant" && assistant.content[0]?.type === "tool-call" && assistant.content[0].input,
      {},
    );
    assert.equal(
      log.some((entry) => entry.data?.input === '{"x": "un'),
      true,
    );
    assert.doesNotMatch(JSON.stringify(model.requests[1]?.prompt), /"un/);
  });

  it("does not run a call whose arguments the token limit cut before their first character", async () => {
    const { app, agent } = desk([{ calls: [{ name: "ping", input: "" }], finish: "length" }, "sorry"], [ping]);
    const result = await app.run(agent, "x");
    assert.deepEqual(
      result.calls.map((call) => call.errorCode),
      ["tool.invalid-input"],
    );
  });

  it("gives the structured answer of its agent", async () => {
    const answer = z.object({ verdict: z.enum(["yes", "no"]), at: z.date() });
    const { model } = desk([], []);
    void model;
    const scripted = desk(
      [{ calls: [{ name: "answer-judge", input: { verdict: "yes", at: "2026-01-02T03:04:05.000Z" } }] }],
      [],
    ).model;
    const judge = defineAgent({
      name: "judge",
      description: "Judges",
      model: scripted,
      tools: [],
      output: answer,
      maxToolCalls: 1,
    });
    const app = createApp({ agents: [judge] });
    const { output, status } = await app.run(judge, "x");
    assert.deepEqual([status, output], ["done", { verdict: "yes", at: new Date("2026-01-02T03:04:05.000Z") }]);
  });

  it("demands the answer by a message of the user, and without thinking", async () => {
    const talk = desk(["hm", { calls: [{ name: "answer-judge", input: { n: 1 } }] }], []).model;
    const judge = defineAgent({
      name: "judge",
      description: "J",
      model: talk,
      tools: [],
      output: z.object({ n: z.number() }),
      thinking: "high",
    });
    await createApp({ agents: [judge] }).run(judge, "x");
    const asked = talk.requests[1];
    assert.deepEqual(
      [asked?.prompt.at(-1)?.role, (asked?.options as { reasoning?: string } | undefined)?.reasoning],
      ["user", undefined],
    );
    assert.equal((talk.requests[0]?.options as { reasoning?: string } | undefined)?.reasoning, "high");
  });

  it("names the tool that ended it beside the answer, and rejects where the last step gives none", async () => {
    const bye = named("bye", () => 1, { endsRun: true });
    const answer = { name: "answer-judge", input: { n: 1 } };
    const output = z.object({ n: z.number() });
    const both = desk([{ calls: [answer, { name: "bye" }] }], []).model;
    const judge = defineAgent({ name: "judge", description: "J", model: both, tools: [bye], output });
    const app = createApp({ agents: [judge] });
    const ended = await app.run(judge, "x");
    assert.deepEqual([ended.output, ended.endedByTool], [{ n: 1 }, "bye"]);
    const none = desk([{ calls: [{ name: "bye" }] }, "I would rather not"], []).model;
    assert.equal((await caught(app.run(judge, "x", { model: none }))).code, "model.no-answer");
  });

  it("does not count the answer against maxToolCalls or budgets", async () => {
    const answer = { calls: [{ name: "answer-judge", input: { n: "x" } }] };
    const { model } = desk([answer, answer, { calls: [{ name: "answer-judge", input: { n: 1 } }] }], []);
    const judge = defineAgent({
      name: "judge",
      description: "Judges",
      model,
      tools: [],
      output: z.object({ n: z.number() }),
      maxToolCalls: 1,
      budget: { calls: 1 },
    });
    const asked = {
      calls: [
        { name: "answer-judge", input: { n: 1 } },
        { name: "answer-judge", input: { n: 2 } },
      ],
    };
    const twice = desk([asked], []).model;
    const ended = await createApp({ agents: [judge] }).run(judge, "x");
    assert.deepEqual([ended.output, ended.calls.map((call) => call.status)], [{ n: 1 }, ["failed", "failed", "ok"]]);
    const both = await createApp({ agents: [judge] }).run(judge, "x", { model: twice });
    assert.deepEqual([both.output, both.calls.map((call) => call.status)], [{ n: 1 }, ["ok", "ok"]]);
  });

  it("demands the structured answer once when the model only talked, then rejects", async () => {
    const answer = z.object({ n: z.number() });
    const talk = desk(["hm", { calls: [{ name: "answer-judge", input: { n: 1 } }] }, "one", "two"], []).model;
    const judge = defineAgent({ name: "judge", description: "Judges", model: talk, tools: [ping], output: answer });
    const app = createApp({ agents: [judge] });
    assert.deepEqual((await app.run(judge, "x")).output, { n: 1 });
    assert.deepEqual(
      [talk.requests[1]?.toolChoice, talk.requests[1]?.tools.map((tool) => tool.name)],
      [{ type: "tool", toolName: "answer-judge" }, ["answer-judge"]],
    );
    const error = await caught(app.run(judge, "x"));
    assert.deepEqual([error.code, error.partial?.text], ["model.no-answer", "two"]);
  });

  it("shows what a channel asks for without its id, and takes the answer of whoever says who answers", async () => {
    const asked: string[] = [];
    const channel = {
      name: "desk",
      send: ({ pauseId }: { pauseId: string }) => {
        asked.push(pauseId);
        return awaitReply();
      },
    };
    const { app, agent } = desk(
      [{ calls: [{ name: "guarded" }] }, "done"],
      [named("guarded", () => 1, { policy: "needs-approval" })],
      {
        app: { approvals: { channel } },
      },
    );
    const waiting = await app.run(agent, "x");
    assert.deepEqual([waiting.pending.length, waiting.pending[0]?.pauseId, asked.length], [1, undefined, 1]);
    const answer = { pauseId: asked[0] ?? "", decision: "approve" } as const;
    await assert.rejects(Promise.resolve(app.resume(answer, {})), { code: "approval.wrong-answerer" });
    assert.equal((await app.resume(answer, { answeredBy: "clerk 7" })).status, "done");
  });
});

describe("a run that rejects", () => {
  it("does so over maxToolCalls: what fits runs, the rest is not started", async () => {
    const { app, agent } = desk([{ calls: [{ name: "ping" }, { name: "ping" }, { name: "ping" }] }], [ping], {
      agent: { maxToolCalls: 2 },
    });
    const error = await caught(app.run(agent, "x"));
    assert.ok(error instanceof LimitExceededError);
    assert.match(error.message, /: raise `maxToolCalls`$/);
    assert.deepEqual(
      error.partial?.calls.map((call) => [call.status, call.errorCode]),
      [
        ["ok", undefined],
        ["ok", undefined],
        ["not-started", "limit.tool-calls"],
      ],
    );
    assertWhole(error.partial?.messages ?? []);
  });

  it("counts only calls that started", async () => {
    const denied = named("denied", () => 1, { policy: "deny" });
    const { app, agent } = desk(
      [{ calls: [{ name: "denied" }, { name: "nope" }, { name: "ping" }] }, "fine"],
      [denied, ping],
      { agent: { maxToolCalls: 1 } },
    );
    assert.equal((await app.run(agent, "x")).status, "done");
  });

  it("does so over a budget of calls: one of five parallel ones runs", async () => {
    let runs = 0;
    const { app, agent } = desk(
      [{ calls: Array.from({ length: 5 }, () => ({ name: "count" })) }],
      [named("count", () => ++runs)],
      { agent: { budget: { calls: 1 } } },
    );
    const error = await caught(app.run(agent, "x"));
    assert.ok(error instanceof BudgetExceededError);
    assert.deepEqual([error.code, error.data, runs], ["budget.exceeded", { kind: "calls", limit: 1, used: 2 }, 1]);
    assert.deepEqual(
      error.partial?.calls.map((call) => call.errorCode),
      [undefined, ...Array.from({ length: 4 }, () => "budget.exceeded")],
    );
  });

  it("does so before the model call that would pass a budget of tokens", async () => {
    const { app, agent, model } = desk(
      [{ calls: [{ name: "ping" }], usage: { inputTokens: 20, outputTokens: 10 } }],
      [ping],
      { agent: { budget: { tokens: 50 } } },
    );
    const error = await caught(app.run(agent, "x"));
    assert.deepEqual(
      [error.code, (error.data as { kind: string }).kind, model.requests.length],
      ["budget.exceeded", "tokens", 1],
    );
  });

  it("does so over a budget of money, by the model's price", async () => {
    const reply = { calls: [{ name: "ping" }], usage: { inputTokens: 1000, outputTokens: 1000 } };
    const { app, agent } = desk([reply], [ping], {
      agent: { budget: { money: usd(0.01) } },
      app: { prices: { "scripted:script": { input: usd(2), output: usd(8) } } },
    });
    const error = await caught(app.run(agent, "x"));
    assert.deepEqual(error.data, { kind: "money", limit: 0.01, used: 0.01 });
  });

  it("interrupts a call under way when its budget of time is used up", async () => {
    const clock = fakeClock();
    const { app, agent } = desk([{ calls: [{ name: "hang" }] }], [hang], {
      app: { clock },
      agent: { budget: { time: seconds(3) } },
    });
    const run = app.run(agent, "x");
    const started = (async () => {
      for await (const event of run.events) if (event.type === "tool-call-start") return;
    })();
    await started;
    const rejected = caught(run);
    await clock.advance(seconds(3));
    const error = await rejected;
    assert.deepEqual(
      [error.code, (error.data as { kind: string }).kind, error.partial?.calls[0]?.status],
      ["budget.exceeded", "time", "unknown"],
    );
  });

  it("does so for a fatal error: the others are aborted and drained, its text is nowhere", async () => {
    const fatal = new FatalToolError("the vault is open");
    let signalled = false;
    const heeds = defineTool({
      name: "heeds",
      description: "Heeds",
      input: z.object({}),
      execute: (_, { signal }) =>
        new Promise((_resolve, reject) =>
          signal.addEventListener("abort", () => {
            signalled = true;
            reject(signal.reason);
          }),
        ),
    });
    const { app, agent } = desk(
      [{ calls: [{ name: "heeds" }, { name: "vault" }, { name: "hang" }] }],
      [heeds as Tool, named("vault", () => Promise.reject(fatal)), hang],
    );
    const run = app.run(agent, "x");
    const error = await caught(run);
    assert.equal(error, fatal);
    assert.equal(signalled, true);
    assert.deepEqual(
      error.partial?.calls.map((call) => [call.tool, call.status, call.errorCode]),
      [
        ["heeds", "cancelled", "call.cancelled"],
        ["vault", "failed", "tool.fatal"],
        ["hang", "unknown", "tool.outcome-unknown"],
      ],
    );
    const seen = [];
    for await (const event of run.events) seen.push(event);
    assert.doesNotMatch(JSON.stringify([seen, error.partial]), /vault is open/);
    assertWhole(error.partial?.messages ?? []);
  });

  it("does so for a throwing beforeTool, whatever toolErrors says", async () => {
    const own = new Error("not today");
    const { app, agent } = desk([{ calls: [{ name: "ping" }] }], [ping], {
      agent: { toolErrors: "observe" },
      app: {
        hooks: [
          {
            beforeTool: () => {
              throw own;
            },
          },
        ],
      },
    });
    const error = await caught(app.run(agent, "x"));
    assert.equal(error === (own as unknown), true);
    assert.deepEqual(
      error.partial?.calls.map((call) => call.status),
      ["not-started"],
    );
  });

  it("does so with the tool's error under toolErrors throw", async () => {
    const own = new Error("mine");
    const { app, agent } = desk(
      [{ calls: [{ name: "mine" }] }],
      [named("mine", () => Promise.reject(own), { toolErrors: "throw" })],
    );
    assert.equal(await caught(app.run(agent, "x")), own as never);
  });

  it("does so when it is cancelled: at once, with the reason as cause, calls drained", async () => {
    const { app, agent } = desk([{ text: "calling", calls: [{ name: "hang" }] }], [hang]);
    const run = app.run(agent, "x");
    const reason = new Error("enough");
    for await (const event of run.events) if (event.type === "tool-call-start") run.abort(reason);
    const error = await caught(run);
    assert.ok(error instanceof RunCancelledError);
    assert.deepEqual(
      [error.code, error.cause, error.message, error.partial?.text],
      ["run.cancelled", reason, "enough", "calling"],
    );
    assert.deepEqual(
      error.partial?.calls.map((call) => call.status),
      ["unknown"],
    );
    assertWhole(error.partial?.messages ?? []);
  });

  it("does so at once while a channel that ignores its signal asks, and the call is not started", async () => {
    const channel = { name: "deaf", send: () => new Promise<never>(() => undefined) };
    const { app, agent } = desk(
      [{ calls: [{ name: "guarded" }] }],
      [named("guarded", () => 1, { policy: "needs-approval" })],
      {
        app: { approvals: { channel } },
      },
    );
    const run = app.run(agent, "x");
    for await (const event of run.events) if (event.type === "approval-request") run.abort("enough");
    const error = await caught(run);
    assert.deepEqual(
      [error.code, error.partial?.calls.map((call) => [call.status, call.errorCode])],
      ["run.cancelled", [["not-started", "call.cancelled"]]],
    );
  });

  it("does so at once while it is being prepared", async () => {
    const slow: ToolSource = {
      name: "slow",
      kind: "custom",
      list: () => new Promise<never>(() => undefined),
      status: () => ({ name: "slow", kind: "custom", state: "connecting", toolCount: 0, skipped: [] }),
      close: async () => undefined,
    };
    const { app, agent } = desk([], [], { app: { sources: [slow] } });
    const run = app.run(agent, "x");
    setImmediate(() => run.abort("enough"));
    assert.equal((await caught(run)).code, "run.cancelled");
  });

  it("does so when the caller's signal or timeout ends the waiting", async () => {
    const clock = fakeClock();
    const never = { calls: [{ name: "hang" }] };
    const { app, agent } = desk([never, never], [hang], { app: { clock } });
    const controller = new AbortController();
    const first = caught(app.run(agent, "x", { signal: controller.signal }));
    controller.abort("gone");
    assert.deepEqual([(await first).code, (await first).message], ["run.cancelled", "gone"]);
    const second = caught(app.run(agent, "x", { timeout: seconds(2) }));
    await clock.advance(seconds(2));
    assert.deepEqual([(await second).code, (await second).message], ["run.cancelled", "timed out after 2 s"]);
  });

  for (const stream of [true, false]) {
    it(`does so when the provider fails or its reply is cut (stream: ${stream})`, async () => {
      const { app, agent } = desk(
        [
          { text: "I was say", cut: true },
          { text: "oh", error: "overloaded" },
        ],
        [ping],
      );
      const cut = await caught(app.run(agent, "x", { stream }));
      assert.ok(cut instanceof ModelError);
      if (stream) assert.deepEqual([cut.code, cut.partial?.text], ["model.stream-cut", "I was say"]);
      const failed = await caught(app.run(agent, "x", { stream }));
      assert.equal(failed.code, "model.failed");
      assert.equal(failed.partial?.messages.length, 1);
    });
  }

  it("does so for a reply that ended with nothing in it for a reason nobody knows", async () => {
    const { app, agent } = desk([{ finish: "other" }], []);
    assert.equal((await caught(app.run(agent, "x"))).code, "model.stream-cut");
  });

  it("is never an unhandled rejection where nobody awaits it, and its events tell of it", async () => {
    const { app, agent } = desk([{ error: "down" }], []);
    const ends = [];
    for await (const event of app.run(agent, "x").events)
      if (event.type === "run-end") ends.push([event.status, event.errorCode]);
    assert.deepEqual(ends, [["failed", "model.failed"]]);
  });

  it("leaves a thread that can go on", async () => {
    const threads = memoryThreads();
    const { app, agent, model } = desk(
      [{ calls: [{ name: "fatal" }, { name: "ping" }] }, "back again"],
      [named("fatal", () => Promise.reject(new FatalToolError("x"))), ping],
      { app: { threads } },
    );
    await caught(app.run(agent, "first", { threadId: "t" }));
    const result = await app.run(agent, "second", { threadId: "t" });
    assert.equal(result.text, "back again");
    assertWhole(model.requests[1]?.prompt ?? []);
    assert.equal(model.requests[1]?.prompt.filter((message) => message.role === "user").length, 2);
  });
});
