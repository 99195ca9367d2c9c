// What a scripted model says, and the content and stream parts of AI SDK specification v4 that say it.
// It must not mend anything: malformed arguments, empty and repeated ids go out as they are written.

import type { Usage } from "../core/budget.ts";
import type { FinishReason } from "../core/model.ts";
import type { ScriptedMatch, ScriptedRequest } from "./scripted-request.ts";

/** One call of a reply. */
export interface ScriptedCall {
  /** The tool's name as the model writes it. */
  readonly name: string;
  /** Left out: `call_1`, `call_2` … over the model's life. `""` stands for a provider that gives none. */
  readonly id?: string;
  /** An object is sent as its JSON; a string as it is, so it may be anything a model might write. Default `{}`. */
  readonly input?: object | string;
}

/** One reply. Its parts come in the order reasoning, text, calls. */
export interface ScriptedReply {
  readonly text?: string;
  readonly reasoning?: string;
  readonly calls?: readonly ScriptedCall[];
  /** Default: `tool-calls` where there are calls, else `stop`. */
  readonly finish?: FinishReason;
  /** Tokens; what is left out is 0, `totalTokens` is always the sum. */
  readonly usage?: Partial<Omit<Usage, "totalTokens">>;
  /** The provider fails, after the reply's parts: an error part when streamed, else a rejection. A string is its message. */
  readonly error?: true | string;
  /** The stream ends inside the reply's last part, without a finish; not streamed, a rejection. */
  readonly cut?: true;
  /** Milliseconds before the reply, on the model's clock. */
  readonly delayMs?: number;
  /** Into how many deltas each text and each call's arguments are cut when streamed; default 1. */
  readonly chunks?: number;
  /** The reply is for requests like this only; others take the next reply in line. */
  readonly when?: ScriptedMatch;
  /** Checked when the reply is given: what does not fit, or a throw, makes the request an unexpected one. */
  readonly expect?: ScriptedMatch | ((request: ScriptedRequest) => void);
  /** The reply can be given any number of times, and need not be given at all. */
  readonly repeat?: true;
}

/** Content of a v4 reply. */
export type ScriptedContent =
  | { type: "text"; text: string }
  | { type: "reasoning"; text: string }
  | { type: "tool-call"; toolCallId: string; toolName: string; input: string };

export interface ScriptedFinish {
  unified: FinishReason;
  raw: string;
}

export interface ScriptedUsage {
  inputTokens: { total: number; noCache: number; cacheRead: number; cacheWrite: number };
  outputTokens: { total: number; text: number; reasoning: number };
}

/** A part of a v4 stream. */
export type ScriptedStreamPart =
  | { type: "stream-start"; warnings: never[] }
  | { type: "text-start" | "reasoning-start" | "text-end" | "reasoning-end"; id: string }
  | { type: "text-delta" | "reasoning-delta"; id: string; delta: string }
  | { type: "tool-input-start"; id: string; toolName: string }
  | { type: "tool-input-delta"; id: string; delta: string }
  | { type: "tool-input-end"; id: string }
  | (ScriptedContent & { type: "tool-call" })
  | { type: "finish"; finishReason: ScriptedFinish; usage: ScriptedUsage }
  | { type: "error"; error: Error };

/** @param nextId gives the id of a call that has none */
export function scriptedContent(reply: ScriptedReply, nextId: () => string): ScriptedContent[] {
  const content: ScriptedContent[] = [];
  if (reply.reasoning !== undefined) content.push({ type: "reasoning", text: reply.reasoning });
  if (reply.text !== undefined) content.push({ type: "text", text: reply.text });
  for (const { name, id, input = {} } of reply.calls ?? []) {
    const text = typeof input === "string" ? input : JSON.stringify(input);
    content.push({ type: "tool-call", toolCallId: id ?? nextId(), toolName: name, input: text });
  }
  return content;
}

export function scriptedFinish(reply: ScriptedReply): ScriptedFinish {
  const unified = reply.finish ?? ((reply.calls?.length ?? 0) > 0 ? "tool-calls" : "stop");
  return { unified, raw: unified };
}

export function scriptedUsage({ usage = {} }: ScriptedReply): ScriptedUsage {
  const { inputTokens = 0, outputTokens = 0, reasoningTokens = 0, cachedInputTokens = 0 } = usage;
  return {
    inputTokens: {
      total: inputTokens,
      noCache: inputTokens - cachedInputTokens,
      cacheRead: cachedInputTokens,
      cacheWrite: 0,
    },
    outputTokens: { total: outputTokens, text: outputTokens - reasoningTokens, reasoning: reasoningTokens },
  };
}

/** The failure a reply asks for when it is not streamed. */
export function scriptedFailure(reply: ScriptedReply): Error | undefined {
  if (reply.error !== undefined) return scriptedError(reply.error);
  return reply.cut === true ? new Error("the connection closed before the reply was complete") : undefined;
}

export function scriptedStreamParts(reply: ScriptedReply, content: readonly ScriptedContent[]): ScriptedStreamPart[] {
  const finish = scriptedFinish(reply);
  const parts = content.flatMap((part, index) => streamPart(part, String(index), reply.chunks ?? 1));
  if (reply.error !== undefined) {
    // As providers do: the error, then a finish that only repeats it.
    finish.unified = "error";
    parts.push({ type: "error", error: scriptedError(reply.error) });
  }
  parts.push({ type: "finish", finishReason: finish, usage: scriptedUsage(reply) });
  const end = reply.cut === true ? Math.max(0, parts.findLastIndex(isLastEnd)) : parts.length;
  return [{ type: "stream-start", warnings: [] }, ...parts.slice(0, end)];
}

/** One part per read. An abort fails the stream, as it fails the streams of providers. */
export function scriptedStream(
  parts: readonly ScriptedStreamPart[],
  signal: AbortSignal | undefined,
): ReadableStream<ScriptedStreamPart> {
  let index = 0;
  return new ReadableStream<ScriptedStreamPart>(
    {
      pull(controller) {
        if (signal?.aborted === true) controller.error(signal.reason);
        else if (index < parts.length) controller.enqueue(parts[index++]!);
        else controller.close();
      },
    },
    { highWaterMark: 0 },
  );
}

function streamPart(part: ScriptedContent, id: string, chunks: number): ScriptedStreamPart[] {
  if (part.type === "tool-call") {
    const { toolCallId, toolName, input } = part;
    return [
      { type: "tool-input-start", id: toolCallId, toolName },
      ...cutInto(input, chunks).map((delta) => ({ type: "tool-input-delta", id: toolCallId, delta }) as const),
      { type: "tool-input-end", id: toolCallId },
      part,
    ];
  }
  const { type, text } = part;
  return [
    { type: `${type}-start`, id },
    ...cutInto(text, chunks).map((delta) => ({ type: `${type}-delta`, id, delta }) as const),
    { type: `${type}-end`, id },
  ];
}

function isLastEnd({ type }: ScriptedStreamPart): boolean {
  return type === "text-end" || type === "reasoning-end" || type === "tool-input-end";
}

/** Pieces of nearly equal length, of whole characters, at most as many as there are characters. */
function cutInto(text: string, chunks: number): string[] {
  if (chunks <= 1) return [text];
  const characters = [...text];
  const length = Math.max(1, Math.ceil(characters.length / chunks));
  const pieces: string[] = [];
  for (let start = 0; start < characters.length; start += length) {
    pieces.push(characters.slice(start, start + length).join(""));
  }
  return pieces;
}

function scriptedError(error: true | string): Error {
  return new Error(error === true ? "the scripted model failed" : error);
}
