import assert from "node:assert/strict";
import { test } from "node:test";
import { z } from "zod";
import { defineTool } from "../author/define-tool.ts";
import type { ToolContext } from "../core/context.ts";
import { ToolError } from "../core/errors.ts";
import { ask, error, isToolAsk, isToolOutput } from "../core/result.ts";
import type { Tool } from "../core/tool.ts";
import { milliseconds, minutes, seconds, usd } from "../std/units.ts";
import { fakeClock } from "./fake-clock.ts";
import { testTool } from "./test-tool.ts";

const order = {
  name: "ship",
  description: "Ships",
  input: z.object({ jobs: z.array(z.object({ url: z.url() })), times: z.string().default("2").transform(Number) }),
} as const;

test("input and output are validated and parsed; the call and its run are the same", async () => {
  const seen: unknown[] = [];
  const ship = testTool(
    defineTool({
      ...order,
      output: z.object({ sent: z.number().transform((n) => `${n} sent`) }),
      execute({ jobs, times }) {
        seen.push({ jobs, times });
        return { sent: jobs.length * times };
      },
    }),
  );
  const { output, spend } = await ship({ jobs: [{ url: "https://a.test" }] });
  assert.equal(output.sent, "2 sent");
  assert.deepEqual(spend, []);
  assert.deepEqual(seen, [{ jobs: [{ url: "https://a.test" }], times: 2 }]);
  assert.equal((await ship.run({ jobs: [], times: "3" })).output.sent, "0 sent");
});

test("invalid input is refused with its path, and the tool is not called", async () => {
  const ship = testTool(defineTool({ ...order, execute: () => assert.fail("called") }));
  await assert.rejects(ship({ jobs: [{ url: "https://a.test" }, { url: "no" }] }), {
    code: "tool.invalid-input",
    message: /^invalid input: jobs\[1\]\.url: /,
  });
  await assert.rejects(ship("text" as never), { code: "tool.invalid-input", message: /expected object, got string/ });
});

test("output that does not fit its schema is refused with its path", async () => {
  const ship = testTool(
    defineTool({
      ...order,
      output: z.object({ sent: z.array(z.number()) }),
      execute: () => ({ sent: ["x" as never] }),
    }),
  );
  await assert.rejects(ship({ jobs: [] }), { code: "tool.invalid-output", message: /^invalid output: sent\[0\]: / });
});

test("what the tool throws comes out as it was thrown, sync or not", async () => {
  const thrown = new ToolError({ code: "NO_ORDER", userMessage: "There is no such order." });
  const tools = [
    () => {
      throw thrown;
    },
    async () => {
      throw thrown;
    },
  ];
  for (const execute of tools) {
    await assert.rejects(testTool(defineTool({ ...order, execute }))({ jobs: [] }), (reason) => reason === thrown);
  }
});

test("what it returns is whole and unmasked; a ToolOutput and a question come as they were returned", async () => {
  const secret = `sk-${"x".repeat(400_000)}`;
  const long = testTool(defineTool({ ...order, execute: () => secret }));
  assert.equal((await long({ jobs: [] })).output, secret);

  const output = z.object({ n: z.number() });
  const failing = testTool(defineTool({ ...order, output, execute: () => error("no such order", { tried: 2 }) }));
  const failed = (await failing({ jobs: [] })).output;
  assert.ok(isToolOutput(failed));
  assert.deepEqual({ ...failed }, { content: "no such order", isError: true, data: { tried: 2 } });

  const asking = testTool(
    defineTool({
      ...order,
      output,
      execute: (_, ctx) => (ctx.answer === undefined ? ask({ question: "How many?" }) : { n: Number(ctx.answer) }),
    }),
  );
  assert.ok(isToolAsk((await asking({ jobs: [] })).output));
});

test("the context holds what the test gives it; each call is a run of its own", async () => {
  const seen: ToolContext[] = [];
  const tool = defineTool({
    ...order,
    execute(_, ctx) {
      seen.push(ctx);
      ctx.spend({ service: "maps", cost: usd(0.01) });
    },
  });
  const run = testTool(tool, {
    user: { id: "u-1" },
    data: { plan: "pro" },
    state: { step: 1 },
    context: { threadId: "t-1", answer: "yes" },
  });
  assert.deepEqual((await run({ jobs: [] })).spend, [{ service: "maps", cost: usd(0.01) }]);
  await run({ jobs: [] });
  const [first, second] = seen as [ToolContext, ToolContext];
  assert.equal(first.callId, "tool-slice");
  assert.deepEqual(first.user, { id: "u-1" });
  assert.deepEqual(first.data, { plan: "pro" });
  assert.deepEqual(first.state, { step: 1 });
  assert.equal(first.threadId, "t-1");
  assert.equal(first.answer, "yes");
  assert.notEqual(first.runId, second.runId);
  assert.notEqual(first.idempotencyKey, second.idempotencyKey);
});

test("the deadline is kept on the given clock, and the signal fires", async () => {
  const clock = fakeClock();
  let signal: AbortSignal | undefined;
  const tool = defineTool({
    ...order,
    timeout: minutes(2),
    execute(_, ctx) {
      signal = ctx.signal;
      return new Promise<string>(() => undefined);
    },
  });
  const own = testTool(tool, { clock })({ jobs: [] });
  const shorter = testTool(tool, { clock, timeout: milliseconds(1_500) })({ jobs: [] });
  const refusal = assert.rejects(shorter, { code: "tool.timed-out", message: "timed out after 1.5 s" });
  await clock.advance(milliseconds(1_500));
  await refusal;
  assert.equal(signal?.reason.name, "TimeoutError");
  assert.equal(clock.pending, 1);
  const last = assert.rejects(own, { code: "tool.timed-out", message: "timed out after 2 min" });
  await clock.advance(minutes(2));
  await last;
});

test("a tool that is done in time leaves no timer, and its signal alone", async () => {
  const clock = fakeClock();
  let signal: AbortSignal | undefined;
  const tool = defineTool({
    ...order,
    async execute(_, ctx) {
      signal = ctx.signal;
      return "done";
    },
  });
  const { output } = await testTool(tool, { clock })({ jobs: [] });
  assert.equal(output, "done");
  assert.equal(clock.pending, 0);
  await clock.advance(minutes(10));
  assert.equal(signal?.aborted, false);
  await assert.doesNotReject(testTool(tool, { clock, timeout: "none" })({ jobs: [] }));
});

test("what the tool wants disposed is disposed of, last first, whatever the end", async () => {
  const order: number[] = [];
  const tool: Tool = {
    name: "raw",
    description: "Fails",
    inputSchema: { type: "object" },
    source: "custom",
    execute(_, ctx) {
      for (const n of [1, 2]) ctx!.onDispose(async () => void order.push(n));
      throw new Error("of the tool");
    },
  };
  await assert.rejects(testTool(tool, { timeout: seconds(1) })({}), { message: "of the tool" });
  assert.deepEqual(order, [2, 1]);
});
