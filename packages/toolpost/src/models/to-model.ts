// An AI SDK language model of specification v2, v3 or v4 as the loop calls it: one request, one reply.
// Streamed or not, the same reply comes out; a reply that is not whole never does.
// It must not retry (with-retries.ts does), and must not read the clock: how long a call may take is its caller's signal.

import type { LanguageModel, Model, ModelReply, ModelRequest } from "../core/model.ts";
import { ModelError } from "../core/run-errors.ts";
import type { AbortSource } from "../std/abort.ts";
import { AbortListener, abortSourceOf } from "../std/abort.ts";
import { lazyField } from "../std/lazy-field.ts";
import type { ModelCall } from "./asked-model.ts";
import { AskedModel } from "./asked-model.ts";
import { isLanguageModel, isModel, versions } from "./is-model.ts";
import { modelEndedInError, modelFailed, streamCut } from "./model-failure.ts";
import type { RawReply } from "./read-stream.ts";
import { readStream } from "./read-stream.ts";
import type { ForeignPart } from "./reply-parts.ts";
import { toFinish, toRawFinish, toReplyParts, toUsage, toWarnings } from "./reply-parts.ts";
import { wireIdsOf } from "./wire-ids.ts";
import type { WireKind } from "./wire-kind.ts";
import { dialects, wireKindOf } from "./wire-kind.ts";
import type { PromptView, ToWirePrompt } from "./wire-prompt.ts";
import { newPromptView, toWirePrompt } from "./wire-prompt.ts";

/**
 * The model for the loop. A `Model` is given back as it is. Throws ModelError `model.unsupported` for anything that is
 * neither. The prompt goes through as the same array for v4 (see wire-prompt.ts); `thinking` is v4's `reasoning` and
 * has no counterpart in v2 and v3, where `providerOptions` say it.
 */
export function toModel(model: LanguageModel | Model): Model {
  if (isModel(model)) return model;
  if (!isLanguageModel(model)) throw unsupported(model);
  const id = `${String(model.provider).split(".", 1)[0]}:${model.modelId}`;
  const wire = wireKindOf(model.provider);
  const losses: string[] = [];
  const toPrompt = toWirePrompt({
    version: model.specificationVersion,
    wire,
    toWireId: wireIdsOf(wire, String(model.provider)),
    onLoss: (loss) => void losses.push(loss),
  });
  const adapter: Adapter = { model, id, wire, toPrompt, losses };
  return new AskedModel({ id, dialect: dialects[wire] }, (call) => {
    const abort = call.request.abort ?? abortSourceOf(call.request.signal);
    if (abort.aborted) call.failed(abort.reason);
    else new Exchange(adapter, call, abort).start();
  });
}

/** What all requests of one model share. */
interface Adapter {
  readonly model: LanguageModel;
  readonly id: string;
  readonly wire: WireKind;
  readonly toPrompt: ToWirePrompt;
  /** Of the messages looked at since the last reply. */
  readonly losses: string[];
}

function unsupported(model: unknown): ModelError {
  const version = (model as Partial<LanguageModel> | undefined)?.specificationVersion;
  const kind = typeof model === "string" ? `the text \`${model.slice(0, 100)}\`` : `a value of type ${typeof model}`;
  const what =
    version === undefined
      ? `${kind} without \`specificationVersion\``
      : `a model of specification \`${String(version)}\`${versions.has(version) ? " without doGenerate and doStream" : ""}`;
  return new ModelError("model.unsupported", `${what} is not a language model of specification v2, v3 or v4`);
}

/**
 * One request of a provider, whose caller hears once of its end: of the signal's reason as soon as it aborts, whatever
 * the provider does with the signal. No async functions here: each of those adds a promise to every turn of every run.
 */
class Exchange extends AbortListener {
  readonly #adapter: Adapter;
  readonly #call: ModelCall;
  readonly #abort: AbortSource;
  #isOver = false;

  constructor(adapter: Adapter, call: ModelCall, abort: AbortSource) {
    super();
    this.#adapter = adapter;
    this.#call = call;
    this.#abort = abort;
  }

  start(): void {
    // Before the provider's own listeners, so the reason comes first and what they make of it is not heard.
    this.#abort.listen(this);
    let options: object;
    try {
      options = optionsOf(this.#call.request, this.#adapter.toPrompt);
    } catch (error) {
      return this.#fail(error);
    }
    try {
      const { model } = this.#adapter;
      const isStreamed = this.#call.onDelta !== undefined;
      this.#await(isStreamed ? model.doStream(options as never) : model.doGenerate(options as never));
    } catch (error) {
      this.#refused(error);
    }
  }

  onAborted(reason: unknown): void {
    this.#fail(reason);
  }

  #await(given: PromiseLike<unknown>): void {
    Promise.resolve(given).then(
      (result) => this.#take(result),
      (error: unknown) => this.#refused(error),
    );
  }

  /** A reply, or the stream of one. */
  #take(result: unknown): void {
    const { onDelta } = this.#call;
    if (onDelta === undefined) return this.#end(result, toRawReply);
    const { id } = this.#adapter;
    // A provider that gives nothing at all must not end in a TypeError of ours.
    const parts = (result as { readonly stream?: ReadableStream<ForeignPart> } | undefined | null)?.stream;
    if (typeof parts?.getReader !== "function") return this.#fail(modelFailed(id, "its doStream gave no `stream`", []));
    readStream(parts, { modelId: id, abort: this.#abort, onDelta }).then(
      (raw) => this.#end(raw, cutOrWhole),
      (error: unknown) => this.#fail(error),
    );
  }

  /** @param read makes the reply; what it throws fails the request */
  #end<Given>(given: Given, read: (given: Given, adapter: Adapter) => RawReply): void {
    if (this.#isOver) return;
    let reply: ModelReply;
    try {
      const { id, losses } = this.#adapter;
      const raw = read(given, this.#adapter);
      // Only now: a message is looked at once, and a request that failed before told nobody.
      reply = toReply(id, raw, losses.length === 0 ? losses : losses.splice(0));
    } catch (error) {
      return this.#fail(error);
    }
    this.#leave();
    this.#call.done(reply);
  }

  #refused(error: unknown): void {
    this.#fail(modelFailed(this.#adapter.id, error, []));
  }

  #fail(error: unknown): void {
    if (this.#isOver) return;
    this.#leave();
    this.#call.failed(error);
  }

  #leave(): void {
    this.#isOver = true;
    this.letGo();
  }
}

function toRawReply(result: unknown, { id }: Adapter): RawReply {
  const { content, finishReason, usage, warnings } = (result ?? {}) as Partial<Reply>;
  if (!Array.isArray(content)) throw modelFailed(id, "its doGenerate gave no `content`", []);
  return {
    content: toReplyParts(content),
    finish: toFinish(finishReason),
    rawFinish: toRawFinish(finishReason),
    usage: toUsage(usage),
    warnings: toWarnings(warnings),
  };
}

interface Reply {
  readonly content: readonly ForeignPart[];
  readonly finishReason: unknown;
  readonly usage: unknown;
  readonly warnings: unknown;
}

function cutOrWhole(raw: RawReply, { wire, model }: Adapter): RawReply {
  return isUnfinished(raw, wire, model.specificationVersion) ? { ...raw, finish: "interrupted" } : raw;
}

/**
 * Many packages end a stream that was closed early as one that is complete, but with no word from the provider. Servers
 * that never give one are told by the figures that follow it. Gemini gives figures all along; its package of v2, which
 * passes no word on, adds the ratings of a reply only when one came.
 */
function isUnfinished(
  { finish, rawFinish, usage, finishMetadata = {} }: RawReply,
  wire: WireKind,
  version: LanguageModel["specificationVersion"],
): boolean {
  if (finish !== "other" || rawFinish !== undefined) return false;
  if (wire !== "gemini") return usage.outputTokens === 0;
  return version !== "v2" || Object.values(finishMetadata).every((data) => data.safetyRatings === undefined);
}

/** A finish reason that says the reply is no reply becomes the error it is. */
function toReply(modelId: string, raw: RawReply, losses: readonly string[]): ModelReply {
  const { content, finish, rawFinish, usage } = raw;
  if (finish === "error") throw modelEndedInError(modelId, content, rawFinish);
  if (finish === "interrupted") throw streamCut(modelId, "without the provider's sign that it is complete", content);
  const reply: { -readonly [Key in keyof ModelReply]: ModelReply[Key] } = { content, finish, usage };
  if (rawFinish !== undefined) reply.rawFinish = rawFinish;
  // Anthropic's word; packages of v2 pass none on.
  if (rawFinish === "pause_turn") reply.isPaused = true;
  if (losses.length > 0 || raw.warnings.length > 0) reply.warnings = [...losses, ...raw.warnings];
  return reply;
}

/** Turns of a run that send the same request send the same options: only the prompt has grown in its place. */
function optionsOf(request: ModelRequest, toPrompt: ToWirePrompt): object {
  const { memo } = request;
  if (memo === undefined) return toOptions(request, toPrompt(request.prompt));
  const sent = memo.made instanceof Sent && memo.made.toPrompt === toPrompt ? memo.made : new Sent(toPrompt);
  memo.made = sent;
  const prompt = toPrompt(request.prompt, sent.view);
  if (sent.request !== request || sent.prompt !== prompt) {
    sent.request = request;
    sent.prompt = prompt;
    sent.options = toOptions(request, prompt);
  }
  return sent.options;
}

/** What was last sent to one model. */
class Sent {
  readonly toPrompt: ToWirePrompt;
  readonly view: PromptView = newPromptView();
  request: ModelRequest | undefined = undefined;
  prompt: readonly unknown[] = [];
  options: object = {};

  constructor(toPrompt: ToWirePrompt) {
    this.toPrompt = toPrompt;
  }
}

/** One object serves every version: what a version does not know, its models do not read. */
function toOptions(request: ModelRequest, prompt: readonly unknown[]): object {
  const hasTools = request.tools.length > 0;
  const options = {
    prompt,
    tools: hasTools ? request.tools : undefined,
    toolChoice: hasTools ? request.toolChoice : undefined,
    reasoning: request.thinking,
    maxOutputTokens: request.maxOutputTokens,
    temperature: request.temperature,
    providerOptions: request.providerOptions,
  };
  withAbortSignal(options, request);
  return options;
}

const withAbortSignal = lazyField("abortSignal", ({ signal }: ModelRequest) => signal);
