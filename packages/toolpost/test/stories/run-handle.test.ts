// The handle of a run: at once, awaitable, readable by many and late readers, streamed or not.

import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { z } from "zod";
import { createApp } from "../../src/app/create-app.ts";
import { defineTool } from "../../src/author/define-tool.ts";
import type { AgentEvent } from "../../src/core/event.ts";
import type { Tool } from "../../src/core/tool.ts";
import { desk } from "./support.ts";

const ping = defineTool({ name: "ping", description: "Pings", input: z.object({}), execute: () => "pong" }) as Tool;

async function collect<T>(items: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = [];
  for await (const item of items) all.push(item);
  return all;
}

describe("a run's handle", () => {
  it("is there at once, with its id, before anything happened", async () => {
    const { app, agent, model } = desk(["hello"], []);
    const run = app.run(agent, "x");
    assert.match(run.runId, /^run_/);
    assert.equal(model.requests.length, 0);
    assert.equal((await run).runId, run.runId);
  });

  it("tells what happens, in order, with texts as they come", async () => {
    const { app, agent } = desk(
      [
        { text: "let me see", chunks: 2, calls: [{ name: "ping", id: "c1" }] },
        { reasoning: "hm", text: "pong it is" },
      ],
      [ping],
    );
    const events = await collect(app.run(agent, "x").events);
    assert.deepEqual(
      events.map((event) => event.type),
      [
        "run-start",
        "step-start",
        "text-delta",
        "text-delta",
        "step-end",
        "tool-call-start",
        "tool-call-end",
        "step-start",
        "reasoning-delta",
        "text-delta",
        "step-end",
        "run-end",
      ],
    );
    const start = events.find((event) => event.type === "tool-call-start");
    assert.deepEqual(start?.type === "tool-call-start" && [start.callId, start.tool, start.source, start.input], [
      "c1",
      "ping",
      "native",
      {},
    ]);
    assert.ok(events.every((event) => typeof event.at === "number" && event.runId === events[0]?.runId));
  });

  for (const stream of [true, false]) {
    it(`gives late readers everything, deltas of a part joined (stream: ${stream})`, async () => {
      const { app, agent } = desk(
        [
          { text: "one two three", chunks: 3, calls: [{ name: "ping" }] },
          { text: "four five", chunks: 2 },
        ],
        [ping],
      );
      const run = app.run(agent, "x", { stream });
      const early = collect(run.textStream);
      const result = await run;
      const late = await collect(run.events);
      assert.deepEqual(
        late.filter((event) => event.type === "text-delta").map((event) => event.text),
        ["one two three", "four five"],
      );
      assert.equal((await early).join(""), "one two threefour five");
      assert.equal((await collect(run.textStream)).join(""), "one two threefour five");
      assert.equal(result.text, "four five");
    });
  }

  it("serves several readers at once, and one that leaves early harms nobody", async () => {
    const { app, agent } = desk([{ calls: [{ name: "ping" }] }, "done"], [ping]);
    const run = app.run(agent, "x");
    const first = collect(run.events);
    for await (const event of run.events) if (event.type === "step-start") break;
    const second = collect(run.events);
    assert.deepEqual(await first, await second);
  });

  it("gives the same result with and without streaming", async () => {
    const replies = [
      { text: "a", calls: [{ name: "ping", id: "c" }] },
      { text: "b", reasoning: "r" },
    ];
    const results = [];
    for (const stream of [true, false]) {
      const { app, agent, model } = desk(replies, [ping]);
      const { status, text, usage, steps, messages } = await app.run(agent, "x", { stream });
      results.push({ status, text, usage, steps, messages });
      assert.equal(
        model.requests.every((request) => request.isStreamed === stream),
        true,
      );
    }
    assert.deepEqual(results[0], results[1]);
  });

  it("is refused through the handle for an unknown agent and a closed application", async () => {
    const { app } = desk([], []);
    await assert.rejects(Promise.resolve(app.run("nobody", "x")), {
      code: "agent.unknown",
      message: "there is no agent `nobody`; the application has `desk`",
    });
    await app.close();
    await assert.rejects(Promise.resolve(app.run("desk", "x")), { code: "app.closed" });
  });

  it("keeps a thread over runs, apart for each owner", async () => {
    const { app, agent, model } = desk(["one", "two", "three"], []);
    await app.run(agent, "first", { threadId: "t", user: { id: "a" } });
    await app.run(agent, "second", { threadId: "t", user: { id: "a" } });
    await app.run(agent, "third", { threadId: "t", user: { id: "b" } });
    assert.deepEqual(
      model.requests.map((request) => request.prompt.length),
      [1, 3, 1],
    );
  });

  it("has listeners of the application see every event of every run", async () => {
    const seen: AgentEvent[] = [];
    const { app, agent } = desk(["a", "b"], [], { app: { listeners: [(event) => void seen.push(event)] } });
    await app.run(agent, "x");
    await app.run(agent, "y");
    assert.deepEqual(seen.filter((event) => event.type === "run-end").length, 2);
  });

  it("is cancelled when the application closes that keeps it in memory", async () => {
    const hang = defineTool({
      name: "hang",
      description: "Hangs",
      input: z.object({}),
      execute: () => new Promise(() => undefined),
    }) as Tool;
    const { app, agent } = desk([{ calls: [{ name: "hang" }] }], [hang], { app: { engine: undefined } });
    const run = app.run(agent, "x");
    const rejected = assert.rejects(Promise.resolve(run), {
      code: "run.cancelled",
      message: "the application was closed",
    });
    for await (const event of run.events) if (event.type === "tool-call-start") break;
    await app.close();
    await rejected;
  });
});

describe("a run that waits for a person", () => {
  const guarded = defineTool({
    name: "guarded",
    description: "G",
    input: z.object({}),
    policy: "needs-approval",
    execute: () => "did it",
  }) as Tool;
  const replies = [{ calls: [{ name: "guarded" }] }, "done"];

  it("does not leave its readers hanging, and goes on for one that answers inside its loop", async () => {
    const first = desk(replies, [guarded]);
    const events = await collect(first.app.run(first.agent, "x").events);
    assert.equal(events.at(-1)?.type, "run-wait");
    const second = desk(replies, [guarded]);
    const seen: string[] = [];
    for await (const event of second.app.run(second.agent, "x").events) {
      seen.push(event.type);
      if (event.type === "run-wait")
        second.app.resume({ pauseId: event.pending[0]?.pauseId ?? "", decision: "approve" }, {});
    }
    assert.equal(seen.at(-1), "run-end");
  });

  it("can be answered the moment it asks, also by a listener", async () => {
    for (const type of ["approval-request", "run-wait"] as const) {
      const made = desk(replies, [guarded], {
        app: {
          listeners: [
            (event) => {
              if (event.type !== type) return;
              const pause =
                event.type === "run-wait"
                  ? event.pending[0]
                  : event.type === "approval-request"
                    ? event.pause
                    : undefined;
              made.app.resume({ pauseId: pause?.pauseId ?? "", decision: "approve" }, {});
            },
          ],
        },
      });
      const result = await made.app.run(made.agent, "x");
      assert.deepEqual([result.status, result.calls[0]?.text], ["done", "did it"]);
    }
  });

  it("rejects when it is cancelled, though it gave a result before", async () => {
    const { app, agent } = desk(replies, [guarded]);
    const run = app.run(agent, "x");
    assert.equal((await run).status, "waiting");
    run.abort("enough");
    await assert.rejects(Promise.resolve(run), { code: "run.cancelled", message: "enough" });
  });
});

describe("a message that cannot be sent", () => {
  it("is refused, and nothing of it gets into its thread", async () => {
    const file = { type: "file", mediaType: "image/png", data: { type: "url", url: "nope" } };
    for (const message of ["", "  ", [], [file], [{ type: "bogus" }], 5, undefined]) {
      const { app, agent } = desk(["fine"], []);
      await assert.rejects(Promise.resolve(app.run(agent, { message } as never, { threadId: "t" })), {
        code: "run.invalid-input",
      });
      assert.equal((await app.run(agent, "hello", { threadId: "t" })).text, "fine");
    }
  });

  it("of the model is mended: texts, arguments and ids are well-formed in the history", async () => {
    const reply = { text: "cut \ud83d", calls: [{ name: "ping", id: "id\ud83d", input: '{"x":"\\ud83d"}' }] };
    const { app, agent, model } = desk([reply, "done"], [ping]);
    await app.run(agent, "x");
    assert.equal(JSON.stringify(model.requests[1]?.prompt).includes("\\ud83d"), false);
  });
});

describe("an application that cannot be put together", () => {
  it("reports all problems at once, each with code, place and mend", () => {
    const bad = { name: "a b", description: " ", inputSchema: { type: "object" }, source: "magic", execute: () => 1 };
    const agents = [
      {
        name: "desk",
        description: "",
        model: "",
        tools: [bad, ping, { ...bad, ...ping, description: "Another" }, "ghost"],
        requires: { ping: ["gone"] },
        definedIn: undefined,
      },
    ];
    assert.throws(
      () => createApp({ agents: agents as never }),
      (error: Error & { problems: { code: string }[] }) => {
        assert.deepEqual([...new Set(error.problems.map((problem) => problem.code))].sort(), [
          "agent.invalid",
          "agent.requires-unknown",
          "agent.unknown-tool",
          "tool.description-missing",
          "tool.duplicate-name",
          "tool.name-invalid",
          "tool.source-invalid",
        ]);
        assert.match(error.message, /^\[agent\.invalid\] agent `desk`: /);
        return true;
      },
    );
  });

  it("names a tool that nobody registered", () => {
    const agents = [
      { name: "desk", description: "d", model: "openai:gpt-5.2", tools: ["ghost"], definedIn: undefined },
    ];
    assert.throws(() => createApp({ agents }), { name: "UnknownAgentToolError", code: "agent.unknown-tool" });
  });
});
