import assert from "node:assert/strict";
import { test } from "node:test";
import type { Message } from "../core/message.ts";
import type { ModelDelta, ModelRequest, WireTool } from "../core/model.ts";
import { RunError } from "../core/run-errors.ts";
import type { Clock } from "../std/clock.ts";
import { scriptedModel } from "./scripted-model.ts";
import type { ScriptedReply } from "./scripted-reply.ts";
import { toModel } from "./to-model.ts";

const user = (text: string): Message => ({ role: "user", content: [{ type: "text", text }] });
const toolResult = (toolName: string, text: string): Message => ({
  role: "tool",
  content: [{ type: "tool-result", toolCallId: "a", toolName, output: { type: "text", value: text } }],
});
const tool = (name: string): WireTool => ({
  type: "function",
  name,
  description: name,
  inputSchema: { type: "object" },
});

function request(fields: Partial<ModelRequest> = {}): ModelRequest {
  return { prompt: [user("hello")], tools: [], signal: new AbortController().signal, ...fields };
}

function ignore(): void {}

test("every part of a reply comes out the same streamed and not", async () => {
  const reply: ScriptedReply = {
    reasoning: "let me see",
    text: "I look it up 🙂",
    calls: [
      { name: "search", input: { q: "x" } },
      { name: "search", id: "", input: '{"q": "un' },
      { name: "other", id: "7" },
    ],
    usage: { inputTokens: 9, outputTokens: 4, reasoningTokens: 1, cachedInputTokens: 2 },
    chunks: 4,
  };
  const whole = await toModel(scriptedModel([reply])).call(request());
  const deltas: ModelDelta[] = [];
  const streamed = await toModel(scriptedModel([reply])).call(request(), (delta) => deltas.push(delta));
  assert.deepEqual(streamed, whole);
  assert.deepEqual(whole, {
    content: [
      { type: "reasoning", text: "let me see" },
      { type: "text", text: "I look it up 🙂" },
      { type: "tool-call", toolCallId: "call_1", toolName: "search", input: '{"q":"x"}' },
      { type: "tool-call", toolCallId: "", toolName: "search", input: '{"q": "un' },
      { type: "tool-call", toolCallId: "7", toolName: "other", input: "{}" },
    ],
    finish: "tool-calls",
    rawFinish: "tool-calls",
    usage: { inputTokens: 9, outputTokens: 4, totalTokens: 13, reasoningTokens: 1, cachedInputTokens: 2 },
  });
  const texts = deltas.flatMap((delta) => (delta.type === "text-delta" ? [delta.text] : []));
  assert.deepEqual(texts, ["I lo", "ok i", "t up", " 🙂"]);
});

test("a text is a reply that stops; ids go on counting over replies", async () => {
  const scripted = scriptedModel([{ calls: [{ name: "a" }] }, { calls: [{ name: "a" }] }, "Done."]);
  const model = toModel(scripted);
  assert.equal(model.id, "scripted:script");
  const ids = [await model.call(request()), await model.call(request(), ignore)].map(({ content: [part] }) => part);
  assert.deepEqual(
    ids.map((part) => part?.type === "tool-call" && part.toolCallId),
    ["call_1", "call_2"],
  );
  const last = await model.call(request());
  assert.deepEqual(last.content, [{ type: "text", text: "Done." }]);
  assert.equal(last.finish, "stop");
  scripted.assertDone();
});

test("a request without a reply is refused, saying what was asked; assertDone says it again", async () => {
  const scripted = scriptedModel(["once"]);
  const model = toModel(scripted);
  await model.call(request());
  for (const onDelta of [ignore, undefined]) {
    const call = model.call(request({ prompt: [user("hello"), toolResult("search", "no issues")] }), onDelta);
    await assert.rejects(call, (error) => {
      assert.ok(error instanceof RunError);
      assert.equal(error.code, "scripted.unexpected-request");
      assert.match(error.message, /its one reply was given; the last message is tool: "no issues"/);
      return true;
    });
  }
  assert.throws(() => scripted.assertDone(), { code: "scripted.unexpected-request", message: /request 2 / });
  assert.equal(scripted.requests.length, 3);
});

test("replies that are left are told by assertDone and by disposing", async () => {
  const scripted = scriptedModel(["one", "two", "three"]);
  await toModel(scripted).call(request());
  assert.equal(scripted.remaining, 2);
  assert.throws(() => scripted.assertDone(), {
    code: "scripted.unused-reply",
    message: /asked 1 times .* replies\[1\], replies\[2\]$/,
  });
  assert.throws(
    () => {
      using model = scriptedModel(["never asked for"]);
      assert.equal(model.remaining, 1);
    },
    { code: "scripted.unused-reply" },
  );
});

test("a function reacts to the request, and may be asynchronous", async () => {
  const scripted = scriptedModel([
    ({ lastUser }) => `You said ${lastUser}.`,
    async ({ lastResults, toolNames, toolChoice, system, index }) => ({
      text: JSON.stringify({ lastResults, toolNames, toolChoice, system, index }),
    }),
  ]);
  const model = toModel(scripted);
  assert.deepEqual((await model.call(request())).content, [{ type: "text", text: "You said hello." }]);
  const prompt: Message[] = [
    { role: "system", content: "Be brief." },
    user("hello"),
    toolResult("old", "old result"),
    { role: "assistant", content: [{ type: "text", text: "hm" }] },
    {
      role: "tool",
      content: [
        { type: "tool-result", toolCallId: "a", toolName: "x", output: { type: "json", value: { n: 1 } } },
        {
          type: "tool-result",
          toolCallId: "b",
          toolName: "y",
          output: { type: "error-text", value: "Tool error: no" },
        },
        {
          type: "tool-result",
          toolCallId: "c",
          toolName: "z",
          output: {
            type: "content",
            value: [
              { type: "text", text: "see" },
              { type: "file", mediaType: "image/png", data: { type: "data", data: "" } },
            ],
          },
        },
      ],
    },
  ];
  const { content } = await model.call(request({ prompt, tools: [tool("x")], toolChoice: { type: "required" } }));
  assert.deepEqual(JSON.parse((content[0] as { text: string }).text), {
    lastResults: [
      { toolCallId: "a", toolName: "x", text: '{"n":1}', isError: false },
      { toolCallId: "b", toolName: "y", text: "Tool error: no", isError: true },
      { toolCallId: "c", toolName: "z", text: "see\n[file image/png]", isError: false },
    ],
    toolNames: ["x"],
    toolChoice: { type: "required" },
    system: "Be brief.",
    index: 1,
  });
});

test("one function answers every request", async () => {
  const scripted = scriptedModel(({ index }) => `reply ${index}`);
  const model = toModel(scripted);
  for (const index of [0, 1, 2])
    assert.deepEqual((await model.call(request())).content, [{ type: "text", text: `reply ${index}` }]);
  scripted.assertDone();
});

test("a script that throws, or gives no reply, makes the request an unexpected one", async () => {
  const thrown = new assert.AssertionError({ message: "wrong tools" });
  const cases: [() => never, RegExp, unknown][] = [
    [
      () => {
        throw thrown;
      },
      /its script threw: wrong tools/,
      thrown,
    ],
    [() => undefined as never, /its script gave undefined, not a reply/, undefined],
  ];
  for (const [script, message, cause] of cases) {
    const scripted = scriptedModel([script]);
    await assert.rejects(toModel(scripted).call(request()), (error: RunError) => {
      assert.equal(error.code, "scripted.unexpected-request");
      assert.match(error.message, message);
      assert.equal(error.cause, cause);
      return true;
    });
    assert.throws(() => scripted.assertDone(), { code: "scripted.unexpected-request" });
  }
});

test("what a reply expects is checked: by a function, or by what the request must be like", async () => {
  const prompt = [
    { role: "system", content: "Be brief." } as const,
    user("refund o-1"),
    toolResult("lookup", "paid 5 USD"),
  ];
  const given = request({ prompt, tools: [tool("b"), tool("a")] });
  const fitting = { lastUser: "refund", lastResult: /paid \d/g, system: /^Be/, tools: ["a", "b"] };
  const model = toModel(
    scriptedModel([
      { text: "1", expect: fitting },
      { text: "2", expect: fitting },
    ]),
  );
  await model.call(given);
  // The /g expression has no memory.
  await model.call(given);

  const refused: [ScriptedReply["expect"], RegExp][] = [
    [{ lastUser: "cancel" }, /`lastUser` should contain "cancel" and is "refund o-1"/],
    [{ lastResult: /unpaid/ }, /`lastResult` should match \/unpaid\/ and is "paid 5 USD"/],
    [{ tools: ["a"] }, /`tools` should be \[a\] and are \[a, b\]/],
    [() => assert.fail("my own check"), /my own check/],
  ];
  for (const [expect, message] of refused) {
    const scripted = scriptedModel([{ text: "no", expect }]);
    await assert.rejects(toModel(scripted).call(given), { code: "scripted.unexpected-request", message });
  }
});

test("`when` picks the reply, in order; `repeat` keeps it, and it need not be used", async () => {
  const scripted = scriptedModel([
    { when: { lastUser: "refund" }, text: "Refunding." },
    { when: { lastUser: "hello" }, text: "Hello.", repeat: true },
    { text: "Anything else?" },
  ]);
  const model = toModel(scripted);
  const say = async (text: string): Promise<unknown> => (await model.call(request({ prompt: [user(text)] }))).content;
  assert.deepEqual(await say("hello"), [{ type: "text", text: "Hello." }]);
  assert.deepEqual(await say("hello"), [{ type: "text", text: "Hello." }]);
  assert.deepEqual(await say("weather"), [{ type: "text", text: "Anything else?" }]);
  assert.throws(() => scripted.assertDone(), { message: /unused replies: replies\[0\]$/ });
  await assert.rejects(say("weather"), { message: /no reply that is left has a `when` that fits/ });
  assert.deepEqual(await say("refund"), [{ type: "text", text: "Refunding." }]);
});

test("an error is an error part after the reply's parts, or a rejection", async () => {
  const script = (): ReturnType<typeof scriptedModel> =>
    scriptedModel([{ text: "So far", error: "overloaded" }, { error: true }]);
  const streamed = toModel(script());
  await assert.rejects(streamed.call(request(), ignore), {
    code: "model.failed",
    message: "scripted:script failed: overloaded",
    data: { content: [{ type: "text", text: "So far" }] },
  });
  await assert.rejects(streamed.call(request(), ignore), { message: /the scripted model failed/ });
  await assert.rejects(toModel(script()).call(request()), { code: "model.failed", data: { content: [] } });
});

test("a cut ends the stream inside the last part, or rejects", async () => {
  const cuts: [ScriptedReply, unknown[]][] = [
    [{ text: "So far", cut: true }, [{ type: "text", text: "So far" }]],
    [{ text: "So", calls: [{ name: "a" }], cut: true }, [{ type: "text", text: "So" }]],
    [{ cut: true }, []],
  ];
  for (const [reply, content] of cuts) {
    await assert.rejects(toModel(scriptedModel([reply])).call(request(), ignore), {
      code: "model.stream-cut",
      data: { content },
    });
    await assert.rejects(toModel(scriptedModel([reply])).call(request()), {
      code: "model.failed",
      message: /connection closed/,
    });
  }
});

test("a finish reason is given as it is, and a failing one fails", async () => {
  const model = toModel(scriptedModel([{ text: "So", finish: "length" }, { finish: "error" }]));
  assert.equal((await model.call(request(), ignore)).finish, "length");
  await assert.rejects(model.call(request(), ignore), { code: "model.failed" });
});

test("a delay waits on the given clock, and an abort ends it", async () => {
  const timers: { delayMs: number; run: () => void }[] = [];
  const clock: Clock = {
    now: () => 0,
    schedule(delayMs, run) {
      const timer = { delayMs, run };
      timers.push(timer);
      return { cancel: () => void timers.splice(timers.indexOf(timer), 1) };
    },
  };
  const scripted = scriptedModel(
    [
      { text: "late", delayMs: 50 },
      { text: "never", delayMs: 50 },
    ],
    { clock },
  );
  const call = scripted.doGenerate({ prompt: [] });
  await new Promise((resolve) => setImmediate(resolve));
  assert.equal(timers[0]?.delayMs, 50);
  timers.pop()!.run();
  assert.deepEqual((await call).content, [{ type: "text", text: "late" }]);

  const controller = new AbortController();
  const aborted = scripted.doStream({ prompt: [], abortSignal: controller.signal });
  await new Promise((resolve) => setImmediate(resolve));
  controller.abort("enough");
  await assert.rejects(aborted, (error) => error === "enough");
  assert.equal(timers.length, 0);
});

test("an abort fails a stream under way, as with a provider", async () => {
  const controller = new AbortController();
  const scripted = scriptedModel([{ text: "one two", chunks: 2 }]);
  const { stream } = await scripted.doStream({ prompt: [], abortSignal: controller.signal });
  const reader = stream.getReader();
  await reader.read();
  controller.abort("enough");
  await assert.rejects(reader.read(), (error) => error === "enough");
});

test("a request is kept as it was, though its prompt goes on growing", async () => {
  const prompt: Message[] = [user("hello")];
  const scripted = scriptedModel(["one", "two"]);
  const model = toModel(scripted);
  await model.call(request({ prompt }), ignore);
  prompt.push({ role: "assistant", content: [{ type: "text", text: "one" }] }, user("again"));
  await model.call(request({ prompt }));
  const [first, second] = scripted.requests;
  assert.deepEqual(first!.prompt, [user("hello")]);
  assert.equal(first!.lastUser, "hello");
  assert.equal(first!.lastMessage, prompt[0]);
  assert.equal(first!.isStreamed, true);
  assert.equal(second!.prompt.length, 3);
  assert.equal(second!.lastUser, "again");
  assert.equal(second!.isStreamed, false);
});
