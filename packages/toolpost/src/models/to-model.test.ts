import assert from "node:assert/strict";
import { test } from "node:test";
import { APICallError } from "@ai-sdk/provider";
import { isToolpostError, ToolpostError } from "../core/errors.ts";
import type { Message } from "../core/message.ts";
import type { LanguageModel, Model, ModelDelta, ModelRequest, WireTool } from "../core/model.ts";
import { ModelError } from "../core/run-errors.ts";
import { toModel } from "./to-model.ts";

const hello: readonly Message[] = [{ role: "user", content: [{ type: "text", text: "hello" }] }];
const search: WireTool = { type: "function", name: "search", description: "Searches", inputSchema: { type: "object" } };
const stop = { unified: "stop", raw: "end_turn" };

interface Provider {
  readonly version?: string;
  readonly parts?: readonly unknown[];
  readonly content?: readonly unknown[];
  readonly finishReason?: unknown;
  readonly usage?: unknown;
  readonly reject?: unknown;
}

class FakeProvider implements LanguageModel {
  readonly specificationVersion: "v4";
  readonly provider = "acme.responses";
  readonly modelId = "large-1";
  readonly calls: Record<string, unknown>[] = [];
  readonly #behaviour: Provider;

  constructor(behaviour: Provider) {
    this.specificationVersion = (behaviour.version ?? "v4") as "v4";
    this.#behaviour = behaviour;
  }

  async doGenerate(options: never): Promise<unknown> {
    this.calls.push(options);
    if (this.#behaviour.reject !== undefined) throw this.#behaviour.reject;
    const { content = [], finishReason = stop, usage } = this.#behaviour;
    return { content, finishReason, usage, warnings: [] };
  }

  async doStream(options: never): Promise<unknown> {
    this.calls.push(options);
    const { parts = [], reject } = this.#behaviour;
    if (reject !== undefined) throw reject;
    return { stream: ReadableStream.from(parts) };
  }
}

function request(fields: Partial<ModelRequest> = {}): ModelRequest {
  return { prompt: hello, tools: [], signal: new AbortController().signal, ...fields };
}

async function rejection(promise: Promise<unknown>): Promise<ModelError> {
  const error = await promise.then(
    () => assert.fail("it should reject"),
    (reason: unknown) => reason,
  );
  assert.ok(error instanceof ModelError, String(error));
  return error;
}

const v2Usage = { inputTokens: 7, outputTokens: 5, totalTokens: 12, reasoningTokens: 2, cachedInputTokens: 3 };
const nestedUsage = {
  inputTokens: { total: 7, noCache: 4, cacheRead: 3, cacheWrite: 0 },
  outputTokens: { total: 5, text: 3, reasoning: 2 },
};

for (const version of ["v2", "v3", "v4"]) {
  const isV2 = version === "v2";
  const usage = isV2 ? v2Usage : nestedUsage;
  const finishReason = isV2 ? "tool-calls" : { unified: "tool-calls", raw: "tool_use" };
  const signature = { acme: { signature: "sig" } };
  const call = { type: "tool-call", toolCallId: "c1", toolName: "search", input: '{"q":1}' };
  const file = {
    type: "file",
    mediaType: "image/png",
    data: version === "v4" ? { type: "data", data: "AAEC" } : "AAEC",
  };

  const provider = new FakeProvider({
    version,
    content: [
      { type: "reasoning", text: "hm, so", providerMetadata: signature },
      { type: "text", text: "I look." },
      call,
      file,
    ],
    parts: [
      { type: "stream-start", warnings: [] },
      { type: "reasoning-start", id: "0" },
      { type: "reasoning-delta", id: "0", delta: "hm, " },
      { type: "reasoning-delta", id: "0", delta: "so" },
      { type: "reasoning-delta", id: "0", delta: "", providerMetadata: signature },
      { type: "reasoning-end", id: "0" },
      { type: "text-start", id: "0" },
      { type: "text-delta", id: "0", delta: "I " },
      { type: "text-delta", id: "0", delta: "look." },
      { type: "text-end", id: "0" },
      { type: "tool-input-start", id: "c1", toolName: "search" },
      { type: "tool-input-delta", id: "c1", delta: '{"q"' },
      { type: "tool-input-delta", id: "c1", delta: ":1}" },
      { type: "tool-input-end", id: "c1" },
      call,
      file,
      { type: "finish", finishReason, usage },
    ],
    finishReason,
    usage,
  });

  test(`a ${version} model gives the same reply streamed and not`, async () => {
    const model = toModel(provider);
    const deltas: ModelDelta[] = [];
    const streamed = await model.call(request(), (delta) => deltas.push(delta));
    assert.deepEqual(streamed, {
      content: [
        { type: "reasoning", text: "hm, so", providerOptions: signature },
        { type: "text", text: "I look." },
        call,
        { type: "file", mediaType: "image/png", data: { type: "data", data: "AAEC" } },
      ],
      finish: "tool-calls",
      ...(!isV2 && { rawFinish: "tool_use" }),
      usage: v2Usage,
    });
    assert.deepEqual(await model.call(request()), streamed);
    assert.deepEqual(deltas, [
      { type: "reasoning-delta", id: "0", text: "hm, " },
      { type: "reasoning-delta", id: "0", text: "so" },
      { type: "reasoning-end", id: "0" },
      { type: "text-delta", id: "0", text: "I " },
      { type: "text-delta", id: "0", text: "look." },
      { type: "text-end", id: "0" },
      { type: "tool-input-delta", id: "c1", toolName: "search", text: '{"q"' },
      { type: "tool-input-delta", id: "c1", toolName: "search", text: ":1}" },
    ]);
  });
}

test("a model's id is its provider's family and its name; a Model passes as it is", () => {
  const model = toModel(new FakeProvider({}));
  assert.equal(model.id, "acme:large-1");
  assert.equal(toModel(model), model);
});

test("what is no language model is refused, saying what to pass", () => {
  const cases: [unknown, RegExp][] = [
    ["openai:gpt-5.2", /the text `openai:gpt-5.2`/],
    [{ specificationVersion: "v1", doGenerate() {}, doStream() {} }, /specification `v1`/],
    [() => undefined, /type function without `specificationVersion`/],
    [undefined, /type undefined/],
    [{ specificationVersion: "v4" }, /specification `v4`/],
  ];
  for (const [value, message] of cases) {
    assert.throws(
      () => toModel(value as Model),
      (error: ToolpostError) =>
        error.code === "model.unsupported" && message.test(error.message) && /openai\(/.test(error.hint!),
    );
  }
});

test("the request reaches the provider: settings, tools, signal, and a v4 prompt as the same array", async () => {
  const provider = new FakeProvider({});
  const wanted = request({
    tools: [search],
    toolChoice: { type: "required" },
    thinking: "high",
    maxOutputTokens: 10,
    temperature: 0.5,
    providerOptions: { acme: { tier: "flex" } },
  });
  await toModel(provider).call(wanted);
  const { prompt, tools, toolChoice, reasoning, maxOutputTokens, temperature, providerOptions, abortSignal } =
    provider.calls[0]!;
  assert.equal(prompt, wanted.prompt);
  assert.equal(tools, wanted.tools);
  assert.equal(abortSignal, wanted.signal);
  assert.deepEqual(
    { toolChoice, reasoning, maxOutputTokens, temperature, providerOptions },
    {
      toolChoice: { type: "required" },
      reasoning: "high",
      maxOutputTokens: 10,
      temperature: 0.5,
      providerOptions: { acme: { tier: "flex" } },
    },
  );
});

test("without tools neither tools nor a choice among them are sent", async () => {
  const provider = new FakeProvider({});
  await toModel(provider).call(request({ toolChoice: { type: "auto" } }));
  assert.equal(provider.calls[0]!.tools, undefined);
  assert.equal(provider.calls[0]!.toolChoice, undefined);
});

for (const finishReason of ["error", { unified: "error", raw: "x" }]) {
  test(`a reply that ends with ${JSON.stringify(finishReason)} is a failure, streamed or not`, async () => {
    const provider = new FakeProvider({
      content: [{ type: "text", text: "So" }],
      parts: [{ type: "finish", finishReason }],
      finishReason,
    });
    const streamed = await rejection(toModel(provider).call(request(), ignore));
    assert.equal(streamed.code, "model.failed");
    const whole = await rejection(toModel(provider).call(request()));
    assert.equal(whole.code, "model.failed");
    const named = typeof finishReason === "string" ? {} : { rawFinish: "x" };
    assert.deepEqual(whole.data, { content: [{ type: "text", text: "So" }], ...named });
    assert.equal(whole.message.endsWith('"error" (x)'), typeof finishReason !== "string");
  });
}

test("a provider that says its answer was interrupted is a cut, not an answer", async () => {
  const finishReason = { unified: "interrupted", raw: undefined };
  const provider = new FakeProvider({
    parts: [
      { type: "text-start", id: "1" },
      { type: "text-delta", id: "1", delta: "So" },
      { type: "finish", finishReason },
    ],
    content: [{ type: "text", text: "So" }],
    finishReason,
  });
  for (const onDelta of [ignore, undefined]) {
    const error = await rejection(toModel(provider).call(request(), onDelta));
    assert.equal(error.code, "model.stream-cut");
    assert.deepEqual(error.data, { content: [{ type: "text", text: "So" }] });
  }
});

test("calls with repeated or missing ids all come through, each with its own arguments", async () => {
  const inputs = ['{"x":1}', '{"x":2}', "not json", ""];
  const ids = ["1", "1", "", ""];
  const calls = inputs.map((input, index) => ({
    type: "tool-call",
    toolCallId: ids[index],
    toolName: "search",
    input,
  }));
  const parts = calls.flatMap((call) => [{ type: "tool-input-start", id: call.toolCallId, toolName: "search" }, call]);
  const provider = new FakeProvider({ content: calls, parts: [...parts, { type: "finish", finishReason: stop }] });
  const model = toModel(provider);
  assert.deepEqual((await model.call(request(), ignore)).content, calls);
  assert.deepEqual((await model.call(request())).content, calls);
});

test("calls are told by content, whatever the finish reason says", async () => {
  const call = { type: "tool-call", toolCallId: "a", toolName: "search", input: "{}" };
  const provider = new FakeProvider({ content: [call], parts: [call, { type: "finish", finishReason: stop }] });
  for (const onDelta of [ignore, undefined]) {
    const reply = await toModel(provider).call(request(), onDelta);
    assert.deepEqual(reply.content, [call]);
    assert.equal(reply.finish, "stop");
  }
});

test("a rejecting provider is a failure in one short line, without what was sent", async () => {
  const cause = new APICallError({
    message: "Incorrect API key\nprovided",
    url: "https://api.acme.test/v1",
    requestBodyValues: { secret: "request-body" },
    responseHeaders: { "x-secret": "header" },
    responseBody: "response-body",
    statusCode: 401,
  });
  const provider = new FakeProvider({ reject: cause });
  for (const onDelta of [ignore, undefined]) {
    const error = await rejection(toModel(provider).call(request(), onDelta));
    assert.equal(error.message, "acme:large-1 failed with status 401: Incorrect API key provided");
    assert.equal(error.cause, cause);
    assert.deepEqual([error.status, error.data], [401, { content: [], status: 401 }]);
  }
  const long = await rejection(toModel(new FakeProvider({ reject: new Error("x".repeat(10_000)) })).call(request()));
  assert.ok(long.message.length < 400);
  assert.equal(long.status, undefined);
});

test("an error of Toolpost passes as it is: it says itself what to do", async () => {
  const own = new ToolpostError("scripted.unexpected-request", "asked once more");
  const provider = new FakeProvider({ reject: own });
  await assert.rejects(toModel(provider).call(request()), (error) => error === own && isToolpostError(error));
});

test("a provider that gives no stream, no content or nothing fails the call", async () => {
  for (const result of [undefined, {}, { stream: "text" }]) {
    const give = async (): Promise<unknown> => result;
    const provider = {
      specificationVersion: "v4",
      provider: "acme",
      modelId: "m",
      doGenerate: give,
      doStream: give,
    } as const;
    assert.equal((await rejection(toModel(provider).call(request(), ignore))).code, "model.failed");
    assert.equal((await rejection(toModel(provider).call(request()))).code, "model.failed");
  }
});

test("an abort rejects at once with its reason, though the provider ignores the signal", async () => {
  const reason = new Error("enough");
  const provider = {
    specificationVersion: "v4",
    provider: "acme",
    modelId: "m",
    doGenerate: never,
    doStream: never,
  } as const;
  for (const onDelta of [ignore, undefined]) {
    const controller = new AbortController();
    const call = toModel(provider).call(request({ signal: controller.signal }), onDelta);
    controller.abort(reason);
    await assert.rejects(call, (error) => error === reason);
  }
});

test("a stream that comes after the abort is cancelled unread", async () => {
  const controller = new AbortController();
  const { promise, resolve } = Promise.withResolvers<unknown>();
  const provider = {
    specificationVersion: "v4",
    provider: "acme",
    modelId: "m",
    doGenerate: never,
    doStream: () => promise,
  } as const;
  const call = toModel(provider).call(request({ signal: controller.signal }), () => assert.fail("no delta"));
  controller.abort("enough");
  await assert.rejects(call, (error) => error === "enough");
  const cancelled = Promise.withResolvers<unknown>();
  resolve({
    stream: new ReadableStream({
      pull: (c) => c.enqueue({ type: "text-delta", delta: "x" }),
      cancel: cancelled.resolve,
    }),
  });
  assert.equal(await cancelled.promise, "enough");
});

test("aborted beforehand, the provider is not asked", async () => {
  const provider = new FakeProvider({});
  await assert.rejects(
    toModel(provider).call(request({ signal: AbortSignal.abort("before") })),
    (error) => error === "before",
  );
  assert.equal(provider.calls.length, 0);
});

test("the provider's own abort error gives way to the signal's reason", async () => {
  const controller = new AbortController();
  const doGenerate = async (): Promise<never> => {
    controller.abort("reason");
    throw new DOMException("This operation was aborted", "AbortError");
  };
  const provider = { specificationVersion: "v4", provider: "acme", modelId: "m", doGenerate, doStream: never } as const;
  await assert.rejects(toModel(provider).call(request({ signal: controller.signal })), (error) => error === "reason");
});

test("a call leaves no listener on its signal", async () => {
  const { signal } = new AbortController();
  let listeners = 0;
  signal.addEventListener = () => void listeners++;
  signal.removeEventListener = () => void listeners--;
  const provider = new FakeProvider({ parts: [{ type: "finish", finishReason: stop }] });
  await toModel(provider).call(request({ signal }), ignore);
  await toModel(provider).call(request({ signal }));
  await rejection(toModel(new FakeProvider({})).call(request({ signal }), ignore));
  assert.equal(listeners, 0);
});

function ignore(): void {}

function never(): Promise<never> {
  return new Promise(() => undefined);
}
