// Tools that stand for others: changed where they should be, the original everywhere else.

import assert from "node:assert/strict";
import { test } from "node:test";
import type { ToolContext } from "./context.ts";
import { deriveTool } from "./derive-tool.ts";
import type { JsonSchema } from "./schema.ts";
import type { Tool } from "./tool.ts";

const mark = Symbol("mark");

/** A source as somebody else writes it: a class with private fields, getters and methods. */
class ClassTool implements Tool<{ id: string }, string> {
  readonly source = "custom";
  readonly description = "d";
  readonly [mark] = true;
  #reads = 0;
  get name(): string {
    return "find";
  }
  get inputSchema(): JsonSchema {
    this.#reads++;
    return { type: "object" };
  }
  get reads(): number {
    return this.#reads;
  }
  execute({ id }: { id: string }, ctx?: ToolContext): string {
    return `${id} ${this.#reads} ${ctx?.callId ?? ""}`;
  }
}

test("a tool of a class keeps its methods, getters and symbols, and stays lazy", () => {
  const original = new ClassTool();
  const derived = deriveTool(original, { name: "other", tags: ["a"] });
  assert.equal(original.reads, 0);
  assert.equal(derived.name, "other");
  assert.deepEqual(derived.tags, ["a"]);
  assert.equal(derived.description, "d");
  assert.deepEqual(derived.inputSchema, { type: "object" });
  assert.equal(derived.execute({ id: "x" } as never), "x 1 ");
  assert.equal(derived.execute({ id: "x" } as never, { callId: "c" } as ToolContext), "x 1 c");
  assert.equal((derived as unknown as ClassTool)[mark], true);
  assert.equal(original.name, "find");
  assert.ok(Object.isFrozen(derived));
});

test("a change may be a getter, and a spread of the result is whole", () => {
  let made = 0;
  const derived = deriveTool(new ClassTool(), {
    get outputSchema(): JsonSchema {
      made++;
      return { type: "string" };
    },
  });
  assert.equal(made, 0);
  const copy = { ...derived };
  assert.equal(made, 1);
  assert.equal(copy.name, "find");
  assert.equal(copy.execute({ id: "x" } as never), "x 1 ");
});

test("reading a getter that throws throws only then", () => {
  const tool = {
    name: "a",
    description: "d",
    source: "custom" as const,
    execute: () => 1,
    get inputSchema(): JsonSchema {
      throw new Error("no");
    },
  };
  const derived = deriveTool(tool, { name: "b" });
  assert.throws(() => derived.inputSchema, /no/);
});
