// Mistakes in classes, told at assembly: one message each, with class, parameter and mend.
// What a compiler can see is pinned beside, in the type tests.
import assert from "node:assert/strict";
import { suite, test } from "node:test";
import { Agent, Tool, toolsOf } from "../../src/doors/decorators.ts";
import { defineAgent, defineTool } from "../../src/doors/index.ts";
import { importCompiled } from "../lib/compile-fixture.ts";
import { assemblyProblems } from "./lib/assembly-problems.ts";
import type { Mistake } from "./lib/mistake.ts";

for (const [path, system] of [
  ["both", "legacy"],
  ["both", "standard"],
  ["legacy", "legacy"],
] as const) {
  const file = `authoring/${path}/mistakes.ts`;
  const { mistakes } = await importCompiled<{ readonly mistakes: readonly Mistake[] }>(file, system);
  suite(`${path === "both" ? "any class" : "decorated parameters"}, ${system} decorators`, () => {
    for (const { says, options } of mistakes) {
      test(says.join(" "), () => assert.deepEqual(assemblyProblems(options), says));
    }
  });
}

suite("where no compiler looked", () => {
  const text = { name: "echo", description: "Echoes", input: { type: "object" } };
  class Plain {
    execute() {}
  }

  test("@Tool on what is no method is refused at once, under both systems", () => {
    const decorate = Tool(text) as unknown as (...args: unknown[]) => void;
    for (const args of [
      [undefined, { kind: "field", name: "run", metadata: {} }],
      [() => 1, { kind: "getter", name: "run", metadata: {} }],
      [() => 1, { kind: "method", name: "run", static: true, metadata: {} }],
      [Plain.prototype, "run"],
      [Plain.prototype, "run", { get: () => 1 }],
      [Plain, "run", { value: () => 1 }],
    ])
      assert.throws(() => decorate(...args), {
        code: "tool.parameter-invalid",
        message: /^@Tool\(\) on the .+ `run`: /,
      });
  });

  test("two @Tool on one class or method, and a generator, are told of", () => {
    class Twice {
      *execute() {}
    }
    Tool(text)(Twice);
    Tool({ ...text, name: "again" })(Twice);
    assert.deepEqual(assemblyProblems({ tools: [Twice] }), [
      '[tool.invalid-setting] "Twice" is decorated with @Tool() 2 times: keep one, or make a class of each',
      '[tool.invalid-setting] "Twice": is a generator, and a tool gives one value: return it, and tell of what comes before by `ctx.progress(…)`',
    ]);
  });

  test("an agent class twice decorated, an instance of one, and nothing at all", () => {
    class Support {}
    const support = { name: "support", description: "Helps", model: "openai:gpt-5.2", tools: [] };
    Agent(support)(Support);
    assert.throws(() => Agent(support)(Support), {
      code: "agent.invalid",
      message: 'The class "Support" is decorated with @Agent() twice: keep one, or make a class of each',
    });
    assert.deepEqual(assemblyProblems({ agents: [new Support() as never] }), [
      '[agent.not-decorated] an instance of the class "Support" is no agent: give the class itself',
    ]);
    assert.match(
      String(assemblyProblems({ agents: [undefined as never] })),
      /^\[app\.invalid\] createApp: `agents` is/,
    );
    const holed = defineAgent({ ...support, tools: [undefined as never] });
    assert.match(String(assemblyProblems({ agents: [holed] })), /`undefined` in agent `support` is no tool/);
  });

  test("an instance among the tools of an agent, and an agent that is given twice", () => {
    class Echo {
      execute() {}
    }
    Tool(text)(Echo);
    const support = { name: "support", description: "Helps", model: "openai:gpt-5.2" };
    const agent = defineAgent({ ...support, tools: [new Echo() as never] });
    assert.deepEqual(assemblyProblems({ agents: [agent] }), [
      '[tool.not-decorated] an instance of the class "Echo" is no tool: give the class itself, or `...toolsOf(instance)`',
    ]);
    const twice = defineAgent({ ...support, tools: [Echo] });
    assert.deepEqual(assemblyProblems({ agents: [twice, twice] }), [
      "[agent.invalid] two agents are named `support`: rename one of them",
    ]);
  });

  test("toolsOf says what it takes", () => {
    assert.throws(() => toolsOf(Plain), {
      message:
        '[tool.not-decorated] toolsOf takes an instance, and was given the class "Plain": write toolsOf(new …), or give the class itself',
    });
    assert.throws(() => toolsOf(null as never), { code: "tool.not-decorated" });
  });

  test("an `execute` that only an instance has is no method", () => {
    class ByGetter {
      readonly #word = "x";
      get execute() {
        return () => this.#word;
      }
    }
    Tool(text)(ByGetter as never);
    assert.deepEqual(assemblyProblems({ tools: [ByGetter] }), [
      '[tool.no-execute] The class "ByGetter" does not implement execute(input).',
    ]);
  });

  test("a generator as a function", () => {
    const tool = defineTool({ ...text, async *execute() {} });
    assert.deepEqual(assemblyProblems({ tools: [tool] }), [
      '[tool.invalid-setting] "echo" on the application: execute is a generator, and a tool gives one value: return it, and tell of what comes before by `ctx.progress(…)`',
    ]);
  });
});
