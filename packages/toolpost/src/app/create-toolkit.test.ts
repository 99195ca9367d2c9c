// What a toolkit remembers of its calls.

import assert from "node:assert/strict";
import { test } from "node:test";
import { z } from "zod";
import { defineTool } from "../author/define-tool.ts";
import { createToolkit } from "./create-toolkit.ts";

test("a tool counts as executed once, however often it was called", async () => {
  const seen: (readonly string[])[] = [];
  const tool = (name: string) =>
    defineTool({
      name,
      description: name,
      input: z.object({}),
      policy: ({ run }) => {
        seen.push(run.executed);
        return "allow";
      },
      execute: () => name,
    });
  const toolkit = await createToolkit({ tools: [tool("b"), tool("a")] });
  for (const name of ["a", "a", "b", "a", "b"]) await toolkit.call(name, {});
  assert.deepEqual(seen, [[], ["a"], ["a"], ["a", "b"], ["a", "b"]]);
});

test("the tools in the shapes of three providers, called by the names they have there", async () => {
  const find = defineTool({
    name: "find",
    description: "Finds",
    strict: true,
    input: z.object({ q: z.string().optional() }),
    execute: (input) => input,
  });
  const listed = { ...find, name: "admin.list", strict: undefined };
  const source = {
    name: "s",
    list: async () => [listed],
    status: () => ({ name: "s", state: "ready" }),
    close: async () => undefined,
  };
  const toolkit = await createToolkit({ tools: [find], sources: [source as never] });
  const q = { type: "string" };
  const plain = { type: "object", properties: { q } };
  const strict = {
    type: "object",
    properties: { q: { type: ["string", "null"] } },
    required: ["q"],
    additionalProperties: false,
  };
  const described = { description: "Finds" };
  const openai = [
    { type: "function", name: "find", ...described, parameters: strict, strict: true },
    { type: "function", name: "admin_list", ...described, parameters: plain, strict: false },
  ];
  assert.deepEqual((await toolkit.call("find", { q: null })).status, "failed");
  assert.deepEqual(toolkit.toOpenAI(), openai);
  assert.deepEqual(toolkit.toOpenAI("chat")[1], {
    type: "function",
    function: { name: "admin_list", ...described, parameters: plain, strict: false },
  });
  assert.deepEqual(toolkit.toAnthropic()[1], { name: "admin_list", ...described, input_schema: plain });
  assert.deepEqual(toolkit.toGemini()[0], { name: "find", ...described, parametersJsonSchema: plain });
  assert.deepEqual((await toolkit.call("find", { q: null })).value, {});
  assert.deepEqual((await toolkit.call("find", '{"q":null}')).value, {});
  assert.deepEqual((await toolkit.call("admin_list", { q: "x" })).value, { q: "x" });
  await toolkit.close();
});
