// The provider packages of OpenAI and Anthropic as installed, against a server on this machine that speaks their wire.
// What a test of `toModel` assumes about providers is seen here.
import assert from "node:assert/strict";
import { once } from "node:events";
import type { IncomingMessage, ServerResponse } from "node:http";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { after, test } from "node:test";
import type { AssistantPart, Message } from "../core/message.ts";
import type { Model, ModelDelta, ModelReply, ModelRequest } from "../core/model.ts";
import { ModelError } from "../core/run-errors.ts";
import { modelFromString } from "./model-from-string.ts";

/** What the server answers next: a JSON body, or events of a stream and how it ends. */
interface Answer {
  readonly status?: number;
  readonly json?: unknown;
  readonly events?: readonly { readonly type: string }[];
  /** `open`: it never ends; `break`: the connection is destroyed. */
  readonly end?: "open" | "break";
}

interface WireRequest {
  readonly path: string;
  readonly headers: IncomingMessage["headers"];
  readonly body: Record<string, unknown>;
}

const answers: Answer[] = [];
const requests: WireRequest[] = [];
let closed = Promise.withResolvers<void>();

const server = createServer(async (request, response) => {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk);
  const body = JSON.parse(Buffer.concat(chunks).toString());
  requests.push({ path: request.url!, headers: request.headers, body });
  response.on("close", () => closed.resolve());
  answer(response, answers.shift()!);
}).listen(0, "127.0.0.1");
await once(server, "listening");
after(() => {
  server.closeAllConnections();
  server.close();
});

function answer(response: ServerResponse, { status = 200, json, events, end }: Answer): void {
  if (events === undefined) {
    response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(json));
    return;
  }
  response.writeHead(200, { "content-type": "text/event-stream" });
  for (const event of events) response.write(`event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`);
  if (end === "break") response.socket!.resetAndDestroy();
  else if (end === undefined) response.end();
}

const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
const env = {
  OPENAI_API_KEY: "key-openai",
  OPENAI_BASE_URL: address,
  ANTHROPIC_API_KEY: "key-anthropic",
  ANTHROPIC_BASE_URL: address,
};
const openai = await modelFromString("openai:gpt-5.2", { directory: import.meta.dirname, env });
const anthropic = await modelFromString("anthropic:claude-sonnet-4-5", { directory: import.meta.dirname, env });

const hello: Message = { role: "user", content: [{ type: "text", text: "Search for login." }] };
const tools = [
  {
    type: "function",
    name: "search",
    description: "Searches",
    inputSchema: { type: "object", properties: { q: { type: "string" } }, required: ["q"] },
  },
] as const;

function request(fields: Partial<ModelRequest> = {}): ModelRequest {
  return { prompt: [hello], tools, signal: new AbortController().signal, ...fields };
}

/** The second turn: the reply goes back with its metadata, and the result of its call. */
function nextPrompt({ content }: ModelReply): Message[] {
  const parts = content.map(
    (part): AssistantPart => (part.type === "tool-call" ? { ...part, input: JSON.parse(part.input) } : part),
  );
  const output = { type: "text", value: "2 issues" } as const;
  const results = content.flatMap((part) =>
    part.type === "tool-call"
      ? [{ type: "tool-result" as const, toolCallId: part.toolCallId, toolName: part.toolName, output }]
      : [],
  );
  return [hello, { role: "assistant", content: parts }, { role: "tool", content: results }];
}

function answerWith(...next: Answer[]): void {
  requests.length = 0;
  answers.push(...next);
}

async function failure(model: Model, given: Answer, onDelta?: (delta: ModelDelta) => void): Promise<ModelError> {
  answerWith(given);
  const error = await model.call(request(), onDelta).then(
    () => assert.fail("it should reject"),
    (reason: unknown) => reason,
  );
  assert.ok(error instanceof ModelError, String(error));
  return error;
}

function ignore(): void {}

// OpenAI: POST /responses. Source: platform.openai.com/docs/api-reference/responses.

const openaiReasoning = {
  type: "reasoning",
  id: "rs_1",
  summary: [{ type: "summary_text", text: "I search." }],
  encrypted_content: "sealed",
};
const openaiMessage = {
  type: "message",
  id: "msg_1",
  role: "assistant",
  status: "completed",
  content: [{ type: "output_text", text: "Looking.", annotations: [] }],
};
const openaiCall = {
  type: "function_call",
  id: "fc_1",
  call_id: "call_1",
  name: "search",
  arguments: '{"q":"login"}',
  status: "completed",
};
const openaiUsage = {
  input_tokens: 20,
  input_tokens_details: { cached_tokens: 5 },
  output_tokens: 9,
  output_tokens_details: { reasoning_tokens: 4 },
  total_tokens: 29,
};
const openaiResponse = {
  id: "resp_1",
  object: "response",
  created_at: 1,
  model: "gpt-5.2",
  status: "completed",
  usage: openaiUsage,
  incomplete_details: null,
};

function openaiEvents(output: readonly { readonly type: string; readonly id: string }[]): { type: string }[] {
  const events = output.flatMap((item, output_index): { type: string }[] => {
    const at = { output_index, item_id: item.id };
    const done = { type: "response.output_item.done", output_index, item };
    if (item.type === "reasoning") {
      return [
        {
          type: "response.output_item.added",
          output_index,
          item: { ...item, summary: [], encrypted_content: null },
        } as never,
        { type: "response.reasoning_summary_part.added", ...at, summary_index: 0 } as never,
        { type: "response.reasoning_summary_text.delta", ...at, summary_index: 0, delta: "I " } as never,
        { type: "response.reasoning_summary_text.delta", ...at, summary_index: 0, delta: "search." } as never,
        { type: "response.reasoning_summary_part.done", ...at, summary_index: 0 } as never,
        done,
      ];
    }
    if (item.type === "message") {
      return [
        { type: "response.output_item.added", output_index, item: { ...item, content: [] } } as never,
        { type: "response.output_text.delta", ...at, content_index: 0, delta: "Look" } as never,
        { type: "response.output_text.delta", ...at, content_index: 0, delta: "ing." } as never,
        done,
      ];
    }
    return [
      { type: "response.output_item.added", output_index, item: { ...item, arguments: "" } } as never,
      { type: "response.function_call_arguments.delta", ...at, delta: '{"q":' } as never,
      { type: "response.function_call_arguments.delta", ...at, delta: '"login"}' } as never,
      done,
    ];
  });
  return [{ type: "response.created", response: openaiResponse } as never, ...events];
}

const openaiCompleted = { type: "response.completed", response: openaiResponse };
const openaiOutput = [openaiReasoning, openaiMessage, openaiCall];

test("openai: a turn with reasoning, text and a call reads the same streamed and not", async () => {
  answerWith(
    { json: { ...openaiResponse, output: openaiOutput } },
    { events: [...openaiEvents(openaiOutput), openaiCompleted] },
  );
  const deltas: ModelDelta[] = [];
  const whole = await openai.call(request());
  const streamed = await openai.call(request(), (delta) => deltas.push(delta));
  assert.equal(openai.id, "openai:gpt-5.2");
  assert.deepEqual(streamed, whole);
  assert.deepEqual(
    whole.content.map(({ providerOptions: _, ...part }) => part),
    [
      { type: "reasoning", text: "I search." },
      { type: "text", text: "Looking." },
      { type: "tool-call", toolCallId: "call_1", toolName: "search", input: '{"q":"login"}' },
    ],
  );
  assert.equal(whole.finish, "tool-calls");
  assert.deepEqual(whole.usage, {
    inputTokens: 20,
    outputTokens: 9,
    totalTokens: 29,
    reasoningTokens: 4,
    cachedInputTokens: 5,
  });
  assert.deepEqual(
    deltas.filter(({ type }) => type === "tool-input-delta").map((delta) => "text" in delta && delta.text),
    ['{"q":', '"login"}'],
  );

  const [first, second] = requests;
  assert.equal(first!.path, "/v1/responses");
  assert.equal(first!.headers.authorization, "Bearer key-openai");
  assert.equal(first!.body.stream, undefined);
  assert.equal(second!.body.stream, true);
  assert.deepEqual((first!.body.tools as unknown[])[0], {
    type: "function",
    name: "search",
    description: "Searches",
    parameters: tools[0].inputSchema,
    strict: false,
  });
});

for (const isStreamed of [true, false]) {
  test(`openai: reasoning, call and result go back as it wants them (${isStreamed ? "streamed" : "whole"})`, async () => {
    const stored = { providerOptions: { openai: { store: false } } };
    answerWith(
      isStreamed
        ? { events: [...openaiEvents(openaiOutput), openaiCompleted] }
        : { json: { ...openaiResponse, output: openaiOutput } },
      { json: { ...openaiResponse, output: [openaiMessage] } },
    );
    const reply = await openai.call(request(stored), isStreamed ? ignore : undefined);
    const next = await openai.call(request({ ...stored, prompt: nextPrompt(reply) }));
    assert.equal(next.finish, "stop");
    const sent = requests[1]!.body.input as Record<string, unknown>[];
    const [reasoning, , call, result] = sent.slice(1);
    assert.equal(reasoning!.type, "reasoning");
    assert.equal(reasoning!.encrypted_content, "sealed");
    assert.deepEqual([call!.type, call!.call_id, call!.arguments], ["function_call", "call_1", '{"q":"login"}']);
    assert.deepEqual(result, { type: "function_call_output", call_id: "call_1", output: "2 issues" });
  });
}

test("openai: arguments cut off by the token limit arrive as the model wrote them, with finish length", async () => {
  const cutCall = { ...openaiCall, arguments: '{"q": "un', status: "incomplete" };
  const response = { ...openaiResponse, status: "incomplete", incomplete_details: { reason: "max_output_tokens" } };
  const events = [
    { type: "response.created", response },
    { type: "response.output_item.added", output_index: 0, item: { ...cutCall, arguments: "" } },
    { type: "response.function_call_arguments.delta", item_id: "fc_1", output_index: 0, delta: '{"q": "un' },
    { type: "response.incomplete", response },
  ];
  answerWith({ json: { ...response, output: [cutCall] } }, { events });
  const whole = await openai.call(request());
  const streamed = await openai.call(request(), ignore);
  for (const { content, finish } of [whole, streamed]) {
    assert.equal(finish, "length");
    assert.deepEqual(
      content.map((part) => part.type === "tool-call" && [part.toolCallId, part.input]),
      [["call_1", '{"q": "un']],
    );
  }
});

test("openai: a stream that ends without its last event is a cut, though the provider sends a finish", async () => {
  const error = await failure(openai, { events: openaiEvents([openaiMessage]) }, ignore);
  assert.equal(error.code, "model.stream-cut");
  assert.equal((error.data as ModelReply).content[0]?.type, "text");
});

test("openai: an error event fails the call with its message", async () => {
  const event = {
    type: "error",
    sequence_number: 3,
    error: { type: "server_error", code: "server_error", message: "We had a hiccup.", param: null },
  };
  const error = await failure(openai, { events: [...openaiEvents([openaiMessage]), event as never] }, ignore);
  assert.equal(error.code, "model.failed");
  assert.match(error.message, /^openai:gpt-5.2 failed.*: .*We had a hiccup\.$/);
  assert.equal((error.data as ModelReply).content.length, 1);
});

// Anthropic: POST /messages. Source: docs.anthropic.com/en/api/messages and messages-streaming.

const anthropicThinking = { type: "thinking", thinking: "I search.", signature: "signed" };
const anthropicText = { type: "text", text: "Looking." };
const anthropicCall = { type: "tool_use", id: "toolu_1", name: "search", input: { q: "login" } };
const anthropicMessage = {
  id: "msg_1",
  type: "message",
  role: "assistant",
  model: "claude-sonnet-4-5",
  stop_sequence: null,
};
const anthropicUsage = {
  input_tokens: 15,
  cache_read_input_tokens: 5,
  cache_creation_input_tokens: 0,
  output_tokens: 9,
};

function anthropicEvents(content: readonly { readonly type: string }[]): { type: string }[] {
  const deltas: Record<string, object[]> = {
    thinking: [
      { type: "thinking_delta", thinking: "I " },
      { type: "thinking_delta", thinking: "search." },
      { type: "signature_delta", signature: "signed" },
    ],
    text: [
      { type: "text_delta", text: "Look" },
      { type: "text_delta", text: "ing." },
    ],
    tool_use: [
      { type: "input_json_delta", partial_json: '{"q":' },
      { type: "input_json_delta", partial_json: '"login"}' },
    ],
  };
  const empty: Record<string, object> = {
    thinking: { thinking: "", signature: "" },
    text: { text: "" },
    tool_use: { input: {} },
  };
  const message = {
    ...anthropicMessage,
    content: [],
    stop_reason: null,
    usage: { ...anthropicUsage, output_tokens: 1 },
  };
  return [
    { type: "message_start", message } as never,
    ...content.flatMap((block, index) => [
      { type: "content_block_start", index, content_block: { ...block, ...empty[block.type] } },
      ...deltas[block.type]!.map((delta) => ({ type: "content_block_delta", index, delta })),
      { type: "content_block_stop", index },
    ]),
  ];
}

function anthropicEnd(stop_reason: string): { type: string }[] {
  return [
    { type: "message_delta", delta: { stop_reason, stop_sequence: null }, usage: { output_tokens: 9 } } as never,
    { type: "message_stop" },
  ];
}

const anthropicContent = [anthropicThinking, anthropicText, anthropicCall];
const anthropicWhole = {
  ...anthropicMessage,
  content: anthropicContent,
  stop_reason: "tool_use",
  usage: anthropicUsage,
};

for (const isStreamed of [true, false]) {
  test(`anthropic: reasoning, call and result come and go back (${isStreamed ? "streamed" : "whole"})`, async () => {
    answerWith(
      isStreamed
        ? { events: [...anthropicEvents(anthropicContent), ...anthropicEnd("tool_use")] }
        : { json: anthropicWhole },
      { json: { ...anthropicWhole, content: [anthropicText], stop_reason: "end_turn" } },
    );
    const deltas: ModelDelta[] = [];
    const reply = await anthropic.call(request(), isStreamed ? (delta) => deltas.push(delta) : undefined);
    assert.deepEqual(reply, {
      content: [
        { type: "reasoning", text: "I search.", providerOptions: { anthropic: { signature: "signed" } } },
        { type: "text", text: "Looking." },
        { type: "tool-call", toolCallId: "toolu_1", toolName: "search", input: '{"q":"login"}' },
      ],
      finish: "tool-calls",
      rawFinish: "tool_use",
      usage: { inputTokens: 20, outputTokens: 9, totalTokens: 29, reasoningTokens: 0, cachedInputTokens: 5 },
    });
    assert.equal(
      deltas.some((delta) => "text" in delta && delta.text === ""),
      false,
    );

    const next = await anthropic.call(request({ prompt: nextPrompt(reply) }));
    assert.equal(next.finish, "stop");
    const [first, second] = requests;
    assert.equal(first!.path, "/v1/messages");
    assert.equal(first!.headers["x-api-key"], "key-anthropic");
    const [, assistant, results] = second!.body.messages as { role: string; content: unknown[] }[];
    assert.deepEqual(assistant!.content, [anthropicThinking, anthropicText, anthropicCall]);
    assert.deepEqual(results!.content, [{ type: "tool_result", tool_use_id: "toolu_1", content: "2 issues" }]);
  });
}

test("anthropic: arguments cut off by the token limit arrive as the model wrote them, with finish length", async () => {
  const events = anthropicEvents([anthropicCall]).filter((event) => !JSON.stringify(event).includes("login"));
  answerWith({ events: [...events, ...anthropicEnd("max_tokens")] });
  const { content, finish } = await anthropic.call(request(), ignore);
  assert.equal(finish, "length");
  assert.deepEqual(
    content.map((part) => part.type === "tool-call" && part.input),
    ['{"q":'],
  );
});

test("anthropic: a stream that ends early is a cut", async () => {
  const error = await failure(anthropic, { events: anthropicEvents([anthropicText]) }, ignore);
  assert.equal(error.code, "model.stream-cut");
  assert.deepEqual(error.data, { content: [{ type: "text", text: "Looking." }] });
});

test("anthropic: an error event fails the call with its message", async () => {
  const event = { type: "error", error: { type: "overloaded_error", message: "Overloaded" } };
  const error = await failure(anthropic, { events: [...anthropicEvents([anthropicText]), event] }, ignore);
  assert.equal(error.code, "model.failed");
  assert.match(error.message, /^anthropic:claude-sonnet-4-5 failed.*: Overloaded$/);
});

for (const [name, model] of Object.entries({ openai, anthropic })) {
  const started = name === "openai" ? openaiEvents([openaiMessage]) : anthropicEvents([anthropicText]);

  test(`${name}: a refused request is a failure that quotes nothing of it`, async () => {
    const json = {
      type: "error",
      error: { type: "rate_limit_error", code: "rate_limit", message: "Slow\ndown.", param: null },
    };
    for (const onDelta of [ignore, undefined]) {
      const error = await failure(model, { status: 429, json }, onDelta);
      assert.equal(error.code, "model.failed");
      assert.equal(error.message, `${model.id} failed with status 429: Slow down.`);
      assert.deepEqual(error.data, { content: [], status: 429 });
    }
  });

  test(`${name}: a connection that breaks under way is a failure with what had arrived`, async () => {
    const error = await failure(model, { events: started, end: "break" }, ignore);
    assert.equal(error.code, "model.failed");
    assert.match(error.message, /^\S+ failed with (ECONNRESET|UND_ERR_SOCKET): /);
    // Whether the last parts arrived before the reset is the network's to say.
    assert.ok(Array.isArray((error.data as ModelReply).content));
  });

  test(`${name}: an abort closes the connection to the provider`, async () => {
    closed = Promise.withResolvers();
    answerWith({ events: started, end: "open" });
    const controller = new AbortController();
    const call = model.call(request({ signal: controller.signal }), () => controller.abort("enough"));
    await assert.rejects(call, (error) => error === "enough");
    await closed.promise;
  });
}
