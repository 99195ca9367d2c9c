import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { z } from "zod";
import { createApp } from "../app/create-app.ts";
import { scriptedModel } from "../models/scripted-model.ts";
import { answerTool } from "./answer-tool.ts";
import { defineAgent } from "./define-agent.ts";

describe("answerTool", () => {
  it("is named after the schema's title, else after the agent", () => {
    assert.equal(answerTool(z.object({}), "judge").name, "answer-judge");
    assert.equal(answerTool({ type: "object", title: "RefundVerdict" }, "judge").name, "answer-refund-verdict");
  });

  it("does not count against maxToolCalls", async () => {
    const answer = { calls: [{ name: "answer-judge", input: { n: "x" } }] };
    const model = scriptedModel([answer, answer, { calls: [{ name: "answer-judge", input: { n: 1 } }] }]);
    const judge = defineAgent({
      name: "judge",
      description: "Judges",
      model,
      tools: [],
      output: z.object({ n: z.number() }),
      maxToolCalls: 1,
      budget: { calls: 1 },
    });
    const ended = await createApp({ agents: [judge] }).run(judge, "x");
    assert.deepEqual([ended.output, ended.calls.map((call) => call.status)], [{ n: 1 }, ["failed", "failed", "ok"]]);
  });
});
