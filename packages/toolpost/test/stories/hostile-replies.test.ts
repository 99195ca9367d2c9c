// 2,000 hostile model replies, from a fixed seed: one result per call, a valid next prompt, a clean Object.prototype.

import assert from "node:assert/strict";
import { it } from "node:test";
import fc from "fast-check";
import { z } from "zod";
import { defineTool } from "../../src/author/define-tool.ts";
import type { Message } from "../../src/core/message.ts";
import { error, ok } from "../../src/core/result.ts";
import type { Tool } from "../../src/core/tool.ts";
import { desk } from "./support.ts";

const REPLIES = 2_000;
const SEED = 20_261_130;
const ODD_VALUES: unknown[] = [
  10n,
  undefined,
  null,
  Number.NaN,
  "\ud800",
  new Map([[1, 2]]),
  new Error("x"),
  () => 1,
  Symbol("s"),
];

const tools = [
  defineTool({
    name: "echo",
    description: "Echoes",
    input: z.looseObject({ x: z.unknown() }),
    execute: (input) => input,
  }),
  defineTool({
    name: "strict",
    description: "Strict",
    input: z.strictObject({ n: z.number().int() }),
    execute: ({ n }) => ODD_VALUES[Math.abs(n) % ODD_VALUES.length],
  }),
  defineTool({ name: "throws", description: "Throws", input: z.object({}), execute: () => Promise.reject(null) }),
  defineTool({ name: "shut", description: "Shut", input: z.object({}), policy: () => "deny", execute: () => 1 }),
  defineTool({
    name: "hidden",
    description: "Hidden",
    input: z.object({}),
    visibleWhen: () => false,
    execute: () => 1,
  }),
  defineTool({ name: "speaks", description: "Speaks", input: z.object({}), execute: () => ok("fine", 1) }),
  defineTool({ name: "reports", description: "Reports", input: z.object({}), execute: () => error("no") }),
] as unknown as Tool[];

const name = fc.oneof(
  fc.constantFrom(
    "echo",
    "strict",
    "throws",
    "shut",
    "hidden",
    "speaks",
    "reports",
    "constructor",
    "toString",
    "__proto__",
    "prototype",
    "",
    " ",
    "a b!",
    "x".repeat(200),
    "échò",
  ),
  fc.string({ unit: "binary", maxLength: 40 }),
);
const input = fc.oneof(
  fc.constantFrom(
    "",
    "  ",
    "null",
    "{}",
    "[1]",
    "5",
    '"text"',
    '{"x": "un',
    '{"__proto__":{"polluted":true}}',
    '{"constructor":{"prototype":{"polluted":true}}}',
    '{"x":"\\u005f_proto__"}',
    "{".repeat(3000),
    "NaN",
    "\u0000",
  ),
  fc.json().map(String),
  fc.string({ unit: "binary", maxLength: 60 }),
  fc.jsonValue().map((x) => JSON.stringify({ x })),
  fc.integer().map((n) => JSON.stringify({ n })),
);
const id = fc.oneof(
  fc.constantFrom("", "1", "call_0", "call_0:0", "1:1", "1:v1", "__proto__"),
  fc.string({ maxLength: 12 }),
);
const call = fc.record({ name, input, id });
const reply = fc.record({
  text: fc.oneof(fc.constant(""), fc.string({ unit: "binary", maxLength: 30 })),
  calls: fc.array(call, { minLength: 1, maxLength: 6 }),
  finish: fc.constantFrom("stop", "length", "content-filter", "tool-calls", "other"),
});

function assertValidPrompt(prompt: readonly Message[]): void {
  const seen = new Set<string>();
  let open: { id: string; name: string }[] = [];
  for (const message of prompt) {
    if (message.role === "assistant") {
      assert.equal(open.length, 0, "every call is answered before the model speaks again");
      assert.notEqual(message.content.length, 0);
      for (const part of message.content) {
        if (part.type === "text") assert.notEqual(part.text, "");
        if (part.type !== "tool-call") continue;
        assert.match(part.toolName, /^[a-zA-Z0-9_-]{1,64}$/);
        assert.equal(seen.has(part.toolCallId), false, `id ${part.toolCallId} is given once`);
        assert.ok(typeof part.input === "object" && part.input !== null && !Array.isArray(part.input));
        seen.add(part.toolCallId);
        open.push({ id: part.toolCallId, name: part.toolName });
      }
    }
    if (message.role === "tool") {
      assert.deepEqual(
        message.content.map((part) => ({ id: part.toolCallId, name: part.toolName })),
        open,
      );
      for (const { output } of message.content)
        if (output.type === "text" || output.type === "error-text") assert.ok(output.value.isWellFormed());
      open = [];
    }
  }
  assert.equal(open.length, 0);
  assert.deepEqual(JSON.parse(JSON.stringify(prompt)), prompt, "the history is plain JSON");
}

it(`keeps one result per call, a valid prompt and a clean prototype through ${REPLIES} hostile replies`, async () => {
  const prototypeKeys = Reflect.ownKeys(Object.prototype).length;
  const replies = fc.sample(reply, { numRuns: REPLIES, seed: SEED });
  for (let from = 0; from < REPLIES; from += 10) {
    const turns = replies.slice(from, from + 10);
    const { app, agent, model } = desk([...turns, "done"] as never, tools, {
      agent: { maxFailures: 1_000, maxToolCalls: 1_000 },
    });
    const result = await app.run(agent, "x", { stream: from % 20 === 0 });
    assert.equal(result.status, "done");
    assert.equal(
      result.calls.length,
      turns.reduce((sum, turn) => sum + turn.calls.length, 0),
    );
    for (const request of model.requests) assertValidPrompt(request.prompt);
    model.assertDone();
  }
  assert.equal(Reflect.ownKeys(Object.prototype).length, prototypeKeys);
  assert.equal(({} as { polluted?: unknown }).polluted, undefined);
});
