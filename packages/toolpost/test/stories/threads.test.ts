// Conversations over several runs: in turn, whole, one owner's alone, and short enough for a model.

import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { z } from "zod";
import { defineTool } from "../../src/author/define-tool.ts";
import type { Message } from "../../src/core/message.ts";
import type { Tool } from "../../src/core/tool.ts";
import { seconds } from "../../src/std/units.ts";
import { fakeClock } from "../../src/testing/fake-clock.ts";
import { memoryThreads } from "../../src/threads/memory-threads.ts";
import { desk } from "./support.ts";

function texts(prompt: readonly Message[]): string[] {
  return prompt.flatMap(({ content }) =>
    typeof content === "string" ? [content] : content.flatMap((part) => (part.type === "text" ? [part.text] : [])),
  );
}

const user = { id: "u-1" };
const guarded = defineTool({
  name: "guarded",
  description: "Guarded",
  input: z.object({}),
  policy: "needs-approval",
  execute: () => "done it",
}) as Tool;
const asks = { calls: [{ name: "guarded" }] };

describe("two messages at once in one thread", () => {
  it("are answered one after the other, and both exchanges are in the history", async () => {
    const { app, agent, model } = desk(["one", "two", "three"], []);
    const thread = { threadId: "t", user };
    await Promise.all([app.run(agent, "first", thread), app.run(agent, "second", thread)]);
    await app.run(agent, "third", thread);
    assert.deepEqual(
      model.requests.map(({ prompt }) => texts(prompt)),
      [["first"], ["first", "one", "second"], ["first", "one", "second", "two", "third"]],
    );
    await app.close();
  });

  it("go on side by side where their owners or threads are others", async () => {
    const { app, agent } = desk([asks, "two", "three"], [guarded]);
    const first = await app.run(agent, "first", { threadId: "t", user });
    assert.equal(first.status, "waiting");
    const [second, third] = await Promise.all([
      app.run(agent, "second", { threadId: "t", user: { id: "u-2" } }),
      app.run(agent, "third", { threadId: "other", user }),
    ]);
    assert.deepEqual([second.status, third.status], ["done", "done"]);
    await app.close();
  });
});

describe("a message in a thread whose run waits for a person", () => {
  it("waits for it, and has what came of it in its history", async () => {
    const { app, agent, model } = desk([asks, "was approved", "two"], [guarded]);
    const first = await app.run(agent, "first", { threadId: "t", user });
    const second = app.run(agent, "second", { threadId: "t", user });
    await app.resume({ pauseId: first.pending[0]?.pauseId ?? "", decision: "approve" }, { ownerId: "u-1" });
    assert.equal((await second).text, "two");
    assert.deepEqual(texts(model.requests.at(-1)?.prompt ?? []), ["first", "was approved", "second"]);
    await app.close();
  });

  it("is refused where it says so, and the run that waits goes on", async () => {
    const { app, agent } = desk([asks, "was approved"], [guarded]);
    const run = app.run(agent, "first", { threadId: "t", user });
    const first = await run;
    await assert.rejects(Promise.resolve(app.run(agent, "second", { threadId: "t", user, onBusy: "reject" })), {
      code: "thread.busy",
      message: `the run \`${run.runId}\` goes on in the thread \`t\`: wait for it, or say \`onBusy\``,
    });
    const resumed = app.resume({ pauseId: first.pending[0]?.pauseId ?? "", decision: "approve" }, { ownerId: "u-1" });
    assert.equal((await resumed).text, "was approved");
    await app.close();
  });

  it("takes over where it says so: what waited is not done, and has its result in the history", async () => {
    const { app, agent, model } = desk([asks, "two"], [guarded]);
    const run = app.run(agent, "first", { threadId: "t", user });
    const first = await run;
    const second = app.run(agent, "second", { threadId: "t", user, onBusy: "supersede" });
    assert.equal((await second).text, "two");
    await assert.rejects(Promise.resolve(run), { code: "run.cancelled", message: "a newer message took over" });
    await assert.rejects(
      Promise.resolve(
        app.resume({ pauseId: first.pending[0]?.pauseId ?? "", decision: "approve" }, { ownerId: "u-1" }),
      ),
      { code: "approval.unknown-pause" },
    );
    const results = model.requests
      .at(-1)
      ?.prompt.flatMap((message) => (message.role === "tool" ? message.content.map(({ output }) => output) : []));
    assert.deepEqual(results, [{ type: "error-text", value: "Tool error: a newer message took over" }]);
    await app.close();
  });
});

describe("a long thread", () => {
  it("is given with its last turns whole and those before as summaries, each made once", async () => {
    const asked: string[][] = [];
    const summarise = (turn: readonly Message[]): string => {
      asked.push(texts(turn));
      return `about ${texts(turn)[0]}`;
    };
    const { app, agent, model } = desk(["a", "b", "c", "d", "e"], [], {
      agent: { history: { turns: 1, summaries: 2, summarise } },
    });
    for (const message of ["one", "two", "three", "four", "five"]) await app.run(agent, message, { threadId: "t" });
    const [, , , , last] = model.requests;
    const [summaries, ...whole] = texts(last?.prompt ?? []);
    assert.deepEqual(whole, ["four", "d", "five"]);
    assert.deepEqual(summaries?.split("\n").slice(1), [
      '{"turn":2,"summary":"about two"}',
      '{"turn":3,"summary":"about three"}',
    ]);
    assert.deepEqual(asked, [
      ["one", "a"],
      ["two", "b"],
      ["three", "c"],
    ]);
    await app.close();
  });

  it("goes on without a summary that cannot be made, and says so in the log", async () => {
    const summarise = (): string => {
      throw new Error("no");
    };
    const { app, agent, model, log } = desk(["a", "b", "c"], [], {
      agent: { history: { turns: 1, summaries: 1, summarise } },
    });
    for (const message of ["one", "two", "three"]) await app.run(agent, message, { threadId: "t" });
    assert.deepEqual(texts(model.requests.at(-1)?.prompt ?? []), ["two", "b", "three"]);
    assert.ok(
      log.some(({ message }) => message === "turn 1 of the thread has no summary and is left out of the prompt"),
    );
    await app.close();
  });
});

describe("a run that is cancelled before its model is asked", () => {
  for (const [where, more, app] of [
    [
      "while a summary is made",
      { history: { turns: 1, summaries: 1, summarise: () => new Promise<string>(() => undefined) } },
      {},
    ],
    [
      "while its thread is read",
      {},
      { threads: { ...memoryThreads(), read: () => new Promise<never>(() => undefined) } },
    ],
  ] as const)
    it(`rejects as any cancelled run does: ${where}`, async () => {
      const messages = [{ role: "user", content: [{ type: "text", text: "hi" }] }] as const;
      const threads = memoryThreads();
      for (let turn = 0; turn < 3; turn++)
        await threads.append({ threadId: "t", ownerId: undefined }, messages, `r${turn}`);
      const made = desk(["never"], [], { agent: more as never, app: { threads, ...app } });
      const run = made.app.run(made.agent, "go", { threadId: "t" });
      for (let turn = 0; turn < 10; turn++) await new Promise(setImmediate);
      run.abort("enough");
      await assert.rejects(Promise.resolve(run), { code: "run.cancelled", message: "enough" });
      await made.app.close();
    });
});

describe("a summary that never comes", () => {
  it("is waited for no longer than a tool would be, and left out", async () => {
    const clock = fakeClock();
    const asked = Promise.withResolvers<AbortSignal>();
    const summarise = (_turn: unknown, { signal }: { signal: AbortSignal }): Promise<string> => {
      asked.resolve(signal);
      return new Promise(() => undefined);
    };
    const { app, agent, model, log } = desk(["a", "b", "c"], [], {
      agent: { history: { turns: 1, summaries: 1, summarise } },
      app: { clock, defaults: { tools: { timeout: seconds(5) } } },
    });
    for (const message of ["one", "two"]) await app.run(agent, message, { threadId: "t" });
    const run = app.run(agent, "three", { threadId: "t" });
    const signal = await asked.promise;
    await clock.advance(seconds(5));
    assert.equal((await run).text, "c");
    assert.ok(signal.aborted);
    assert.deepEqual(texts(model.requests.at(-1)?.prompt ?? []), ["two", "b", "three"]);
    assert.ok(log.some(({ error }) => (error as Error | undefined)?.message === "it took longer than 5 s"));
    await app.close();
  });
});

describe("two messages at once in one thread, one of which does not wait", () => {
  it("are seen by each other, however close they come", async () => {
    const { app, agent } = desk(["one", "two"], []);
    const first = app.run(agent, "first", { threadId: "t", user });
    const second = app.run(agent, "second", { threadId: "t", user, onBusy: "reject" });
    await assert.rejects(Promise.resolve(second), { code: "thread.busy" });
    assert.equal((await first).text, "one");
    await app.close();
  });
});
