// Replies that the mock cannot give, as the bodies of four APIs, whole and as streams: arguments that are no JSON, refusals,
// finish reasons nobody knows, signatures of our own choice.
// Source: the API references of OpenAI (Responses, Chat Completions), Anthropic (Messages) and Gemini (generateContent).
import type { Api } from "./providers.ts";
import type { Json } from "./read-request.ts";

export type FakePart =
  | { readonly text: string }
  | { readonly reasoning: string; readonly signature: string }
  /** Without an id the API gives none. The signature is Gemini's only, which has them on calls. */
  | {
      readonly call: string;
      readonly id: string | undefined;
      readonly arguments: string;
      readonly signature?: string;
    }
  | { readonly refusal: string }
  /** Of a kind that no package knows yet. */
  | { readonly moon: string };

export type FakeFinish = "paused" | "stop" | "calls" | "length" | "filter" | "malformed-call" | "unheard-of";

/** How a stream comes to its end otherwise than by its last event. */
export type FakeEnd = { readonly error: string } | "closed";

export interface FakeReply {
  readonly parts: readonly FakePart[];
  readonly finish: FakeFinish;
  /** Streamed only: after the parts. */
  readonly end?: FakeEnd;
}

/** An answer for `wireBench`. */
export function fakeReply(api: Api, reply: FakeReply): { readonly fake: (isStreamed: boolean) => Response } {
  const { whole, events } = fakes[api];
  return {
    fake: (isStreamed) => (isStreamed ? eventStream(events(reply)) : Response.json(whole(reply))),
  };
}

/** A refusal by status, with headers. */
export function fakeStatus(
  status: number,
  headers: Readonly<Record<string, string>> = {},
  error: object = {},
): { readonly fake: () => Response } {
  const body = { type: "error", error: { message: "not now", type: "api_error", code: null, ...error } };
  return { fake: () => Response.json(body, { status, headers }) };
}

export function eventStream(events: readonly Json[]): Response {
  const text = events.map(
    (event) => `${event.type === undefined ? "" : `event: ${event.type}\n`}data: ${JSON.stringify(event)}\n\n`,
  );
  return new Response(text.join(""), { headers: { "content-type": "text/event-stream" } });
}

interface Fake {
  whole(reply: FakeReply): Json;
  events(reply: FakeReply): Json[];
}

const responses: Fake = {
  whole: (reply) => ({ ...responseHead(reply), output: reply.parts.map((part) => responseItem(part)) }),
  events: (reply) => {
    const head = responseHead(reply);
    const events: Json[] = [{ type: "response.created", response: { ...head, status: "in_progress" } }];
    for (const [output_index, part] of reply.parts.entries()) {
      const item = responseItem(part);
      const at = { output_index, item_id: item.id };
      if ("text" in part) {
        events.push({ type: "response.output_item.added", output_index, item: { ...item, content: [] } });
        events.push({ type: "response.output_text.delta", ...at, content_index: 0, delta: part.text });
      } else if ("call" in part) {
        events.push({ type: "response.output_item.added", output_index, item: { ...item, arguments: "" } });
        events.push({ type: "response.function_call_arguments.delta", ...at, delta: part.arguments });
      } else if ("reasoning" in part) {
        events.push({
          type: "response.output_item.added",
          output_index,
          item: { ...item, summary: [], encrypted_content: null },
        });
        events.push({ type: "response.reasoning_summary_part.added", ...at, summary_index: 0 });
        events.push({ type: "response.reasoning_summary_text.delta", ...at, summary_index: 0, delta: part.reasoning });
      } else if ("moon" in part) {
        events.push({ type: "response.output_item.added", output_index, item });
        events.push({ type: "response.moon_phase.delta", ...at, delta: part.moon });
      } else {
        events.push({ type: "response.output_item.added", output_index, item: { ...item, content: [] } });
        events.push({ type: "response.refusal.delta", ...at, content_index: 0, delta: part.refusal });
      }
      // A call that the token limit cut off is never done.
      if (!("call" in part && reply.finish === "length"))
        events.push({ type: "response.output_item.done", output_index, item });
    }
    if (reply.end === "closed") return events;
    if (reply.end !== undefined) {
      const error = { type: reply.end.error, code: reply.end.error, message: "broken off", param: null };
      return [...events, { type: "error", sequence_number: 9, error }];
    }
    return [
      ...events,
      { type: head.status === "completed" ? "response.completed" : "response.incomplete", response: head },
    ];
  },
};

function responseHead({ finish }: FakeReply): Json {
  const reasons: Partial<Record<FakeFinish, string>> = {
    length: "max_output_tokens",
    filter: "content_filter",
    "unheard-of": "moon_phase",
  };
  const reason = reasons[finish];
  return {
    id: "resp_1",
    object: "response",
    created_at: 1,
    model: "gpt-5.2",
    status: reason === undefined ? "completed" : "incomplete",
    incomplete_details: reason === undefined ? null : { reason },
    usage: { input_tokens: 5, output_tokens: 3, total_tokens: 8 },
  };
}

let madeItems = 0;

/** No id comes twice, as at OpenAI, which stores items under them. */
function responseItem(part: FakePart): Json {
  const number = madeItems++;
  if ("moon" in part) return { type: "moon_phase", id: `mp_${number}`, phase: part.moon };
  if ("call" in part) {
    const { call, id, arguments: text } = part;
    return { type: "function_call", id: `fc_${number}`, call_id: id, name: call, arguments: text, status: "completed" };
  }
  if ("reasoning" in part) {
    const summary = [{ type: "summary_text", text: part.reasoning }];
    return { type: "reasoning", id: `rs_${number}`, summary, encrypted_content: part.signature };
  }
  const content =
    "refusal" in part
      ? { type: "refusal", refusal: part.refusal }
      : { type: "output_text", text: part.text, annotations: [], logprobs: [] };
  return { type: "message", id: `msg_${number}`, role: "assistant", status: "completed", content: [content] };
}

const chat: Fake = {
  whole: (reply) => ({
    ...chatHead("chat.completion"),
    choices: [
      {
        index: 0,
        message: { role: "assistant", content: null, ...Object.assign({}, ...chatDeltas(reply, false)) },
        finish_reason: chatFinish(reply),
      },
    ],
    usage: chatUsage,
  }),
  events: (reply) => {
    const chunk = (delta: Json, finish_reason: string | null = null): Json => ({
      ...chatHead("chat.completion.chunk"),
      choices: [{ index: 0, delta, finish_reason }],
    });
    const events = [chunk({ role: "assistant" }), ...chatDeltas(reply, true).map((delta) => chunk(delta))];
    if (reply.end === "closed") return events;
    if (reply.end !== undefined)
      return [...events, { error: { message: "broken off", type: reply.end.error, code: null, param: null } }];
    return [
      ...events,
      chunk({}, chatFinish(reply)),
      { ...chatHead("chat.completion.chunk"), choices: [], usage: chatUsage },
    ];
  },
};

const chatUsage = { prompt_tokens: 5, completion_tokens: 3, total_tokens: 8 };

function chatHead(object: string): Json {
  return { id: "chatcmpl_1", object, created: 1, model: "m" };
}

/** Pieces of the message; calls whole come in one list, streamed each in a piece with its index. */
function chatDeltas({ parts }: FakeReply, isStreamed: boolean): Json[] {
  const calls = parts
    .flatMap((part) => ("call" in part ? [part] : []))
    .map((part, index) => ({
      ...(isStreamed && { index }),
      id: part.id,
      type: "function",
      function: { name: part.call, arguments: part.arguments },
    }));
  const said = parts.flatMap((part): Json[] => {
    if ("text" in part) return [{ content: part.text }];
    if ("reasoning" in part) return [{ reasoning_content: part.reasoning }];
    return "refusal" in part || "moon" in part ? [part] : [];
  });
  if (calls.length === 0) return said;
  return isStreamed ? [...said, ...calls.map((call) => ({ tool_calls: [call] }))] : [...said, { tool_calls: calls }];
}

function chatFinish({ finish }: FakeReply): string {
  const reasons = { stop: "stop", calls: "tool_calls", length: "length", filter: "content_filter" };
  return finish in reasons ? reasons[finish as keyof typeof reasons] : "moon_phase";
}

const anthropic: Fake = {
  whole: (reply) => ({
    ...anthropicHead,
    content: reply.parts.map(anthropicBlock),
    stop_reason: anthropicFinish(reply),
    stop_sequence: null,
    usage: { input_tokens: 5, output_tokens: 3 },
  }),
  events: (reply) => {
    const message = {
      ...anthropicHead,
      content: [],
      stop_reason: null,
      stop_sequence: null,
      usage: { input_tokens: 5, output_tokens: 0 },
    };
    const events: Json[] = [{ type: "message_start", message }];
    for (const [index, part] of reply.parts.entries()) {
      const { start, deltas } = anthropicPieces(part);
      events.push({ type: "content_block_start", index, content_block: start });
      for (const delta of deltas) events.push({ type: "content_block_delta", index, delta });
      events.push({ type: "content_block_stop", index });
    }
    if (reply.end === "closed") return events;
    if (reply.end !== undefined)
      return [...events, { type: "error", error: { type: reply.end.error, message: "broken off" } }];
    const delta = { stop_reason: anthropicFinish(reply), stop_sequence: null };
    return [...events, { type: "message_delta", delta, usage: { output_tokens: 3 } }, { type: "message_stop" }];
  },
};

const anthropicHead = { id: "msg_1", type: "message", role: "assistant", model: "claude-sonnet-4-5" };

function anthropicBlock(part: FakePart): Json {
  if ("moon" in part) return { type: "moon_phase", phase: part.moon };
  if ("reasoning" in part) return { type: "thinking", thinking: part.reasoning, signature: part.signature };
  if ("call" in part) return { type: "tool_use", id: part.id, name: part.call, input: JSON.parse(part.arguments) };
  return { type: "text", text: "refusal" in part ? part.refusal : part.text };
}

function anthropicPieces(part: FakePart): { readonly start: Json; readonly deltas: readonly Json[] } {
  if ("reasoning" in part) {
    const deltas = [
      { type: "thinking_delta", thinking: part.reasoning },
      { type: "signature_delta", signature: part.signature },
    ];
    return { start: { type: "thinking", thinking: "", signature: "" }, deltas };
  }
  if ("call" in part) {
    const start = { type: "tool_use", id: part.id, name: part.call, input: {} };
    return { start, deltas: [{ type: "input_json_delta", partial_json: part.arguments }] };
  }
  if ("moon" in part) {
    return { start: anthropicBlock(part), deltas: [{ type: "moon_delta", phase: part.moon }] };
  }
  const text = "refusal" in part ? part.refusal : part.text;
  return { start: { type: "text", text: "" }, deltas: [{ type: "text_delta", text }] };
}

function anthropicFinish({ finish }: FakeReply): string {
  const reasons = {
    stop: "end_turn",
    calls: "tool_use",
    length: "max_tokens",
    filter: "refusal",
    paused: "pause_turn",
  };
  return finish in reasons ? reasons[finish as keyof typeof reasons] : "moon_phase";
}

const gemini: Fake = {
  whole: (reply) => geminiChunk(reply.parts.map(geminiPart), geminiFinish(reply)),
  events: (reply) => {
    const events = reply.parts.map((part) => geminiChunk([geminiPart(part)], undefined));
    if (reply.end === "closed") return events;
    if (reply.end !== undefined)
      return [...events, { error: { code: 503, message: "broken off", status: reply.end.error } }];
    return [...events, geminiChunk([], geminiFinish(reply))];
  },
};

function geminiChunk(parts: Json[], finishReason: string | undefined): Json {
  const content = parts.length === 0 ? {} : { content: { role: "model", parts } };
  const usageMetadata = { promptTokenCount: 5, candidatesTokenCount: 3, totalTokenCount: 8 };
  return { candidates: [{ index: 0, ...content, ...(finishReason !== undefined && { finishReason }) }], usageMetadata };
}

function geminiPart(part: FakePart): Json {
  if ("reasoning" in part) return { text: part.reasoning, thought: true, thoughtSignature: part.signature };
  if ("call" in part) {
    const signed = part.signature === undefined ? {} : { thoughtSignature: part.signature };
    return { functionCall: { id: part.id, name: part.call, args: JSON.parse(part.arguments) }, ...signed };
  }
  if ("moon" in part) return { moonPhase: { phase: part.moon } };
  return { text: "refusal" in part ? part.refusal : part.text };
}

function geminiFinish({ finish }: FakeReply): string {
  const reasons = {
    stop: "STOP",
    calls: "STOP",
    length: "MAX_TOKENS",
    filter: "SAFETY",
    "malformed-call": "MALFORMED_FUNCTION_CALL",
  };
  return finish in reasons ? reasons[finish as keyof typeof reasons] : "MOON_PHASE";
}

const fakes: Readonly<Record<Api, Fake>> = { responses, chat, anthropic, gemini };
