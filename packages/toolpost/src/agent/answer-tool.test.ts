import assert from "node:assert/strict";
import { it } from "node:test";
import { z } from "zod";
import { answerTool } from "./answer-tool.ts";

it("is named after the schema's title, else after the agent", () => {
  assert.equal(answerTool(z.object({}), "judge").name, "answer-judge");
  assert.equal(answerTool({ type: "object", title: "RefundVerdict" }, "judge").name, "answer-refund-verdict");
});

it("hands the parsed answer on as data, and none of it to the model", async () => {
  const output = await answerTool(z.object({ n: z.number() }), "judge").execute({ n: 1 });
  assert.deepEqual(output, { content: "The answer was received.", data: { n: 1 } });
});
