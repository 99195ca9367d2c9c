// Reads the stream of one reply to its end: tells deltas as they come and puts the whole reply together.
// This is the hot path: per part it must cost little more than reading the stream does.
// It must not give back a reply that is not whole: a cut or failed stream rejects, and its reader is let go.

import type { ProviderData } from "../core/message.ts";
import type { ModelDelta, ModelReply, ReplyPart } from "../core/model.ts";
import type { AbortSource } from "../std/abort.ts";
import { modelFailed, saysStreamEnded, streamCut } from "./model-failure.ts";
import type { ForeignFinish, ForeignPart } from "./reply-parts.ts";
import { textPart, toFinish, toRawFinish, toReplyPart, toUsage, toWarnings } from "./reply-parts.ts";

/** A reply before it is known to be one: its finish may say that it failed. */
export interface RawReply extends Pick<ModelReply, "content" | "usage"> {
  readonly finish: ForeignFinish;
  readonly rawFinish: string | undefined;
  readonly warnings: readonly string[];
  /** What stood at the finish part of a stream. */
  readonly finishMetadata?: ProviderData | undefined;
}

export interface StreamReading {
  readonly modelId: string;
  /** Aborting it cancels the stream; what the promise then does is of no interest. */
  readonly abort: AbortSource;
  /** Not called after an abort. What it throws is what the reading rejects with. */
  readonly onDelta: (delta: ModelDelta) => void;
}

/**
 * The reply of a stream of AI SDK stream parts. Rejects with ModelError: `model.failed` at an error part or when the
 * stream itself fails, `model.stream-cut` when it ends without a finish part or inside a call's arguments.
 */
export async function readStream(stream: ReadableStream<ForeignPart>, reading: StreamReading): Promise<RawReply> {
  const reader = stream.getReader();
  const draft = new ReplyDraft(reading);
  const cancel = (reason: unknown): void => void reader.cancel(reason).catch(ignore);
  let end: { readonly reason: unknown } | undefined;
  const release = reading.abort.onAbort((reason) => {
    end = { reason };
    cancel(reason);
  });
  try {
    for (;;) {
      let read: Awaited<ReturnType<typeof reader.read>>;
      try {
        read = await reader.read();
      } catch (error) {
        throw draft.failure(error);
      }
      if (end !== undefined) throw end.reason;
      if (read.done) return draft.end();
      draft.add(read.value);
    }
  } catch (error) {
    cancel(error);
    throw error;
  } finally {
    release();
    reader.releaseLock();
  }
}

type Slot = TextSlot | InputSlot | { readonly type: "whole"; readonly part: ReplyPart };

interface TextSlot {
  readonly type: "text" | "reasoning";
  readonly id: string;
  readonly deltaType: "text-delta" | "reasoning-delta";
  text: string;
  metadata: ProviderData | undefined;
}

interface InputSlot {
  readonly type: "input";
  readonly id: string;
  readonly toolName: string;
  text: string;
  call: ReplyPart | undefined;
}

interface Finish {
  readonly reason: ForeignFinish;
  readonly raw: string | undefined;
  readonly usage: unknown;
  readonly metadata: ProviderData | undefined;
}

/** Parts in the order in which they started. Ids tell open parts apart; an id may come again once its part ended. */
class ReplyDraft {
  readonly #modelId: string;
  readonly #onDelta: (delta: ModelDelta) => void;
  readonly #slots: Slot[] = [];
  readonly #open = { text: new Map<string, TextSlot>(), reasoning: new Map<string, TextSlot>() };
  /** The open one that grew last: mostly it is the one that grows next. */
  #growing: TextSlot | undefined = undefined;
  /** Those whose call has not come yet. */
  readonly #inputs: InputSlot[] = [];
  #finish: Finish | undefined = undefined;
  #warnings: readonly string[] = [];

  constructor({ modelId, onDelta }: StreamReading) {
    this.#modelId = modelId;
    this.#onDelta = onDelta;
  }

  add(part: ForeignPart): void {
    switch (part?.type) {
      case "text-delta":
        return this.#grow("text", part);
      case "reasoning-delta":
        return this.#grow("reasoning", part);
      case "tool-input-delta":
        return this.#growInput(part);
      case "text-start":
        return void this.#start("text", part);
      case "reasoning-start":
        return void this.#start("reasoning", part);
      case "text-end":
        return this.#close("text", part);
      case "reasoning-end":
        return this.#close("reasoning", part);
      case "tool-input-start":
        return this.#startInput(part);
      case "tool-call":
        return this.#call(part);
      case "finish":
        this.#finish = {
          reason: toFinish(part.finishReason),
          raw: toRawFinish(part.finishReason),
          usage: part.usage,
          metadata: part.providerMetadata,
        };
        return;
      case "stream-start":
        this.#warnings = toWarnings(part.warnings);
        return;
      case "error":
        throw this.failure(part.error);
      default:
        return this.#keep(toReplyPart(part));
    }
  }

  failure(error: unknown): Error {
    const content = this.#content();
    return saysStreamEnded(error)
      ? streamCut(this.#modelId, "without a finish reason", content)
      : modelFailed(this.#modelId, error, content);
  }

  end(): RawReply {
    if (this.#finish === undefined) throw streamCut(this.#modelId, "before its finish part", this.#content());
    const { reason, raw, usage, metadata } = this.#finish;
    for (const input of this.#inputs) this.#endInput(input, reason);
    for (const type of ["text", "reasoning"] as const) {
      for (const id of this.#open[type].keys()) this.#onDelta({ type: `${type}-end`, id });
    }
    return {
      content: this.#content(),
      finish: reason,
      rawFinish: raw,
      usage: toUsage(usage),
      warnings: this.#warnings,
      finishMetadata: metadata,
    };
  }

  #start(type: TextSlot["type"], { id = "", providerMetadata }: ForeignPart): TextSlot {
    const deltaType = type === "text" ? "text-delta" : "reasoning-delta";
    const slot: TextSlot = { type, id, deltaType, text: "", metadata: providerMetadata };
    this.#slots.push(slot);
    this.#open[type].set(id, slot);
    this.#growing = slot;
    return slot;
  }

  #grow(type: TextSlot["type"], part: ForeignPart): void {
    const { id = "", delta = "", providerMetadata } = part;
    let slot = this.#growing;
    if (slot === undefined || slot.id !== id || slot.type !== type)
      this.#growing = slot = this.#open[type].get(id) ?? this.#start(type, part);
    slot.text += delta;
    // As in the AI SDK the last metadata of a part counts: a signature comes with the last, empty delta.
    if (providerMetadata !== undefined) slot.metadata = providerMetadata;
    if (delta !== "") this.#onDelta({ type: slot.deltaType, id, text: delta });
  }

  #close(type: TextSlot["type"], { id = "", providerMetadata }: ForeignPart): void {
    const slot = this.#open[type].get(id);
    if (slot === undefined) return;
    if (providerMetadata !== undefined) slot.metadata = providerMetadata;
    this.#open[type].delete(id);
    this.#growing = undefined;
    this.#onDelta({ type: `${type}-end`, id });
  }

  #startInput({ id = "", toolName = "" }: ForeignPart): void {
    const slot: InputSlot = { type: "input", id, toolName, text: "", call: undefined };
    this.#slots.push(slot);
    this.#inputs.push(slot);
  }

  #growInput({ id = "", delta = "" }: ForeignPart): void {
    // Where a provider repeats an id, the newest of its inputs is the one being written.
    const slot = this.#inputs.findLast((input) => input.id === id);
    if (slot === undefined || delta === "") return;
    slot.text += delta;
    this.#onDelta({ type: "tool-input-delta", id, toolName: slot.toolName, text: delta });
  }

  #call(part: ForeignPart): void {
    const index = this.#inputs.findIndex((input) => input.id === (part.toolCallId ?? ""));
    const call = toReplyPart(part);
    if (index === -1) return this.#keep(call);
    this.#inputs.splice(index, 1)[0]!.call = call;
  }

  #keep(part: ReplyPart | undefined): void {
    if (part !== undefined) this.#slots.push({ type: "whole", part });
  }

  /**
   * Arguments that never became a call. Where the model was stopped short, that is how a stream tells what a whole
   * reply gives as a call with unfinished arguments, so they are given the same way; unless nothing was written, which
   * would read as `{}`. A reply that failed is not judged here.
   */
  #endInput(input: InputSlot, reason: ForeignFinish): void {
    if (reason === "error" || reason === "interrupted") return;
    if (reason !== "length" && reason !== "content-filter") {
      throw streamCut(this.#modelId, `inside the arguments of \`${input.toolName}\``, this.#content());
    }
    if (input.text.trim() === "") return;
    const { id, toolName, text } = input;
    input.call = toReplyPart({ type: "tool-call", toolCallId: id, toolName, input: text });
  }

  /** What has arrived; of calls only those whose arguments did. */
  #content(): ReplyPart[] {
    return this.#slots.map(toPart).filter((part) => part !== undefined);
  }
}

function toPart(slot: Slot): ReplyPart | undefined {
  if (slot.type === "whole") return slot.part;
  return slot.type === "input" ? slot.call : textPart(slot.type, slot.text, slot.metadata);
}

function ignore(): void {}
