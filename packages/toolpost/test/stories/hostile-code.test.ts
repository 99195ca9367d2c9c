// Code around a call that misbehaves: hooks, policies, channels, middleware and tools of authors.

import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { z } from "zod";
import { defineAgent } from "../../src/agent/define-agent.ts";
import { createApp } from "../../src/app/create-app.ts";
import { createToolkit } from "../../src/app/create-toolkit.ts";
import { defineTool } from "../../src/author/define-tool.ts";
import type { Ask } from "../../src/core/approval.ts";
import { awaitReply, decided } from "../../src/core/approval.ts";
import type { AgentEvent } from "../../src/core/event.ts";
import type { Hooks, LogEntry } from "../../src/core/govern.ts";
import { ok, toolOutput } from "../../src/core/result.ts";
import type { Tool } from "../../src/core/tool.ts";
import { scriptedModel } from "../../src/models/scripted-model.ts";
import { milliseconds, minutes, usd } from "../../src/std/units.ts";
import { fakeClock } from "../../src/testing/fake-clock.ts";
import { callOnce, desk } from "./support.ts";

const never = (): Promise<never> => new Promise(() => undefined);

function tool(execute: (input: { cents: number }, ctx: never) => unknown, more: object = {}): Tool {
  return defineTool({
    name: "probe",
    description: "P",
    input: z.looseObject({ cents: z.number().max(1000).optional() }),
    execute: execute as never,
    ...more,
  }) as Tool;
}

describe("arguments", () => {
  const change = ({ input }: { input: unknown }): void => {
    (input as { cents: number }).cents = 9_999_999;
  };

  it("cannot be changed in place by policies, rules, hooks or middleware, also after an edit", async () => {
    const echo = tool(({ cents }) => cents, { policy: "needs-approval" });
    const channel = { name: "c", send: () => decided({ decision: "approve", arguments: { cents: 2 } }) };
    const attempts: Hooks[] = [
      { onToolStart: change },
      {
        around: (call, next) => {
          change(call);
          return next();
        },
      },
      { beforeTool: change },
    ];
    for (const hooks of attempts) {
      const made = createToolkit({ tools: [echo], hooks: [hooks], approvals: { channel }, log: () => undefined });
      const result = await made
        .then((toolkit) => toolkit.call("probe", { cents: 1 }))
        .catch((error: Error) => error.name);
      assert.notEqual((result as { text?: string }).text, "9999999");
    }
    const denied = await callOnce(
      tool(({ cents }) => cents, {
        policy: (question: { input: unknown }) => {
          change(question);
          return "allow";
        },
      }),
      { cents: 1 },
    );
    assert.equal(denied.status, "denied");
  });

  it("to their depths are as they were where hooks see them first", async () => {
    let seen: unknown;
    const deep = defineTool({
      name: "deep",
      description: "D",
      input: z.object({ list: z.array(z.number()) }),
      execute: (input) => void (seen = input.list),
    });
    const hooks: Hooks[] = [{ onToolStart: ({ input }) => void (input as { list: number[] }).list.push(9) }];
    await callOnce(deep, { list: [1] }, { toolkit: { hooks } });
    assert.deepEqual(seen, [1]);
  });

  it("that the history holds too cannot be changed by the tool, what its schema made anew can", async () => {
    const changing = defineTool({
      name: "changing",
      description: "C",
      input: z.object({ list: z.array(z.number()), passed: z.any() }),
      toolErrors: "observe",
      execute: ({ list, passed }) => {
        list.push(2);
        passed.list.push(2);
      },
    });
    const written = { list: [1], passed: { list: [1] } };
    const model = scriptedModel([{ calls: [{ name: "changing", input: written }] }, "done"]);
    const agent = defineAgent({ name: "a", description: "A", model, tools: [changing] });
    const { messages, calls } = await createApp({ agents: [agent], log: () => undefined }).run(agent, "go");
    assert.match(calls[0]?.text ?? "", /not extensible/);
    const said = messages.flatMap(({ role, content }) => (role === "assistant" ? content : []));
    assert.deepEqual(
      said.flatMap((part) => (typeof part === "object" && part.type === "tool-call" ? [part.input] : [])),
      [written],
    );
  });

  it("of a program are copied, without keys that pollute", async () => {
    const mine = JSON.parse('{"cents":1,"deep":{"__proto__":{"admin":true}},"__proto__":{"admin":true}}') as {
      cents: number;
    };
    const seen: { admin?: boolean; deep: { admin?: boolean } }[] = [];
    await callOnce(
      tool((input) => void seen.push(Object.assign({}, input) as never)),
      mine,
    );
    assert.equal(seen[0]?.admin ?? Object.assign({}, seen[0]?.deep).admin, undefined);
    mine.cents = 2;
    assert.equal(Object.isFrozen(mine), false);
  });

  it("hold no lone surrogate, however it was written", async () => {
    for (const text of ['{"a":"x\\ud800y"}', '{"a":"x\ud800y"}']) {
      const { value } = await callOnce(
        tool((input) => input),
        text,
      );
      assert.equal((value as { a: string }).a, "x\ufffdy");
    }
  });

  it("are shown masked with their escapes resolved", async () => {
    const shown: unknown[] = [];
    const onEvent = (event: { type: string; input?: unknown }): void => {
      if (event.type === "tool-call-start") shown.push(event.input);
    };
    await callOnce(
      tool(() => 1),
      '{"pass\\u0077ord":"hunter22hunter"}',
      { call: { onEvent: onEvent as never } },
    );
    assert.doesNotMatch(JSON.stringify(shown), /hunter22/);
  });
});

describe("an approval", () => {
  it("fails closed when its channel changes the question into another kind", async () => {
    let runs = 0;
    const channel = {
      name: "c",
      send: (ask: Ask) => {
        Object.assign(ask.value, { kind: "question" });
        return decided({ reply: "no, never" });
      },
    };
    const result = await callOnce(
      tool(() => runs++, { policy: "needs-approval" }),
      {},
      { toolkit: { approvals: { channel } } },
    );
    assert.deepEqual([result.status, runs], ["failed", 0]);
  });

  it("expires while its channel still asks, and an answer after that counts for nothing", async () => {
    const clock = fakeClock();
    let runs = 0;
    const late = Promise.withResolvers<void>();
    const channel = { name: "c", send: () => late.promise.then(() => decided({ decision: "approve" })) };
    const call = callOnce(
      tool(() => runs++, { policy: "needs-approval" }),
      {},
      { toolkit: { clock, approvals: { channel, expireAfter: minutes(1) } } },
    );
    await clock.advance(minutes(1));
    const result = await call;
    late.resolve();
    assert.deepEqual([result.errorCode, runs], ["approval.expired", 0]);
  });

  it("that a channel still carries is declined when another call ends the run", async () => {
    const { app, agent } = desk(
      [{ calls: [{ name: "probe" }, { name: "bye" }] }, "over"],
      [tool(() => 1, { policy: "needs-approval" }), { ...tool(() => 1, { endsRun: true }), name: "bye" }],
      { app: { approvals: { channel: { name: "c", send: never } } } },
    );
    const result = await app.run(agent, "x");
    assert.deepEqual([result.status, result.calls.map((call) => call.status)], ["done", ["declined", "ok"]]);
  });

  it("does not keep a run waiting that must reject", async () => {
    const { app, agent } = desk(
      [{ calls: [{ name: "probe" }, { name: "x" }, { name: "x" }] }],
      [tool(() => 1, { policy: "needs-approval" }), { ...tool(() => 1), name: "x" }],
      { agent: { maxToolCalls: 1 }, app: { approvals: { channel: { name: "c", send: () => awaitReply() } } } },
    );
    await assert.rejects(Promise.resolve(app.run(agent, "x")), { code: "limit.tool-calls" });
  });
});

describe("code that hangs", () => {
  const hooks: [string, { tool?: object; app?: object }][] = [
    ["a policy", { tool: { policy: never } }],
    ["beforeTool", { app: { hooks: [{ beforeTool: never }] } }],
    ["afterTool", { app: { hooks: [{ afterTool: never }] } }],
    ["endsRun", { tool: { endsRun: never } }],
  ];
  for (const [name, { tool: more, app: options }] of hooks) {
    it(`does not hold a cancelled run: ${name}`, async () => {
      const { app, agent } = desk([{ calls: [{ name: "probe" }] }], [tool(() => 1, more)], { app: options ?? {} });
      const run = app.run(agent, "x");
      for await (const event of run.events) if (event.type === "step-end") setImmediate(() => run.abort("enough"));
      await assert.rejects(Promise.resolve(run), { code: "run.cancelled" });
    });
  }

  it("does not hold a call where it only looks on", async () => {
    const result = await callOnce(
      tool(() => Promise.reject(new Error("x"))),
      {},
      { toolkit: { hooks: [{ onToolError: never }] } },
    );
    assert.equal(result.status, "failed");
  });
});

describe("what a policy knows and may do", () => {
  it("is the turn's earlier calls too, as a copy nobody can write to", async () => {
    const seen: unknown[] = [];
    const policy = ({ run }: { run: { executed: string[] } }): "allow" => {
      seen.push([...run.executed]);
      assert.throws(() => run.executed.push("lookup"), TypeError);
      return "allow";
    };
    const { app, agent } = desk(
      [{ calls: [{ name: "first" }, { name: "probe" }] }, "done"],
      [{ ...tool(() => 1), name: "first" }, tool(() => 1, { policy })],
    );
    await app.run(agent, "x");
    assert.deepEqual(seen, [["first"]]);
  });
});

describe("middleware", () => {
  it("runs a tool once, and not after its call settled", async () => {
    const clock = fakeClock();
    let runs = 0;
    const twice = await callOnce(
      tool(() => ++runs),
      {},
      { toolkit: { hooks: [{ around: (_, next) => next().then(next) }] } },
    );
    assert.deepEqual([twice.status, runs], ["failed", 1]);
    const gate = Promise.withResolvers<void>();
    const late = callOnce(
      tool(() => ++runs, { timeout: milliseconds(30) }),
      {},
      { toolkit: { clock, hooks: [{ around: (_, next) => gate.promise.then(next) }] } },
    );
    await clock.advance(milliseconds(30));
    assert.equal((await late).status, "timed-out");
    gate.resolve();
    await new Promise(setImmediate);
    assert.equal(runs, 1);
  });
});

describe("results", () => {
  it("keep a good status for content that is no content, and show it", async () => {
    for (const [output, text] of [
      [ok({ a: 1 } as never), '{"a":1}'],
      [toolOutput({ content: undefined as never }), "null"],
      [toolOutput({ content: [{ type: "image", x: 1 }] as never }), '{"type":"image","x":1}'],
      [toolOutput({ content: [] }), ""],
    ] as const) {
      const result = await callOnce(
        tool(() => output),
        {},
      );
      assert.deepEqual([result.status, result.text], ["ok", text]);
    }
  });

  it("never put a file into the history that no provider can be sent", async () => {
    const bad = [
      new Uint8Array([1]),
      {},
      { type: "url" },
      { type: "url", url: "x.png" },
      { type: "url", url: new URL("http://a/") },
    ];
    const parts = bad.map((data) => ({ type: "file", mediaType: "image/png", data }));
    const { app, agent, model } = desk(
      [{ calls: [{ name: "probe" }] }, "one", "two"],
      [tool(() => toolOutput({ content: parts as never }))],
    );
    await app.run(agent, "x", { threadId: "t" });
    assert.equal((await app.run(agent, "y", { threadId: "t" })).text, "two");
    const prompt = JSON.parse(JSON.stringify(model.requests[2]?.prompt)) as unknown;
    assert.deepEqual(prompt, model.requests[2]?.prompt);
  });

  it("say so whenever a text of several was cut, and only then", async () => {
    const texts = (...all: string[]): unknown => toolOutput({ content: all.map((text) => ({ type: "text", text })) });
    const cut = await callOnce(
      tool(() => texts("x".repeat(10), "y".repeat(10)), { maxResultSize: { kind: "size", bytes: 12 } }),
      {},
    );
    assert.deepEqual(
      [cut.size.isTruncated, cut.text.includes("[result truncated: 20 bytes, the first 12 kept]")],
      [true, true],
    );
    const whole = await callOnce(
      tool(() => texts("x".repeat(10), "y".repeat(10))),
      {},
    );
    assert.equal(whole.size.isTruncated, false);
  });

  it("cannot be rewritten by those who look on", async () => {
    const hooks: Hooks[] = [{ afterTool: ({ result }) => void Object.assign(result, { text: "FAKE" }) }];
    assert.equal(
      (
        await callOnce(
          tool(() => "true"),
          {},
          { toolkit: { hooks } },
        )
      ).text,
      "true",
    );
  });

  it("cannot be rewritten by a listener of a run, for the model or for who started it", async () => {
    const rewrite = (event: AgentEvent): void => {
      if (event.type === "tool-call-end") Object.assign(event.result, { text: "FAKE" });
    };
    const { app, agent, model } = desk([{ calls: [{ name: "probe" }] }, "so"], [tool(() => "true")], {
      app: { listeners: [rewrite] },
    });
    const { calls } = await app.run(agent, "x");
    assert.deepEqual(
      calls.map(({ text }) => text),
      ["true"],
    );
    assert.doesNotMatch(JSON.stringify(model.requests), /FAKE/);
  });

  it("mask what a line ends before the lines are joined", async () => {
    const error = new Error("password: correct horse battery\nat the vault");
    const { text } = await callOnce(
      tool(() => Promise.reject(error), { toolErrors: "observe" }),
      {},
    );
    assert.doesNotMatch(text, /horse|battery/);
  });
});

describe("a process", () => {
  it("lives through rejections nobody awaits", async () => {
    const rejects = (): Promise<never> => Promise.reject(new Error("nobody awaits"));
    const lost: unknown[] = [];
    const note = (error: unknown): void => void lost.push(error);
    process.on("unhandledRejection", note);
    await callOnce(
      tool(() => 1),
      {},
      { toolkit: { rules: [rejects as never], log: rejects as never } },
    );
    await callOnce(
      tool(() => 1, { visibleWhen: () => rejects() }),
      {},
    );
    await callOnce(tool(rejects), {}, { toolkit: { hooks: [{ around: (_, next) => void next() }] } });
    await new Promise(setImmediate);
    process.off("unhandledRejection", note);
    assert.deepEqual(lost, []);
  });
});

describe("keys and money", () => {
  it("give the same idempotency key for the same call id of a program", async () => {
    const key = tool((_, ctx) => (ctx as { idempotencyKey: string }).idempotencyKey);
    const first = await callOnce(key, {}, { call: { callId: "refund-7" } });
    assert.equal((await callOnce(key, {}, { call: { callId: "refund-7" } })).text, first.text);
    assert.notEqual((await callOnce(key, {})).text, (await callOnce(key, {})).text);
  });

  it("refuse a spend that cannot be counted", async () => {
    for (const cost of [usd(Number.NaN), usd(-1000), 5]) {
      const log: LogEntry[] = [];
      const spends = tool((_, ctx) => (ctx as { spend(spend: unknown): void }).spend({ service: "x", cost }));
      const result = await callOnce(spends, {}, { toolkit: { log: (entry) => void log.push(entry) } });
      assert.deepEqual(
        [result.status, (log[0]?.error as { code?: string } | undefined)?.code],
        ["failed", "tool.invalid-setting"],
      );
    }
  });
});
