// An agent whose model asks a person in the middle of its work.

import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { z } from "zod";
import { defineTool } from "../../src/author/define-tool.ts";
import type { Tool } from "../../src/core/tool.ts";
import { desk } from "./support.ts";

const asking = { calls: [{ name: "ask-user", input: { question: "Which one?", choices: ["red", "blue"] } }] };

describe("an agent that may ask", () => {
  it("puts its model's question to the owner of the run, and its model reads the answer", async () => {
    const { app, agent, model } = desk([asking, "blue it is"], [], { agent: { asks: true, maxToolCalls: 1 } });
    const waiting = await app.run(agent, "paint it", { user: { id: "u-1" } });
    const [pause] = waiting.pending;
    assert.deepEqual(pause?.value.kind === "question" && [pause.value.question, pause.value.choices], [
      "Which one?",
      ["red", "blue"],
    ]);
    const result = await app.resume({ pauseId: pause?.pauseId ?? "", reply: "blue" }, { ownerId: "u-1" });
    assert.deepEqual([result.status, result.text, result.calls[0]?.text], ["done", "blue it is", "blue"]);
    assert.ok(model.requests[0]?.tools.some(({ name }) => name === "ask-user"));
    await app.close();
  });

  it("does so beside the calls that it may start", async () => {
    const look = defineTool({
      name: "look",
      description: "Looks",
      input: z.object({}),
      execute: () => "looked",
    }) as Tool;
    const { app, agent } = desk([asking, { calls: [{ name: "look" }] }, "blue it is"], [look], {
      agent: { asks: true, maxToolCalls: 1, budget: { calls: 1 } },
    });
    const { pending } = await app.run(agent, "paint it");
    const result = await app.resume({ pauseId: pending[0]?.pauseId ?? "", reply: "blue" }, {});
    assert.deepEqual(
      [result.text, result.calls.map(({ tool, status }) => [tool, status])],
      [
        "blue it is",
        [
          ["ask-user", "ok"],
          ["look", "ok"],
        ],
      ],
    );
    await app.close();
  });

  it("refuses a question that is none", async () => {
    const { app, agent } = desk([{ calls: [{ name: "ask-user", input: { question: " " } }] }, "well"], [], {
      agent: { asks: true },
    });
    const { calls } = await app.run(agent, "x");
    assert.equal(calls[0]?.text, "Tool error: invalid input: question: expected a text");
    await app.close();
  });

  it("is the only one that is offered the tool", async () => {
    const { app, agent, model } = desk(["no"], []);
    await app.run(agent, "x");
    assert.deepEqual(model.requests[0]?.tools, []);
    await app.close();
  });
});
