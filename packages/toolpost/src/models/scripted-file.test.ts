import assert from "node:assert/strict";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import type { ModelRequest } from "../core/model.ts";
import { scriptedFile } from "./scripted-file.ts";
import { toModel } from "./to-model.ts";

const folder = await mkdtemp(join(tmpdir(), "toolpost-scripted-"));
after(() => rm(folder, { recursive: true, force: true }));

async function file(text: string, name = "demo.yaml"): Promise<string> {
  const path = join(folder, name);
  await writeFile(path, text);
  return path;
}

function say(text: string): ModelRequest {
  return {
    prompt: [{ role: "user", content: [{ type: "text", text }] }],
    tools: [],
    signal: new AbortController().signal,
  };
}

test("every field of a reply is read", async () => {
  const scripted = await scriptedFile(
    await file(`
# A refund, step by step.
replies:
  - Hello.
  - when: { lastUser: /REFUND/i }
    reasoning: They want money.
    text: I look it up.
    calls:
      - { name: lookup_order, id: c1, input: { orderId: o-1, lines: [1, 2] } }
      - { name: lookup_order, input: '{"orderId": "un' }
    usage: { inputTokens: 10, outputTokens: 5, reasoningTokens: 1, cachedInputTokens: 2 }
    chunks: 3
    delayMs: 0
    repeat: true
  - { error: overloaded }
  - { error: true }
  - { text: So, cut: true }
  - { text: So, finish: length, cut: false, expect: { system: "", tools: [] } }
`),
  );
  assert.equal(scripted.remaining, 5);
  const model = toModel(scripted);
  assert.equal(model.id, "scripted:demo");
  assert.deepEqual((await model.call(say("hi"))).content, [{ type: "text", text: "Hello." }]);
  const reply = await model.call(say("a refund, please"), () => undefined);
  assert.deepEqual(reply, {
    content: [
      { type: "reasoning", text: "They want money." },
      { type: "text", text: "I look it up." },
      { type: "tool-call", toolCallId: "c1", toolName: "lookup_order", input: '{"orderId":"o-1","lines":[1,2]}' },
      { type: "tool-call", toolCallId: "call_1", toolName: "lookup_order", input: '{"orderId": "un' },
    ],
    finish: "tool-calls",
    rawFinish: "tool-calls",
    usage: { inputTokens: 10, outputTokens: 5, totalTokens: 15, reasoningTokens: 1, cachedInputTokens: 2 },
  });
  await assert.rejects(model.call(say("hi")), { code: "model.failed", message: /overloaded/ });
  await assert.rejects(model.call(say("hi")), { code: "model.failed" });
  await assert.rejects(
    model.call(say("hi"), () => undefined),
    { code: "model.stream-cut" },
  );
  assert.equal((await model.call(say("hi"))).finish, "length");
  scripted.assertDone();
});

test("a bare list, and JSON, are files too", async () => {
  const model = toModel(await scriptedFile(await file('["One.", {"text": "Two."}]', "demo.json")));
  assert.deepEqual((await model.call(say("hi"))).content, [{ type: "text", text: "One." }]);
  assert.deepEqual((await model.call(say("hi"))).content, [{ type: "text", text: "Two." }]);
});

test("what does not fit is told with its place", async () => {
  const cases: [string, string][] = [
    ["[a, b, { calls: [{ id: x }] }]", "`replies[2].calls[0].name` should be a text and is missing"],
    ["[{ calls: [{ name: 7 }] }]", "`replies[0].calls[0].name` should be a text and is 7"],
    [
      "[{ calls: [{ name: a, input: 7 }] }]",
      "`replies[0].calls[0].input` should be a mapping, or the raw text of the arguments and is 7",
    ],
    ["[{ calls: { name: a } }]", '`replies[0].calls` should be a list and is {"name":"a"}'],
    ["[7]", "`replies[0]` should be a mapping and is 7"],
    ["[{ text: }]", "`replies[0].text` should be a text and is empty"],
    [
      "[{ finish: done }]",
      '`replies[0].finish` should be one of stop, length, content-filter, tool-calls, error, other and is "done"',
    ],
    ["[{ usage: { inputTokens: -1 } }]", "`replies[0].usage.inputTokens` should be a whole number from 0 and is -1"],
    ["[{ chunks: 0 }]", "`replies[0].chunks` should be a whole number from 1 and is 0"],
    ["[{ cut: maybe }]", '`replies[0].cut` should be true and is "maybe"'],
    [
      "[{ when: { lastUser: /(/ } }]",
      '`replies[0].when.lastUser` should be a text or a regular expression like /refund/i and is "/(/"',
    ],
    ["[{ expect: { tools: a } }]", '`replies[0].expect.tools` should be a list and is "a"'],
    ["[{ txet: hi }]", "`replies[0].txet` is not a known key; did you mean `text`?"],
    ["[{ when: { lastUsr: hi } }]", "`replies[0].when.lastUsr` is not a known key; did you mean `lastUser`?"],
    [
      "[{ calls: [{ name: a, arguments: {} }] }]",
      "`replies[0].calls[0].arguments` is not a known key; known are name, id, input",
    ],
    ["[{ __proto__: { text: hi } }]", "`replies[0].__proto__` is not a known key; known are"],
    ["[{ constructor: hi }]", "`replies[0].constructor` is not a known key; known are"],
    ["reply: [a]", "`reply` is not a known key; known are replies"],
    ["{}", "`replies` should be a list and is missing"],
    ["[{ calls: [{ nmae: a }] }]", "`replies[0].calls[0].nmae` is not a known key; did you mean `name`?"],
    ["", "the file should be a mapping and is empty"],
    ["[a, ", "Flow sequence"],
  ];
  for (const [content, problem] of cases) {
    const path = await file(content);
    await assert.rejects(scriptedFile(path), (error: { code: string; message: string; data: unknown }) => {
      assert.equal(error.code, "scripted.file-invalid");
      assert.ok(error.message.startsWith(`${path}: ${problem}`), error.message);
      assert.ok(!error.message.includes("\n"));
      assert.deepEqual(error.data, { file: path });
      return true;
    });
  }
});

test("a file that is not there is told with its path", async () => {
  await assert.rejects(scriptedFile(join(folder, "none.yaml")), {
    code: "scripted.file-invalid",
    message: /none\.yaml: ENOENT/,
  });
});
