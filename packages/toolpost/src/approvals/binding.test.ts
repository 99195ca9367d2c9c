import assert from "node:assert/strict";
import { test } from "node:test";
import { type Binding, bindingOf } from "./binding.ts";

const asked: Binding = {
  tool: {
    name: "refund_card",
    description: "Refunds a card payment",
    inputSchema: { type: "object", properties: { cents: { type: "integer" } } },
    source: "native",
  },
  input: { orderId: "o-1", cents: 500 },
  userId: "u-1",
};

test("the same things make the same binding, in any order of keys", () => {
  assert.match(bindingOf(asked), /^[0-9a-f]{64}$/);
  const again: Binding = {
    userId: "u-1",
    input: { cents: 500, orderId: "o-1" },
    tool: {
      source: "native",
      inputSchema: { properties: { cents: { type: "integer" } }, type: "object" },
      description: "Refunds a card payment",
      name: "refund_card",
    },
  };
  assert.equal(bindingOf(again), bindingOf(asked));
});

test("what the tool does beside its definition plays no part", () => {
  const tool = { ...asked.tool, execute: () => 1, tags: ["x"] };
  assert.equal(bindingOf({ ...asked, tool }), bindingOf(asked));
});

const changes: [string, Binding][] = [
  ["name", { ...asked, tool: { ...asked.tool, name: "refund_cards" } }],
  ["description", { ...asked, tool: { ...asked.tool, description: "Refunds a card payment!" } }],
  ["input schema", { ...asked, tool: { ...asked.tool, inputSchema: { type: "object" } } }],
  ["source", { ...asked, tool: { ...asked.tool, source: "mcp" } }],
  ["input", { ...asked, input: { orderId: "o-1", cents: 501 } }],
  ["type of an input", { ...asked, input: { orderId: "o-1", cents: "500" } }],
  ["empty input", { ...asked, input: {} }],
  ["caller", { ...asked, userId: "u-2" }],
  ["no caller", { ...asked, userId: undefined }],
  ["empty caller", { ...asked, userId: "" }],
];

test("each change makes another binding", () => {
  const bindings = [asked, ...changes.map(([, binding]) => binding)].map(bindingOf);
  for (const [index, [name]] of changes.entries()) {
    assert.equal(bindings.indexOf(bindings[index + 1]!), index + 1, name);
  }
});

test("texts cannot be moved from one field to the next", () => {
  const first = { ...asked, tool: { ...asked.tool, name: "a", description: 'b","c' } };
  const second = { ...asked, tool: { ...asked.tool, name: 'a","b', description: "c" } };
  assert.notEqual(bindingOf(first), bindingOf(second));
});
