// Calls that a provider executes itself: they and their results go back as they came where the API and its package have a
// place for them, beside calls of ours, and run nothing. Elsewhere they are text, and the log says so.
import assert from "node:assert/strict";
import { test } from "node:test";
import { z } from "zod";
import { defineTool } from "../../src/author/define-tool.ts";
import { callsIn, resultsIn } from "./lib/check-request.ts";
import { eventStream, fakeReply } from "./lib/fake-reply.ts";
import type { Provider } from "./lib/providers.ts";
import { providers } from "./lib/providers.ts";
import type { Item, Json } from "./lib/read-request.ts";
import type { Answer } from "./lib/wire-bench.ts";
import { wireBench } from "./lib/wire-bench.ts";

/** A reply in which the provider searched or computed, then said something, then called `note`. */
interface OwnReply {
  /** As it must go back. */
  readonly own: readonly Json[];
  answer(isStreamed: boolean): Response;
}

const anthropicContent: readonly Json[] = [
  { type: "server_tool_use", id: "srvtoolu_1", name: "web_search", input: { query: "lathe" } },
  {
    type: "web_search_tool_result",
    tool_use_id: "srvtoolu_1",
    content: [
      { type: "web_search_result", url: "https://a.test/", title: "A", encrypted_content: "sealed", page_age: null },
    ],
  },
  { type: "text", text: "I found it." },
  { type: "tool_use", id: "call_9", name: "note", input: { text: "lathe" } },
];
const anthropicHead = { id: "msg_1", type: "message", role: "assistant", model: "claude-sonnet-4-5" };

const anthropic: OwnReply = {
  own: anthropicContent.slice(0, 2),
  answer(isStreamed) {
    const end = { stop_reason: "tool_use", stop_sequence: null };
    const usage = { input_tokens: 5, output_tokens: 3 };
    if (!isStreamed) return Response.json({ ...anthropicHead, content: anthropicContent, ...end, usage });
    const message = { ...anthropicHead, content: [], stop_reason: null, stop_sequence: null, usage };
    return eventStream([
      { type: "message_start", message },
      ...anthropicContent.flatMap((block, index): Json[] => {
        const isCall = block.input !== undefined;
        const start = isCall ? { ...block, input: {} } : block.type === "text" ? { ...block, text: "" } : block;
        const delta = isCall
          ? { type: "input_json_delta", partial_json: JSON.stringify(block.input) }
          : { type: "text_delta", text: block.text };
        return [
          { type: "content_block_start", index, content_block: start },
          ...(start === block ? [] : [{ type: "content_block_delta", index, delta }]),
          { type: "content_block_stop", index },
        ];
      }),
      { type: "message_delta", delta: end, usage: { output_tokens: 3 } },
      { type: "message_stop" },
    ]);
  },
};

const responsesItems: readonly Json[] = [
  {
    type: "web_search_call",
    id: "ws_1",
    status: "completed",
    action: { type: "search", query: "lathe", sources: [] },
  },
  {
    type: "message",
    id: "msg_9",
    role: "assistant",
    status: "completed",
    content: [{ type: "output_text", text: "I found it.", annotations: [], logprobs: [] }],
  },
  {
    type: "function_call",
    id: "fc_9",
    call_id: "call_9",
    name: "note",
    arguments: '{"text":"lathe"}',
    status: "completed",
  },
];

const responses: OwnReply = {
  own: responsesItems.slice(0, 1),
  answer(isStreamed) {
    const response = {
      id: "resp_1",
      object: "response",
      created_at: 1,
      model: "gpt-5.2",
      status: "completed",
      incomplete_details: null,
      usage: { input_tokens: 5, output_tokens: 3, total_tokens: 8 },
    };
    if (!isStreamed) return Response.json({ ...response, output: responsesItems });
    const unsaid: Readonly<Record<string, Json>> = { message: { content: [] }, function_call: { arguments: "" } };
    return eventStream([
      { type: "response.created", response: { ...response, status: "in_progress" } },
      ...responsesItems.flatMap((item, output_index): Json[] => [
        { type: "response.output_item.added", output_index, item: { ...item, ...unsaid[item.type] } },
        ...(item.type === "message"
          ? [{ type: "response.output_text.delta", output_index, item_id: item.id, delta: item.content[0].text }]
          : []),
        { type: "response.output_item.done", output_index, item },
      ]),
      { type: "response.completed", response },
    ]);
  },
};

const geminiParts: readonly Json[] = [
  { executableCode: { language: "PYTHON", code: "print(1)" } },
  { codeExecutionResult: { outcome: "OUTCOME_OK", output: "1\n" } },
  { text: "I found it." },
  { functionCall: { id: "call_9", name: "note", args: { text: "lathe" } } },
];

const gemini: OwnReply = {
  own: geminiParts.slice(0, 2),
  answer(isStreamed) {
    const chunk = (parts: readonly Json[], finishReason?: string): Json => ({
      candidates: [
        { index: 0, content: { role: "model", parts }, ...(finishReason !== undefined && { finishReason }) },
      ],
      usageMetadata: { promptTokenCount: 5, candidatesTokenCount: 3, totalTokenCount: 8 },
    });
    if (!isStreamed) return Response.json(chunk(geminiParts, "STOP"));
    return eventStream([...geminiParts.map((part) => chunk([part])), chunk([], "STOP")]);
  },
};

const replies: Readonly<Record<string, OwnReply>> = { anthropic, responses, gemini };

const note = defineTool({
  name: "note",
  description: "Notes",
  input: z.object({ text: z.string() }),
  execute: ({ text }) => `noted ${text}`,
});

/** What stands before the text and the call of the reply in the request that follows. */
function expectedBefore({ api, name, isStoring }: Provider): { readonly own: readonly Json[]; readonly texts: number } {
  const isOldest = name.includes("-oldest");
  // Without a store, OpenAI's package of v2 has no way to send it and says so.
  if (api === "responses" && isOldest && !isStoring) return { own: [], texts: 0 };
  if (api === "gemini" && (isOldest || name.includes("-previous"))) return { own: [], texts: 2 };
  return { own: replies[api]!.own, texts: 0 };
}

for (const provider of providers.filter(({ api }) => Object.hasOwn(replies, api))) {
  for (const stream of [true, false]) {
    test(`${provider.name}, ${stream ? "streamed" : "whole"}: the provider's own call and result go back as they came, or as text`, async () => {
      const { api } = provider;
      const answers: Answer[] = [
        { fake: replies[api]!.answer },
        fakeReply(api, { parts: [{ text: "Done." }], finish: "stop" }),
      ];
      const bench = await wireBench(provider, answers, { tools: [note] });
      const { text, calls } = await bench.run("Search.", { stream });
      assert.deepEqual([text, calls.map(({ text: result }) => result)], ["Done.", ["noted lathe"]]);
      const [, assistant, results] = bench.requests[1]?.groups ?? [];
      const expected = expectedBefore(provider);
      // A signature that a package adds to a call is none of the reply's.
      const sent = (assistant?.items ?? []).filter(({ kind }) => kind !== "reasoning");
      assert.deepEqual(
        sent.flatMap((item) => (item.kind === "own" ? [item.part] : [])),
        expected.own,
      );
      assert.deepEqual(sent.slice(expected.own.length).map(brief), [
        ...told.slice(0, expected.texts),
        "text I found it.",
        "call",
      ]);
      assert.deepEqual([callsIn(assistant)[0]?.id, resultsIn(results)[0]?.id], ["call_9", "call_9"]);
      const isLost = expected.own.length === 0;
      assert.equal(
        bench.log.some(({ message }) => /code_execution|web_search/.test(message)),
        isLost,
      );
    });
  }
}

const told = [
  'text [called `code_execution` with {"language":"PYTHON","code":"print(1)"}]',
  'text [`code_execution` gave {"outcome":"OUTCOME_OK","output":"1\\n"}]',
];

function brief(item: Item): string {
  return item.kind === "text" ? `text ${item.text}` : item.kind;
}

const [begun] = providers.filter(({ api }) => api === "anthropic");
for (const provider of providers.filter(({ api }) => api === "chat" || api === "gemini")) {
  test(`${provider.name}: a conversation that began with Anthropic's own call and signed reasoning goes on`, async () => {
    const first = await wireBench(begun!, [{ fake: anthropic.answer }, { content: "Done." }], { tools: [note] });
    await first.run("Search.", { threadId: "t" });
    const answers = [fakeReply(provider.api, { parts: [{ text: "Still here." }], finish: "stop" })];
    const bench = await wireBench(provider, answers, { tools: [note], app: { threads: first.threads } });
    assert.equal((await bench.run("Go on.", { threadId: "t" })).text, "Still here.");
    const [request] = bench.requests;
    assert.equal(callsIn(request?.groups[1]).length, 1);
    assert.deepEqual(
      resultsIn(request?.groups[2]).map(({ text }) => text),
      ["noted lathe"],
    );
  });
}
