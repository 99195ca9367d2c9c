// Runs that an engine keeps, when something around them is not as it was: a source is away, a version has changed, nobody
// holds a handle any more.

import assert from "node:assert/strict";
import { rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, it, type TestContext } from "node:test";
import { z } from "zod";
import { defineAgent } from "../../src/agent/define-agent.ts";
import type { App } from "../../src/app/create-app.ts";
import { createApp } from "../../src/app/create-app.ts";
import { defineTool } from "../../src/author/define-tool.ts";
import type { LogEntry } from "../../src/core/govern.ts";
import type { ToolSource } from "../../src/core/source.ts";
import type { AnyTool, Tool } from "../../src/core/tool.ts";
import { sqlite } from "../../src/durable/sqlite/sqlite-engine.ts";
import { scriptedModel } from "../../src/models/scripted-model.ts";
import type { Duration } from "../../src/std/units.ts";
import { seconds } from "../../src/std/units.ts";
import type { Replies } from "./support.ts";

const guarded = defineTool({
  name: "guarded",
  description: "Guarded",
  input: z.object({}),
  policy: "needs-approval",
  execute: () => "done it",
}) as Tool;

function fileOf(t: TestContext): string {
  const path = join(tmpdir(), `toolpost-kept-${process.pid}-${Math.random().toString(36).slice(2)}.db`);
  t.after(() => Promise.all(["", "-wal", "-shm"].map((end) => rm(`${path}${end}`, { force: true }))));
  return path;
}

interface Process {
  readonly app: App;
  readonly log: LogEntry[];
  /** Kinds of what listeners were told. */
  readonly told: string[];
}

/** An application as another process would open it: all it has in common with others is the file. */
function processOn(
  path: string,
  replies: Replies,
  more: { tools?: AnyTool[]; sources?: ToolSource[]; version?: string; lease?: Duration } = {},
): Process {
  const log: LogEntry[] = [];
  const told: string[] = [];
  const { tools = [guarded], sources = [], version, lease = seconds(60) } = more;
  const agent = defineAgent({
    name: "desk",
    description: "D",
    model: scriptedModel(replies),
    tools: [...tools, ...sources],
  });
  const engine = sqlite(path, { lease: lease });
  const app = createApp({
    agents: [agent],
    engine,
    log: (entry) => void log.push(entry),
    listeners: [({ type }) => void told.push(type)],
    ...(version === undefined ? {} : { version }),
  });
  return { app, log, told };
}

function sourceOf(list: () => Promise<readonly AnyTool[]>): ToolSource {
  return {
    name: "shop",
    kind: "custom",
    list,
    status: () => ({ name: "shop", kind: "custom", state: "ready", tools: 1 }) as never,
    close: async () => undefined,
  } as ToolSource;
}

const asks = { calls: [{ name: "look" }, { name: "guarded" }] };

describe("a run that is gone on with elsewhere", () => {
  it("does again nothing that had finished, and has its owner's answer from another process", async (t) => {
    const path = fileOf(t);
    let looks = 0;
    const look = defineTool({ name: "look", description: "L", input: z.object({}), execute: () => ++looks }) as Tool;
    const first = processOn(path, [asks], { tools: [look, guarded] });
    const run = first.app.run("desk", "go", { user: { id: "u-1" } });
    const waiting = await run;
    await first.app.close();

    const other = createApp({ agents: [], engine: sqlite(path) });
    const [approval] = await other.approvals();
    await other.answer({ pauseId: approval?.pauseId ?? "", decision: "approve" }, { operator: "Ann" });
    await other.close();

    const second = processOn(path, ["all done"], { tools: [look, guarded] });
    await second.app.start();
    const result = await second.app.attach(run.runId);
    assert.deepEqual(
      [result.status, result.text, result.calls.map(({ text }) => text), looks],
      ["done", "all done", ["1", "done it"], 1],
    );
    assert.equal(waiting.pending.length, 1);
    const [record] = await second.app.approvals({ answered: true });
    assert.deepEqual([record?.state, record?.answeredBy], ["answered", { operator: "Ann" }]);
    await second.app.close();
  });

  it("reads what a tool did that its source no longer brings, and fails what it had not done", async (t) => {
    const path = fileOf(t);
    const look = defineTool({
      name: "look",
      description: "L",
      input: z.object({}),
      annotations: { readOnly: true },
      execute: () => "looked",
    }) as Tool;
    const first = processOn(path, [asks], { tools: [], sources: [sourceOf(async () => [look, guarded])] });
    const run = first.app.run("desk", "go");
    const waiting = await run;
    await first.app.close();

    const second = processOn(path, ["well"], { tools: [], sources: [sourceOf(async () => [])] });
    const result = await second.app.resume({ pauseId: waiting.pending[0]?.pauseId ?? "", decision: "approve" }, {});
    assert.deepEqual(
      result.calls.map(({ tool, text }) => [tool, text]),
      [
        ["look", "looked"],
        ["guarded", "Tool error: unknown tool: guarded"],
      ],
    );
    assert.equal(result.status, "done");
    await second.app.close();
  });

  it("is left for later where it cannot be prepared, and not failed", async (t) => {
    const path = fileOf(t);
    const first = processOn(path, [asks, "never"], {
      tools: [defineTool({ name: "look", description: "L", input: z.object({}), execute: () => 1 }) as Tool, guarded],
    });
    const run = first.app.run("desk", "go");
    const waiting = await run;
    await first.app.close();

    let isDown = true;
    const asked = Promise.withResolvers<void>();
    const list = async (): Promise<readonly AnyTool[]> => {
      if (!isDown) return [];
      asked.resolve();
      throw new Error("the shop is down");
    };
    // It is tried again after a lease.
    const second = processOn(path, ["well"], { sources: [sourceOf(list)], lease: seconds(1) });
    const pauseId = waiting.pending[0]?.pauseId ?? "";
    await second.app.answer({ pauseId, decision: "approve" }, {});
    await second.app.start();
    await asked.promise;
    isDown = false;
    const result = await second.app.attach(run.runId);
    assert.equal(result.status, "done");
    await second.app.close();
  });

  it("is left for later where a call was approved and the source of its tool is down", async (t) => {
    const path = fileOf(t);
    const first = processOn(path, [{ calls: [{ name: "guarded" }] }], {
      sources: [sourceOf(async () => [guarded])],
      tools: [],
    });
    const run = first.app.run("desk", "go");
    const [pause] = (await run).pending;
    await first.app.close();

    let isDown = true;
    const asked = Promise.withResolvers<void>();
    const list = async (): Promise<readonly AnyTool[]> => {
      if (!isDown) return [guarded];
      asked.resolve();
      throw new Error("the shop is down");
    };
    const second = processOn(path, ["well"], { sources: [sourceOf(list)], tools: [], lease: seconds(1) });
    await second.app.answer({ pauseId: pause?.pauseId ?? "", decision: "approve" }, {});
    await second.app.start();
    await asked.promise;
    isDown = false;
    const { calls } = await second.app.attach(run.runId);
    assert.deepEqual(
      calls.map(({ status, text }) => [status, text]),
      [["ok", "done it"]],
    );
    await second.app.close();
  });

  it("is not gone on with by code of another version, which says so", async (t) => {
    const path = fileOf(t);
    const tools = [
      defineTool({ name: "look", description: "L", input: z.object({}), execute: () => 1 }) as Tool,
      guarded,
    ];
    const first = processOn(path, [asks], { tools, version: "1" });
    const run = first.app.run("desk", "go");
    const waiting = await run;
    await first.app.close();

    const second = processOn(path, ["never"], { tools, version: "2" });
    const pauseId = waiting.pending[0]?.pauseId ?? "";
    await assert.rejects(Promise.resolve(second.app.resume({ pauseId, decision: "approve" }, {})), {
      code: "run.other-version",
      message: `the answer is on record; the run \`${run.runId}\` was started by version \`1\`, and this is \`2\``,
    });
    assert.equal((await second.app.runs())[0]?.state, "queued");
    await second.app.close();

    const third = processOn(path, ["at last"], { tools, version: "1" });
    await third.app.start();
    assert.equal((await third.app.attach(run.runId)).text, "at last");
    await third.app.close();
  });
});

describe("a run whose agent an application does not have", () => {
  it("is answered there, and not waited for: it says so", async (t) => {
    const path = fileOf(t);
    const look = defineTool({ name: "look", description: "L", input: z.object({}), execute: () => 1 }) as Tool;
    const first = processOn(path, [asks], { tools: [look, guarded] });
    const { runId, pending } = await first.app.run("desk", "go");
    await first.app.close();

    const other = createApp({ agents: [], engine: sqlite(path) });
    const answer = { pauseId: pending[0]?.pauseId ?? "", decision: "approve" } as const;
    await assert.rejects(Promise.resolve(other.resume(answer, {})), {
      code: "agent.unknown",
      message: `the answer is on record; the run \`${runId}\` is of the agent \`desk\`, which this application does not have`,
    });
    assert.equal((await other.approvals({ answered: true }))[0]?.state, "answered");
    await other.close();
  });
});

describe("a run whose handle rests", () => {
  it("is cancelled through it, also where nobody serves", async (t) => {
    const path = fileOf(t);
    const tools = [
      defineTool({ name: "look", description: "L", input: z.object({}), execute: () => 1 }) as Tool,
      guarded,
    ];
    const first = processOn(path, [asks], { tools });
    const { runId } = await first.app.run("desk", "go");
    await first.app.close();

    const second = processOn(path, [], { tools });
    const handle = second.app.attach(runId);
    assert.equal((await handle).status, "waiting");
    handle.abort("enough");
    await assert.rejects(Promise.resolve(handle), { code: "run.cancelled", message: "enough" });
    await second.app.close();
  });
});

describe("an application that is closed while a tool runs", () => {
  it("lets the tool settle and tells of it; the next goes on, and tells of nothing twice", async (t) => {
    const path = fileOf(t);
    const { promise, resolve } = Promise.withResolvers<string>();
    const { promise: started, resolve: start } = Promise.withResolvers<void>();
    let starts = 0;
    const slow = defineTool({
      name: "slow",
      description: "S",
      input: z.object({}),
      execute: () => {
        starts++;
        start();
        return promise;
      },
    }) as Tool;
    const first = processOn(path, [{ calls: [{ name: "slow" }] }], { tools: [slow] });
    const run = first.app.run("desk", "go");
    const refused = assert.rejects(Promise.resolve(run), {
      code: "app.closed",
      message: "the application was closed; the run goes on where it is served",
    });
    await started;
    const closed = first.app.close();
    resolve("slow but sure");
    await Promise.all([closed, refused]);
    assert.deepEqual(first.told, [
      "run-start",
      "step-start",
      "step-end",
      "tool-call-start",
      "tool-call-end",
      "step-start",
    ]);

    const second = processOn(path, ["done"], { tools: [slow] });
    await second.app.start();
    const result = await second.app.attach(run.runId);
    assert.deepEqual([result.status, result.calls[0]?.text, starts], ["done", "slow but sure", 1]);
    assert.deepEqual(second.told, ["text-delta", "step-end", "run-end"]);
    await second.app.close();
  });
});
