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
