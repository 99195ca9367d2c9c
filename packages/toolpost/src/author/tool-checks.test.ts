// What assembly says about tools, all of it at once.

import assert from "node:assert/strict";
import { test } from "node:test";
import { type } from "arktype";
import * as v from "valibot";
import { z } from "zod";
import { errorTable } from "../core/error-table.ts";
import { bytes, kilobytes, milliseconds, seconds } from "../std/units.ts";
import { defineTool } from "./define-tool.ts";
import { checkTool } from "./tool-checks.ts";

const good = { name: "find", description: "Finds", input: z.object({}), execute: () => 1 };
const plain = {
  name: "find",
  description: "Finds",
  source: "custom",
  inputSchema: { type: "object" },
  execute: () => 1,
};

function problems(changes: object, options?: Parameters<typeof checkTool>[2]): string[] {
  return checkTool(defineTool({ ...good, ...changes } as never), "defineTool", options).map(
    ({ code, message }) => `[${code}] ${message}`,
  );
}

test("a good tool has no problems, with every setting and every kind of schema", () => {
  assert.deepEqual(problems({}), []);
  const settings = {
    ...{
      tags: ["a"],
      annotations: { title: "t", readOnly: true },
      examples: [{}],
      strict: false,
      policy: { verdict: "deny", reason: "r" },
    },
    ...{
      visibleWhen: () => true,
      endsRun: false,
      timeout: "none",
      maxResultSize: bytes(1),
      exclusive: true,
      toolErrors: "throw",
      channel: "c",
    },
  };
  assert.deepEqual(problems(settings), []);
  assert.deepEqual(
    problems({ ...settings, timeout: milliseconds(1), endsRun: async () => true, policy: async () => "allow" }),
    [],
  );
  for (const input of [
    v.object({ at: v.date() }),
    type({ at: "Date" }),
    { type: "object", additionalProperties: false },
  ]) {
    assert.deepEqual(problems({ input, output: input }), []);
  }
  assert.deepEqual(checkTool(plain, "here"), []);
});

test("all problems come at once", () => {
  const wrong = {
    name: "get user",
    description: " ",
    timeout: seconds(0),
    maxResultSize: bytes(0),
    execute: undefined,
    tags: "a",
  };
  assert.deepEqual(problems(wrong), [
    '[tool.name-invalid] "get user" on defineTool: only letters, digits, `_` and `-` are allowed: name it "get_user"',
    '[tool.description-missing] "get user" on defineTool: expected a description: say what the tool does and when to use it',
    '[tool.no-execute] "get user" on defineTool: has no execute: add execute(input, ctx)',
    '[tools.timeout-invalid] "get user" on defineTool: timeout is `{"kind":"duration","ms":0}`, expected a positive duration such as seconds(10), or "none"',
    '[tools.max-result-size-invalid] "get user" on defineTool: maxResultSize is `{"kind":"size","bytes":0}`, expected a whole number of bytes from 1, such as kilobytes(64)',
    '[tool.invalid-setting] "get user" on defineTool: tags is `"a"`, expected a list of words',
  ]);
});

test("names", () => {
  assert.deepEqual(problems({ name: "x".repeat(65) }), [
    `[tool.name-too-long] "${"x".repeat(65)}" on defineTool: has 65 characters, expected at most 64: shorten it`,
  ]);
  assert.equal(problems({ name: "é".repeat(65) }).length, 2);
  for (const name of ["", "  ", undefined, 5])
    assert.match(problems({ name }).join(), /^\[tool.name-invalid\] .* expected a name of letters/);
  assert.deepEqual(problems({ name: "a b", description: "" }, { fromSource: true }), []);
});

for (const [setting, ...values] of [
  [
    "timeout",
    10,
    "10",
    seconds(-1),
    seconds(Number.NaN),
    kilobytes(1),
    { ms: 5 },
    Number.POSITIVE_INFINITY,
    seconds(Number.POSITIVE_INFINITY),
  ],
  ["maxResultSize", 10, bytes(1.5), bytes(-1), seconds(1), "none"],
  ["tags", "a", [1], [""]],
  ["annotations", [], true, { readOnly: "yes" }, { title: 5 }, { readonly: true }],
  ["examples", {}, [1], [[]]],
  ["strict", "yes"],
  ["policy", "maybe", { verdict: "maybe" }, true, 5, null],
  ["visibleWhen", true, async () => true],
  ["endsRun", "yes", {}],
  ["exclusive", 1],
  ["toolErrors", "hide", true],
  ["channel", "", 5, {}],
  ["environment", "NOTES_FILE", [1], [""], ["NOTES-FILE"], ["1A"], ["A=b"]],
] as const) {
  test(`${setting} of the wrong kind`, () => {
    const code =
      { timeout: "tools.timeout-invalid", maxResultSize: "tools.max-result-size-invalid" }[setting as string] ??
      "tool.invalid-setting";
    for (const value of values) {
      const found = problems({ [setting]: value });
      assert.equal(found.length, 1, `${setting} ${String(value)}`);
      assert.ok(found[0]?.startsWith(`[${code}] "find" on defineTool: ${setting} is \``), found[0]);
    }
  });
}

test("a setting nobody knows is named with what was meant", () => {
  assert.deepEqual(problems({ timeoutMs: 10 }), [
    '[tool.invalid-setting] "find" on defineTool: there is no setting `timeoutMs`: remove it, and write timeout: milliseconds(…)',
  ]);
  assert.match(problems({ colour: "red" }).join(), /there is no setting `colour`: remove it$/);
});

test("schemas that cannot be used, unless the check is shallow", () => {
  for (const [changes, why] of [
    [{ input: undefined }, /input: `input` is missing: give a schema/],
    [{ input: z.string() }, /input: the input schema describes `string`, expected an object/],
    [{ input: z.any() }, /input: .* a value of any type/],
    [
      { input: { properties: {} } },
      /input: .* a value of any type, expected an object: give its root `type: "object"`/,
    ],
    [
      { input: { type: "object", properties: { a: { pattern: "(" } } } },
      /input: the schema at `#\/properties\/a\/pattern`/,
    ],
    [
      { input: { "~standard": { version: 1, vendor: "acme", validate: () => ({ value: 1 }) } } },
      /input: schemas of `acme` have no JSON Schema/,
    ],
    [{ output: { type: "strin" } }, /output: the schema at `#\/type`/],
    [{ output: 5 }, /output: the schema at `#`: expected an object, got number/],
  ] as const) {
    const found = problems(changes);
    assert.equal(found.length, 1, found.join("\n"));
    assert.match(found[0] ?? "", /^\[tool.schema-unusable\] "find" on defineTool: /);
    assert.match(found[0] ?? "", why);
    assert.deepEqual(problems(changes, { deep: false }), []);
  }
});

test("tools that were not defined here", () => {
  assert.match(
    checkTool({ ...plain, source: "plugin" }, "here")[0]?.message ?? "",
    /^"find" on here: source is `"plugin"`, expected one of native, mcp, skill/,
  );
  assert.equal(
    checkTool({ ...plain, inputSchema: { type: "object", properties: { a: { type: "any" } } } }, "here")[0]?.code,
    "tool.schema-unusable",
  );
  assert.deepEqual(checkTool({ ...plain, inputSchema: { type: "any" } }, "here", { fromSource: true }), []);
  assert.equal(
    checkTool({ ...plain, inputSchema: undefined }, "here", { fromSource: true, deep: true })[0]?.code,
    "tool.schema-unusable",
  );
  class Forgotten {
    name = "a";
    description = "d";
    source = "custom";
    inputSchema = { type: "object" };
  }
  assert.deepEqual(checkTool(new Forgotten(), "here"), [
    { code: "tool.no-execute", message: 'The class "Forgotten" does not implement execute(input).' },
  ]);
  for (const value of [null, undefined, 5, "x", [], Forgotten, () => 1]) {
    assert.match(checkTool(value, 'agent "a"')[0]?.message ?? "", /in agent "a" is no tool: make one with defineTool/);
  }
});

test("nothing a tool does while it is looked at throws", () => {
  const hostile = new Proxy(
    {},
    {
      get: () => {
        throw new Error("no");
      },
    },
  );
  assert.ok(checkTool(hostile, "here").length > 3);
  const cyclic: Record<string, unknown> = {};
  cyclic.self = cyclic;
  assert.ok(checkTool({ ...plain, annotations: cyclic, policy: 5n, tags: Symbol("x") }, "here").length === 3);
});

test("every code is in the table", () => {
  const everything = {
    ...plain,
    name: "é".repeat(70),
    description: "",
    execute: 1,
    source: "x",
    timeout: 1,
    maxResultSize: 1,
    strict: 1,
    inputSchema: 1,
  };
  const codes = new Set(checkTool(everything, "here").map(({ code }) => code));
  assert.equal(codes.size, 9);
  for (const code of codes) assert.ok(Object.hasOwn(errorTable, code), code);
});
