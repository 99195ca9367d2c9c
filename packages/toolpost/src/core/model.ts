// The seam between the loop and a language model: one request, one reply, streamed or not.
// `LanguageModel` is what users pass in (an AI SDK model of any specification, told by structure);
// `Model` is what the loop calls. Only the models folder turns the first into the second.

import type { AbortSource } from "../std/abort.ts";
import type { Usage } from "./budget.ts";
import type { AssistantPart, Message, ProviderData } from "./message.ts";
import type { JsonSchema } from "./schema.ts";

/**
 * An AI SDK language model, specification v2, v3 or v4, by structure.
 * Source: LanguageModelV2, V3, V4 of @ai-sdk/provider.
 */
export interface LanguageModel {
  readonly specificationVersion: "v2" | "v3" | "v4";
  readonly provider: string;
  readonly modelId: string;
  doGenerate(options: never): PromiseLike<unknown>;
  doStream(options: never): PromiseLike<unknown>;
}

/** Which rules of names and schemas the wire follows. */
export type Dialect = "json-schema" | "openai" | "anthropic" | "gemini";

/** A tool as a model is told about it. */
export interface WireTool {
  readonly type: "function";
  readonly name: string;
  readonly description: string;
  readonly inputSchema: JsonSchema;
  readonly inputExamples?: readonly { readonly input: { readonly [key: string]: unknown } }[];
  readonly strict?: boolean;
}

export type ToolChoice =
  | { readonly type: "auto" }
  | { readonly type: "none" }
  | { readonly type: "required" }
  | { readonly type: "tool"; readonly toolName: string };

/** How much a model thinks before it answers. */
export type Thinking = "none" | "minimal" | "low" | "medium" | "high" | "xhigh" | "max";

export interface ModelRequest {
  /** The loop appends to one array over a run; a model must not keep or change it. */
  readonly prompt: readonly Message[];
  readonly tools: readonly WireTool[];
  readonly toolChoice?: ToolChoice;
  readonly thinking?: Thinking;
  readonly maxOutputTokens?: number;
  readonly temperature?: number;
  readonly providerOptions?: ProviderData;
  /** Aborting it stops the provider's request. Made when first read in the requests of a run. */
  readonly signal: AbortSignal;
  /** The same abort for who only wants to hear of it, without a signal made for that. */
  readonly abort?: AbortSource;
  /** Room for what the model makes of the prompt, the same in all requests that append to it. */
  readonly memo?: { made: unknown };
}

/** A call in a reply. `input` is the text the model wrote, possibly not JSON. `toolCallId` may be missing or empty. */
export interface ReplyToolCall {
  readonly type: "tool-call";
  readonly toolCallId: string;
  readonly toolName: string;
  readonly input: string;
  readonly providerExecuted?: boolean;
  readonly providerOptions?: ProviderData;
}

/** A part of a reply: as in a history, but calls still raw. */
export type ReplyPart = Exclude<AssistantPart, { type: "tool-call" }> | ReplyToolCall;

export type FinishReason = "stop" | "length" | "content-filter" | "tool-calls" | "error" | "other";

/** A whole reply. Whether there are calls is told by `content`, never by `finish`. */
export interface ModelReply {
  readonly content: readonly ReplyPart[];
  readonly finish: FinishReason;
  /** The provider's own word for it, where it gave one. */
  readonly rawFinish?: string;
  /** The provider took a break in its own tools' work: given back as it is, the reply is gone on with. */
  readonly isPaused?: boolean;
  readonly usage: Usage;
  /** What the provider or its specification could not be given, and what was sent instead; one sentence each. */
  readonly warnings?: readonly string[];
}

/** What arrives while a reply is streamed. `id` tells parts of one reply apart. */
export type ModelDelta =
  | { readonly type: "text-delta"; readonly id: string; readonly text: string }
  | { readonly type: "text-end"; readonly id: string }
  | { readonly type: "reasoning-delta"; readonly id: string; readonly text: string }
  | { readonly type: "reasoning-end"; readonly id: string }
  | { readonly type: "tool-input-delta"; readonly id: string; readonly toolName: string; readonly text: string };

/**
 * A model the loop can call. `call` is one request; with `onDelta` it streams, without it does not.
 * Resolves with the whole reply. Rejects with `ModelError` (`model.failed`, `model.stream-cut`), whose `data` is
 * `{ content }`: what had arrived, with `rawFinish` where the provider ended in an error of a name of its own. When
 * `signal` aborted it rejects with the signal's reason.
 * A throwing `onDelta` is the caller's fault and rejects the call.
 */
export interface Model {
  /** `provider:model`, for events, prices and messages. */
  readonly id: string;
  /** Default `"json-schema"`: schemas go as they are. */
  readonly dialect?: Dialect | undefined;
  call(request: ModelRequest, onDelta?: (delta: ModelDelta) => void): Promise<ModelReply>;
}
