// The history of a conversation as it is stored and sent: the prompt form of AI SDK language models
// (specification v4), declared here by structure. Plain JSON data, append only: a message never changes
// once it is in a history. Source: LanguageModelV4Prompt of @ai-sdk/provider 4.

import type { Json } from "../std/json.ts";

export type ProviderData = Readonly<Record<string, { readonly [key: string]: Json | undefined }>>;

export interface TextPart {
  readonly type: "text";
  readonly text: string;
  readonly providerOptions?: ProviderData;
}

/** An image, a sound or any other file. `data` is `{ type: "data", data: base64 }` or `{ type: "url", url }`. */
export interface FilePart {
  readonly type: "file";
  readonly mediaType: string;
  readonly data: { readonly type: "data"; readonly data: string } | { readonly type: "url"; readonly url: string };
  readonly filename?: string;
  readonly providerOptions?: ProviderData;
}

/** Reasoning as the provider gave it; its signature stands in `providerOptions` and is sent back. */
export interface ReasoningPart {
  readonly type: "reasoning";
  readonly text: string;
  readonly providerOptions?: ProviderData;
}

/** A call as the model made it. `input` is always valid JSON; arguments that could not be read stand as `{}`. */
export interface ToolCallPart {
  readonly type: "tool-call";
  readonly toolCallId: string;
  readonly toolName: string;
  readonly input: Json;
  readonly providerExecuted?: boolean;
  readonly providerOptions?: ProviderData;
}

export type ToolResultOutput =
  | { readonly type: "text"; readonly value: string }
  | { readonly type: "error-text"; readonly value: string }
  | { readonly type: "json"; readonly value: Json }
  | { readonly type: "error-json"; readonly value: Json }
  | { readonly type: "content"; readonly value: readonly (TextPart | FilePart)[] };

export interface ToolResultPart {
  readonly type: "tool-result";
  readonly toolCallId: string;
  readonly toolName: string;
  readonly output: ToolResultOutput;
  readonly providerOptions?: ProviderData;
}

export type AssistantPart = TextPart | FilePart | ReasoningPart | ToolCallPart | ToolResultPart;

export type Message =
  | { readonly role: "system"; readonly content: string; readonly providerOptions?: ProviderData }
  | {
      readonly role: "user";
      readonly content: readonly (TextPart | FilePart)[];
      readonly providerOptions?: ProviderData;
    }
  | { readonly role: "assistant"; readonly content: readonly AssistantPart[]; readonly providerOptions?: ProviderData }
  | { readonly role: "tool"; readonly content: readonly ToolResultPart[]; readonly providerOptions?: ProviderData };
