// Which API stands behind a language model, told by the name its provider gives itself: the specification hides what
// APIs refuse. Names are those of the AI SDK's packages: `openai.responses`, `groq.chat`, `anthropic.messages`,
// `google.generative-ai`, `google.vertex.chat`, `vertex.anthropic.messages`. It must guess nothing of other names.

import type { Dialect } from "../core/model.ts";

/** `chat` is OpenAI's chat completions, which many others speak; `other` is whatever is not known. */
export type WireKind = "responses" | "chat" | "anthropic" | "gemini" | "other";

export function wireKindOf(provider: unknown): WireKind {
  const name = String(provider);
  if (/(?:^|\.)(?:anthropic|amazon-bedrock|bedrock)(?:\.|$)/.test(name)) return "anthropic";
  if (/^google(?:\.|$)/.test(name)) return "gemini";
  if (name.endsWith(".responses")) return "responses";
  return name.endsWith(".chat") && !name.startsWith("cohere.") ? "chat" : "other";
}

/** The dialect of JSON Schema each takes. */
export const dialects: Readonly<Record<WireKind, Dialect>> = {
  responses: "openai",
  chat: "openai",
  anthropic: "anthropic",
  gemini: "gemini",
  other: "json-schema",
};
