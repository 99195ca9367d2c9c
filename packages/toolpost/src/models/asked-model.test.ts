import assert from "node:assert/strict";
import { test } from "node:test";
import type { Model, ModelDelta, ModelReply, ModelRequest } from "../core/model.ts";
import { fakeClock } from "../testing/fake-clock.ts";
import { toModel } from "./to-model.ts";
import { withRetries } from "./with-retries.ts";

const reply: ModelReply = {
  content: [{ type: "text", text: "Here." }],
  finish: "stop",
  usage: { inputTokens: 1, outputTokens: 1, totalTokens: 2, reasoningTokens: 0, cachedInputTokens: 0 },
};

function request(fields: Partial<ModelRequest> = {}): ModelRequest {
  return { prompt: [], tools: [], signal: new AbortController().signal, ...fields };
}

function wrapped(model: Model): Model {
  return withRetries(withRetries(model, { clock: fakeClock(), maxRetries: 2 }), { clock: fakeClock(), maxRetries: 2 });
}

/** How many rounds of reactions pass until the promise is settled. */
async function roundsOf(promise: Promise<unknown>): Promise<number> {
  let isSettled = false;
  void promise.then(() => (isSettled = true));
  let rounds = 0;
  for (; !isSettled; rounds++) await undefined;
  return rounds;
}

test("layers around a model of the AI SDK make no reply later than the model alone", async () => {
  const provider = {
    specificationVersion: "v4" as const,
    provider: "acme",
    modelId: "m",
    doGenerate: async () => ({ content: [], finishReason: { unified: "stop", raw: "x" }, usage: {}, warnings: [] }),
    doStream: () => assert.fail("it is not streamed"),
  };
  const model = toModel(provider);
  assert.equal(await roundsOf(wrapped(model).call(request())), await roundsOf(model.call(request())));
});

test("any model can be wrapped, whatever its call gives or throws", async () => {
  const deltas: ModelDelta[] = [];
  const given: Model = {
    id: "own:m",
    call: (_request, onDelta) => {
      onDelta?.({ type: "text-delta", id: "0", text: "Here." });
      return reply as never;
    },
  };
  assert.equal(await wrapped(given).call(request(), (delta) => deltas.push(delta)), reply);
  assert.deepEqual(deltas, [{ type: "text-delta", id: "0", text: "Here." }]);
  const fault = new Error("at once");
  const throwing: Model = {
    id: "own:m",
    call: () => {
      throw fault;
    },
  };
  await assert.rejects(wrapped(throwing).call(request()), (error) => error === fault);
});

test("a run's requests are sent as the same options as long as nothing but the prompt has grown", async () => {
  const sent: { readonly prompt: readonly unknown[]; readonly tools: unknown; readonly abortSignal: unknown }[] = [];
  const provider = {
    specificationVersion: "v2" as const,
    provider: "acme",
    modelId: "m",
    doGenerate: async (options: never) => {
      sent.push(options);
      return { content: [], finishReason: "stop", usage: {}, warnings: [] };
    },
    doStream: () => assert.fail("it is not streamed"),
  };
  const model = toModel(provider);
  const prompt: ModelRequest["prompt"][number][] = [{ role: "user", content: [{ type: "text", text: "a" }] }];
  const memo = { made: undefined };
  const first = request({ prompt, memo });
  await model.call(first);
  prompt.push({ role: "user", content: [{ type: "text", text: "b" }] });
  await model.call(first);
  assert.equal(sent[1], sent[0]);
  assert.equal(sent[0]?.abortSignal, first.signal);
  // From here on the prompt is not sent as it is.
  const data = { type: "data", data: "AAEC" } as const;
  prompt.push({ role: "user", content: [{ type: "file", mediaType: "image/png", data }] });
  await model.call(first);
  assert.notEqual(sent[2], sent[1]);
  assert.deepEqual(sent[2]?.prompt[2], {
    role: "user",
    content: [{ type: "file", mediaType: "image/png", data: "AAEC" }],
  });
  const tool = { type: "function", name: "t", description: "T", inputSchema: {} } as const;
  const second = request({ prompt, memo, tools: [tool] });
  await model.call(second);
  assert.deepEqual(sent[3]?.tools, [tool]);
  assert.equal(sent[3]?.prompt, sent[2]?.prompt);
  assert.equal(sent[3]?.abortSignal, second.signal);
});

test("two models that are given one run's request keep to themselves what they make of it", async () => {
  const prompts: unknown[] = [];
  const modelOf = (specificationVersion: "v2" | "v4"): Model =>
    toModel({
      specificationVersion,
      provider: "acme",
      modelId: "m",
      doGenerate: async ({ prompt }: { readonly prompt: readonly unknown[] }) => {
        prompts.push(prompt[0]);
        return { content: [], finishReason: "stop", usage: {}, warnings: [] };
      },
      doStream: () => assert.fail("it is not streamed"),
    } as never);
  const data = { type: "data", data: "AAEC" } as const;
  const file = { type: "file", mediaType: "image/png", data } as const;
  const shared = request({ prompt: [{ role: "user", content: [file] }], memo: { made: undefined } });
  for (const version of ["v2", "v4"] as const) await modelOf(version).call(shared);
  assert.deepEqual(prompts, [
    { role: "user", content: [{ ...file, data: "AAEC" }] },
    { role: "user", content: [file] },
  ]);
});
