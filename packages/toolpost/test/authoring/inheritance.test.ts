// Class tools that extend each other.
import assert from "node:assert/strict";
import { test } from "node:test";
import type { AnyClass } from "../../src/author/classes/class-notes.ts";
import type { AnyTool } from "../../src/core/tool.ts";
import { createToolkit } from "../../src/doors/index.ts";
import { importCompiled } from "../lib/compile-fixture.ts";
import { assemblyProblems } from "./lib/assembly-problems.ts";

const { Shout, Ask, Undecorated, ReadsAndWrites, ofInstance } = await importCompiled<{
  readonly Shout: AnyClass;
  readonly Ask: AnyClass;
  readonly Undecorated: AnyClass;
  readonly ReadsAndWrites: AnyClass;
  readonly ofInstance: () => readonly AnyTool[];
}>("authoring/legacy/inheritance.ts", "legacy");

async function textsOf(tools: readonly (AnyClass | AnyTool)[], names: readonly string[]): Promise<string[]> {
  const toolkit = await createToolkit({ tools });
  return Promise.all(names.map(async (name) => (await toolkit.call(name, { text: "hi" }, { callId: "c" })).text));
}

test("an inherited `execute` keeps the decorators of its parameters, an overriding one has its own", async () => {
  assert.deepEqual(await textsOf([Shout, Ask], ["shout", "ask"]), ["hi! c", "asked: hi? c"]);
});

test("a subclass of a tool is one only when it is decorated itself", () => {
  assert.deepEqual(assemblyProblems({ tools: [Undecorated] }), [
    '[tool.not-decorated] The class "Undecorated" is not decorated with @Tool().',
  ]);
});

test("tool methods are inherited, and an overriding method stands for its parent's", async () => {
  for (const tools of [[ReadsAndWrites], ofInstance()])
    assert.deepEqual(await textsOf(tools, ["read", "write"]), ["child hi", "wrote hi"]);
});
