// Calls of one turn beside each other: order, bound, exclusivity, and who waits for whom.

import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { z } from "zod";
import { defineTool } from "../../src/author/define-tool.ts";
import { decided } from "../../src/core/approval.ts";
import type { Tool } from "../../src/core/tool.ts";
import { desk } from "./support.ts";

const numbered = z.object({ n: z.number() });

function turn(...calls: { name: string; input?: object; id?: string }[]): { calls: typeof calls } {
  return { calls };
}

function later<T>(value: T, turns = 3): Promise<T> {
  return new Promise((resolve) => {
    const wait = (left: number): void => void (left === 0 ? resolve(value) : setImmediate(() => wait(left - 1)));
    wait(turns);
  });
}

describe("calls of one turn", () => {
  it("answers 500 of them, in order, eight at a time", async () => {
    let running = 0;
    let most = 0;
    const probe = defineTool({
      name: "probe",
      description: "Probes",
      input: numbered,
      async execute({ n }) {
        most = Math.max(most, ++running);
        await later(undefined, n % 3);
        running--;
        return n;
      },
    });
    const calls = Array.from({ length: 500 }, (_, n) => ({ name: "probe", input: { n } }));
    const { app, agent } = desk([{ calls }, "done"], [probe as Tool], { agent: { maxToolCalls: 500 } });
    const result = await app.run(agent, "x");
    assert.deepEqual(
      result.calls.map((call) => call.value),
      calls.map((call) => call.input.n),
    );
    assert.equal(most, 8);
  });

  it("runs an exclusive one alone, so that two edits of one file are both there", async () => {
    let file = "";
    const edit = defineTool({
      name: "edit",
      description: "Edits",
      input: z.object({ add: z.string() }),
      exclusive: true,
      async execute({ add }) {
        const before = file;
        await later(undefined);
        file = before + add;
      },
    });
    const { app, agent } = desk(
      [turn({ name: "edit", input: { add: "a" } }, { name: "edit", input: { add: "b" } }), "done"],
      [edit as Tool],
    );
    await app.run(agent, "x");
    assert.equal(file, "ab");
  });

  it("pairs two calls with one id by position, under distinct ids on the wire", async () => {
    const echo = defineTool({
      name: "echo",
      description: "Echoes",
      input: z.object({ x: z.number() }),
      execute: ({ x }, ctx) => `${x} ${ctx.callId}`,
    });
    const { app, agent, model } = desk(
      [turn({ name: "echo", id: "1", input: { x: 1 } }, { name: "echo", id: "1", input: { x: 2 } }), "done"],
      [echo as Tool],
    );
    const result = await app.run(agent, "x");
    assert.deepEqual(
      result.calls.map((call) => call.text),
      ["1 1:0", "2 1:1"],
    );
    const [, assistant, results] = model.requests[1]?.prompt ?? [];
    assert.ok(assistant?.role === "assistant" && results?.role === "tool");
    assert.deepEqual(
      assistant.content.map((part) => part.type === "tool-call" && part.toolCallId),
      ["1:0", "1:1"],
    );
    assert.deepEqual(
      results.content.map((part) => part.toolCallId),
      ["1:0", "1:1"],
    );
  });

  it("gives every call an idempotency key of its own, also when a provider repeats ids every turn", async () => {
    const keys: string[] = [];
    const note = defineTool({
      name: "note",
      description: "Notes",
      input: z.object({}),
      execute: (_, ctx) => void keys.push(ctx.idempotencyKey),
    });
    const call = (id: string): { name: string; id: string } => ({ name: "note", id });
    const { app, agent } = desk(
      [turn(call("call_0"), call("")), turn(call("call_0"), call("")), turn(call("call_0"), call("call_0")), "done"],
      [note as Tool],
    );
    const { runId, calls } = await app.run(agent, "x");
    assert.equal(new Set(keys).size, 6);
    assert.equal(new Set(calls.map((result) => result.callId)).size, 6);
    assert.equal(keys[0], `${runId}:desk:0:call_0`);
  });

  it("decides a predicate after the earlier calls ran, and lets calls without one not wait", async () => {
    const order: string[] = [];
    const slow = defineTool({
      name: "slow",
      description: "Slow",
      input: z.object({}),
      execute: () => later(undefined, 5).then(() => void order.push("slow ran")),
    });
    const judged = defineTool({
      name: "judged",
      description: "Judged",
      input: z.object({}),
      policy: () => {
        order.push("judged decided");
        return "allow";
      },
      execute: () => void order.push("judged ran"),
    });
    const quick = defineTool({
      name: "quick",
      description: "Quick",
      input: z.object({}),
      execute: () => void order.push("quick ran"),
    });
    const { app, agent } = desk([turn({ name: "slow" }, { name: "judged" }, { name: "quick" }), "done"], [
      slow,
      judged,
      quick,
    ] as never);
    const result = await app.run(agent, "x");
    assert.deepEqual(order, ["quick ran", "slow ran", "judged decided", "judged ran"]);
    assert.deepEqual(
      result.calls.map((call) => call.tool),
      ["slow", "judged", "quick"],
    );
  });

  it("decides a predicate when the earlier call waits for a person, and shows finished siblings", async () => {
    const answer = Promise.withResolvers<void>();
    const channel = { name: "slow", send: () => answer.promise.then(() => decided({ decision: "approve" })) };
    const guarded = defineTool({
      name: "guarded",
      description: "Guarded",
      input: z.object({}),
      policy: "needs-approval",
      execute: () => 1,
    });
    const judged = defineTool({
      name: "judged",
      description: "Judged",
      input: z.object({}),
      policy: () => "allow",
      execute: () => 2,
    });
    const { app, agent } = desk([turn({ name: "guarded" }, { name: "judged" }), "done"], [guarded, judged] as never, {
      app: { approvals: { channel } },
    });
    const run = app.run(agent, "x");
    const seen: string[] = [];
    for await (const event of run.events) {
      if (event.type === "approval-request" || event.type === "tool-call-end") seen.push(`${event.type} ${event.tool}`);
      if (event.type === "tool-call-end") answer.resolve();
    }
    assert.deepEqual(seen, ["approval-request guarded", "tool-call-end judged", "tool-call-end guarded"]);
    assert.equal((await run).status, "done");
  });

  it("holds no slot while a call waits for a person", async () => {
    const answer = Promise.withResolvers<void>();
    const channel = { name: "slow", send: () => answer.promise.then(() => decided({ decision: "approve" })) };
    const guarded = defineTool({
      name: "guarded",
      description: "Guarded",
      input: z.object({}),
      policy: "needs-approval",
      execute: () => 1,
    });
    const frees = defineTool({
      name: "frees",
      description: "Frees",
      input: z.object({}),
      execute: () => answer.resolve(),
    });
    const { app, agent } = desk([turn({ name: "guarded" }, { name: "frees" }), "done"], [guarded, frees] as never, {
      app: { approvals: { channel } },
      agent: { maxConcurrency: 1 },
    });
    assert.deepEqual(
      (await app.run(agent, "x")).calls.map((call) => call.status),
      ["ok", "ok"],
    );
  });

  it("offers and accepts a tool only once those it requires have succeeded", async () => {
    const lookup = defineTool({
      name: "lookup",
      description: "Looks up",
      input: numbered,
      execute: ({ n }) => (n === 1 ? Promise.reject(new Error("down")) : n),
    });
    const refund = defineTool({
      name: "refund",
      description: "Refunds",
      input: z.object({}),
      execute: () => "refunded",
    });
    const { app, agent, model } = desk(
      [
        turn({ name: "refund" }),
        turn({ name: "lookup", input: { n: 1 } }),
        turn({ name: "lookup", input: { n: 2 } }, { name: "refund" }),
        turn({ name: "refund" }),
        "done",
      ],
      [lookup, refund] as never,
      { agent: { requires: { refund: ["lookup"] } } },
    );
    const result = await app.run(agent, "x");
    assert.deepEqual(
      result.calls.map((call) => call.text.slice(0, 32)),
      [
        "Tool error: unknown tool: refund",
        "Tool error: code: tool.failed, s",
        "2",
        "Tool error: unknown tool: refund",
        "refunded",
      ],
    );
    assert.deepEqual(
      model.requests.map((request) => request.tools.length),
      [1, 1, 1, 2, 2],
    );
  });

  it("counts steps from 0 for visibility", async () => {
    const once = defineTool({
      name: "once",
      description: "Once",
      input: z.object({}),
      visibleWhen: ({ step }) => step === 0,
      execute: () => 1,
    });
    const { app, agent } = desk([turn({ name: "once" }), turn({ name: "once" }), "done"], [once as Tool]);
    assert.deepEqual(
      (await app.run(agent, "x")).calls.map((call) => call.status),
      ["ok", "failed"],
    );
  });
});
