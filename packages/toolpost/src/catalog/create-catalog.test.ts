// Views of tools: what is shown in which step, and that the wire stays the same while nothing changes.

import assert from "node:assert/strict";
import { test } from "node:test";
import type { SkippedTool } from "../core/source.ts";
import type { AnyTool, Tool, VisibilityQuestion } from "../core/tool.ts";
import { createCatalog } from "./create-catalog.ts";

function tool(name: string, settings: Partial<Tool> = {}): AnyTool {
  return {
    name,
    description: `does ${name}`,
    source: "custom",
    inputSchema: { type: "object" },
    execute: () => name,
    ...settings,
  };
}

const names = (list: readonly { readonly name: string }[]): string[] => list.map(({ name }) => name);

test("a catalog without conditions is its own view, with one wire per dialect", () => {
  const catalog = createCatalog({ tools: [tool("a"), tool("b")], requires: {} });
  assert.equal(catalog.at(0, []), catalog);
  assert.equal(catalog.at(7, ["a"]), catalog);
  assert.equal(catalog.wire("openai"), catalog.wire("openai"));
  assert.deepEqual(names(catalog.wire("openai")), ["a", "b"]);
  assert.ok(Object.isFrozen(catalog) && Object.isFrozen(catalog.tools) && Object.isFrozen(catalog.wire("gemini")));
});

test("names of Object.prototype are unknown", () => {
  const catalog = createCatalog({ tools: [tool("a")], requires: {} });
  for (const name of ["constructor", "toString", "__proto__", "hasOwnProperty", "", "b"])
    assert.equal(catalog.find(name), undefined);
  assert.equal(catalog.fromWire("constructor"), "constructor");
  const odd = createCatalog({ tools: [tool("constructor"), tool("__proto__")] });
  assert.equal(odd.find("constructor")?.name, "constructor");
  assert.equal(odd.find("__proto__")?.name, "__proto__");
  assert.deepEqual(odd.at(0, []).tools.length, 2);
});

test("a hidden tool is neither listed, nor found, nor on the wire", () => {
  const catalog = createCatalog({ tools: [tool("a"), tool("b", { visibleWhen: ({ step }) => step > 0 })] });
  const first = catalog.at(0, []);
  assert.deepEqual(names(first.tools), ["a"]);
  assert.equal(first.find("b"), undefined);
  assert.deepEqual(names(first.wire("anthropic")), ["a"]);
  const second = catalog.at(1, []);
  assert.equal(second.find("b")?.name, "b");
  assert.deepEqual(names(second.wire("anthropic")), ["a", "b"]);
});

test("a view and its wire are the same while nothing changes, and tools on the wire are shared", () => {
  const catalog = createCatalog({
    tools: [tool("a"), tool("b", { visibleWhen: ({ executed }) => executed.includes("a") })],
  });
  const [before, still, after, back] = [catalog.at(0, []), catalog.at(1, []), catalog.at(2, ["a"]), catalog.at(3, [])];
  assert.equal(before, still);
  assert.equal(before.wire("openai"), still.wire("openai"));
  assert.notEqual(before, after);
  assert.equal(before, back);
  assert.equal(before.wire("openai")[0], after.wire("openai")[0]);
  assert.equal(after.at(0, []), before);
});

test("conditions are asked with step and executed; anything but true hides, so does a throw", () => {
  const asked: VisibilityQuestion[] = [];
  const fails = (): never => {
    throw new Error("no");
  };
  const answers = [
    () => "yes",
    () => 1,
    () => undefined,
    () => Promise.resolve(true),
    async () => true,
    fails,
    () => false,
  ];
  const odd = answers.map((visibleWhen, index) => tool(`odd${index}`, { visibleWhen: visibleWhen as never }));
  const shown = tool("shown", { visibleWhen: (question) => asked.push(question) > 0 });
  const catalog = createCatalog({ tools: [...odd, tool("not-a-function", { visibleWhen: true as never }), shown] });
  assert.deepEqual(names(catalog.at(3, ["x"]).tools), ["shown"]);
  assert.deepEqual(asked, [{ step: 3, executed: ["x"] }]);
});

test("a condition cannot change what the others see, nor the run's list", () => {
  const pushy = tool("pushy", { visibleWhen: ({ executed }) => (executed as string[]).push("admin") > 0 });
  const executed = ["a"];
  const catalog = createCatalog({
    tools: [pushy, tool("b", { visibleWhen: ({ executed }) => executed.includes("admin") })],
  });
  assert.deepEqual(names(catalog.at(0, executed).tools), []);
  assert.deepEqual(executed, ["a"]);
});

test("requires: all names must have succeeded, and the tool's own condition must hold too", () => {
  const refund = tool("refund", { visibleWhen: ({ step }) => step < 5 });
  const requires = { refund: ["lookup", "verify"], close: ["refund"] };
  const catalog = createCatalog({ tools: [refund, tool("close"), tool("lookup")], requires });
  const shown = (step: number, ...executed: string[]) => names(catalog.at(step, executed).tools);
  assert.deepEqual(shown(0), ["lookup"]);
  assert.deepEqual(shown(1, "lookup"), ["lookup"]);
  assert.deepEqual(shown(1, "verify", "x", "lookup"), ["refund", "lookup"]);
  assert.deepEqual(shown(5, "verify", "lookup"), ["lookup"]);
  assert.deepEqual(shown(5, "refund"), ["close", "lookup"]);
});

test("requirements that are no list hide; those of prototypes are none", () => {
  const catalog = createCatalog({ tools: [tool("a"), tool("toString")], requires: { a: 5 as never } });
  assert.deepEqual(names(catalog.at(0, []).tools), ["toString"]);
});

test("the wire: definition, examples, strict, alias", () => {
  const schema = { $schema: "x", type: "object", properties: { q: {} } };
  const full = tool("admin.tools/list", { inputSchema: schema, examples: [{ q: 1 }], strict: true });
  const catalog = createCatalog({ tools: [full, tool("plain")] });
  assert.deepEqual(catalog.wire("json-schema"), [
    {
      type: "function",
      name: "admin_tools_list",
      description: "does admin.tools/list",
      inputSchema: { type: "object", properties: { q: {} } },
      inputExamples: [{ input: { q: 1 } }],
      strict: true,
    },
    { type: "function", name: "plain", description: "does plain", inputSchema: { type: "object" } },
  ]);
  assert.equal(catalog.fromWire("admin_tools_list"), "admin.tools/list");
  assert.equal(catalog.at(0, []).find(catalog.fromWire("admin_tools_list")), full);
  assert.equal(catalog.fromWire("plain"), "plain");
  const named = createCatalog({ tools: [full], aliases: new Map([["admin.tools/list", "list"]]) });
  assert.deepEqual(names(named.wire("openai")), ["list"]);
  assert.equal(named.fromWire("list"), "admin.tools/list");
});

test("a tool whose schema cannot be read is set aside, once, with its reason", () => {
  const skipped: SkippedTool[] = [];
  const broken = {
    ...tool("broken"),
    get inputSchema(): never {
      throw new Error("no JSON Schema");
    },
  };
  const tools = [tool("a"), broken, tool("b")];
  const catalog = createCatalog({ tools, onSkip: (one) => skipped.push(one) });
  assert.deepEqual(names(catalog.wire("openai")), ["a", "b"]);
  assert.deepEqual(names(catalog.wire("gemini")), ["a", "b"]);
  assert.equal(catalog.find("broken"), undefined);
  assert.deepEqual(skipped, [{ name: "broken", reason: "no JSON Schema" }]);
});

test("of two tools with one name the first counts", () => {
  const skipped: SkippedTool[] = [];
  const [first, second] = [tool("a"), tool("a")];
  const catalog = createCatalog({ tools: [first, first, second], onSkip: (one) => skipped.push(one) });
  assert.deepEqual(catalog.tools, [first]);
  assert.deepEqual(skipped, [{ name: "a", reason: "another tool has the same name" }]);
});

test("making a catalog reads no schema", () => {
  let reads = 0;
  const lazy = {
    ...tool("a"),
    get inputSchema() {
      reads++;
      return { type: "object" };
    },
  };
  const catalog = createCatalog({ tools: [lazy] });
  catalog.at(0, []).find("a");
  assert.equal(reads, 0);
  catalog.wire("openai");
  catalog.wire("openai");
  assert.equal(reads, 1);
});

test("views of many different steps do not add up without bound", () => {
  const tools = Array.from({ length: 10 }, (_, index) =>
    tool(`t${index}`, { visibleWhen: ({ step }) => (step >> index) % 2 === 1 }),
  );
  const catalog = createCatalog({ tools });
  for (let step = 0; step < 1024; step++)
    assert.equal(catalog.at(step, []).tools.length, step.toString(2).replaceAll("0", "").length);
});
