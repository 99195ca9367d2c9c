// The current call, read by code that nobody passes the context to.

import assert from "node:assert/strict";
import { test } from "node:test";
import { createToolContext } from "./context.ts";
import { currentContext, runInContext } from "./current-context.ts";
import { ExecutionContext, SpendRecorder } from "./execution-context.ts";

test("outside of a run it says what to do", () => {
  assert.throws(() => currentContext(), {
    code: "context.none",
    message: "there is no call here: `currentContext()` was read outside of a run",
    hint: "Read it in a tool, its policy or what they call; in tests call the tool through testTool.",
  });
});

test("is there below the work, over awaits, and gone after it", async () => {
  const context = createToolContext({ callId: "c-1" });
  const seen = await runInContext(
    context,
    async () => {
      await new Promise(setImmediate);
      return currentContext();
    },
    undefined,
  );
  assert.equal(seen, context);
  assert.throws(() => currentContext(), { code: "context.none" });
});

test("an inner context stands before an outer one, which is back afterwards", () => {
  const outer = createToolContext({ callId: "outer" });
  const inner = createToolContext({ callId: "inner" });
  const seen = runInContext(
    outer,
    () => [
      currentContext().callId,
      runInContext(inner, () => currentContext().callId, undefined),
      currentContext().callId,
    ],
    undefined,
  );
  assert.deepEqual(seen, ["outer", "inner", "outer"]);
});

test("an injected context reads every field of the current call, and does for it what is asked", () => {
  const done: unknown[] = [];
  const note = (what: string) => (value?: unknown) => void done.push([what, value]);
  const context = createToolContext({
    runId: "r-1",
    threadId: "t-1",
    ownerId: "o-1",
    tenant: "acme",
    user: { id: "u-1" },
    workflow: "triage",
    data: 1,
    state: 2,
    callId: "c-1",
    idempotencyKey: "k-1",
    answer: "yes",
    askState: "asked",
    abort: note("abort"),
    stop: note("stop"),
    onDispose: note("onDispose"),
    meta: note("meta"),
    progress: note("progress"),
    spend: note("spend"),
  });
  const injected = new ExecutionContext();
  const dispose = () => {};
  const spend = { service: "maps", cost: { kind: "money", usd: 1 } as never };
  runInContext(
    context,
    () => {
      const { usage: _, ...fields } = context;
      for (const key of Object.keys(fields) as (keyof typeof fields)[]) {
        if (typeof context[key] !== "function") assert.equal(injected[key], context[key], key);
      }
      assert.deepEqual(injected.usage(), context.usage());
      assert.equal(injected.signal, context.signal);
      injected.abort("why");
      injected.stop();
      injected.onDispose(dispose);
      injected.meta({ a: 1 });
      injected.progress(2);
      injected.spend(spend);
      new SpendRecorder().record(spend);
    },
    undefined,
  );
  assert.deepEqual(done, [
    ["abort", "why"],
    ["stop", undefined],
    ["onDispose", dispose],
    ["meta", { a: 1 }],
    ["progress", 2],
    ["spend", spend],
    ["spend", spend],
  ]);
  assert.throws(() => injected.callId, { code: "context.none" });
});
