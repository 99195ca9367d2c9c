// An AI SDK language model of specification v2, v3 or v4 as the loop calls it: one request, one reply.
// Streamed or not, the same reply comes out; a reply that is not whole never does.
// It must not retry (with-retries.ts does), and must not read the clock: how long a call may take is its caller's signal.

import type { LanguageModel, Model, ModelDelta, ModelReply, ModelRequest } from "../core/model.ts";
import { ModelError } from "../core/run-errors.ts";
import type { AbortSource } from "../std/abort.ts";
import { abortSourceOf } from "../std/abort.ts";
import { lazyField } from "../std/lazy-field.ts";
import { isLanguageModel, isModel, versions } from "./is-model.ts";
import { modelEndedInError, modelFailed, streamCut } from "./model-failure.ts";
import type { RawReply } from "./read-stream.ts";
import { readStream } from "./read-stream.ts";
import type { ForeignPart } from "./reply-parts.ts";
import { toFinish, toRawFinish, toReplyParts, toUsage, toWarnings } from "./reply-parts.ts";
import { wireIdsOf } from "./wire-ids.ts";
import type { WireKind } from "./wire-kind.ts";
import { dialects, wireKindOf } from "./wire-kind.ts";
import { toWirePrompt } from "./wire-prompt.ts";

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
  const conclude = (raw: RawReply, isStreamed: boolean): ModelReply => {
    const whole = isStreamed && isUnfinished(raw, wire) ? { ...raw, finish: "interrupted" as const } : raw;
    // Only now: a message is looked at once, and a request that failed before told nobody.
    return toReply(id, whole, losses.length === 0 ? losses : losses.splice(0));
  };
  const start = (request: ModelRequest, onDelta?: (delta: ModelDelta) => void): PromiseLike<ModelReply> => {
    const options = toOptions(request, toPrompt(request.prompt));
    return onDelta === undefined
      ? generate(model, id, options, conclude)
      : streamed(model, id, { options, abort: abortOf(request), onDelta, conclude });
  };
  return {
    id,
    dialect: dialects[wire],
    call: (request, onDelta) => untilAborted(request, () => start(request, onDelta)),
  };
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

function abortOf(request: ModelRequest): AbortSource {
  // A signal that nobody needs is not made.
  return request.abort ?? abortSourceOf(request.signal);
}

/**
 * What `work` comes to, or the signal's reason as soon as it aborts, whatever the provider does with the signal.
 * Nothing is started when it has aborted already.
 */
function untilAborted<T>(request: ModelRequest, work: () => PromiseLike<T>): Promise<T> {
  const source = abortOf(request);
  if (source.aborted) return Promise.reject(request.signal.reason);
  return new Promise((resolve, reject) => {
    // Before the provider's own listeners, so the reason comes first and what they make of it is not heard.
    const release = source.onAbort(reject);
    const fail = (error: unknown): void => {
      release();
      reject(error);
    };
    try {
      work().then((reply) => {
        release();
        resolve(reply);
      }, fail);
    } catch (error) {
      fail(error);
    }
  });
}

async function streamed(
  model: LanguageModel,
  modelId: string,
  { options, abort, onDelta, conclude }: StreamedCall,
): Promise<ModelReply> {
  const result = await started(() => model.doStream(options as never)).catch(failed(modelId));
  // A provider that gives nothing at all must not end in a TypeError of ours.
  const { stream } = (result ?? {}) as { readonly stream?: ReadableStream<ForeignPart> };
  if (typeof stream?.getReader !== "function") throw modelFailed(modelId, "its doStream gave no `stream`", []);
  return conclude(await readStream(stream, { modelId, abort, onDelta }), true);
}

interface StreamedCall {
  readonly options: object;
  readonly abort: AbortSource;
  readonly onDelta: (delta: ModelDelta) => void;
  readonly conclude: Conclude;
}

/** What a provider gave, as the reply it is, or the error it says. */
type Conclude = (raw: RawReply, isStreamed: boolean) => ModelReply;

/** Not an async function: each of those adds a promise to every turn of every run. */
function generate(model: LanguageModel, modelId: string, options: object, conclude: Conclude): Promise<ModelReply> {
  return started(() => model.doGenerate(options as never)).then((result) => {
    const { content, finishReason, usage, warnings } = (result ?? {}) as Partial<Reply>;
    if (!Array.isArray(content)) throw modelFailed(modelId, "its doGenerate gave no `content`", []);
    const raw = {
      content: toReplyParts(content),
      finish: toFinish(finishReason),
      rawFinish: toRawFinish(finishReason),
      usage: toUsage(usage),
      warnings: toWarnings(warnings),
    };
    return conclude(raw, false);
  }, failed(modelId));
}

interface Reply {
  readonly content: readonly ForeignPart[];
  readonly finishReason: unknown;
  readonly usage: unknown;
  readonly warnings: unknown;
}

/** What a provider gives; one that throws at once rejects. */
function started(request: () => PromiseLike<unknown>): Promise<unknown> {
  try {
    return Promise.resolve(request());
  } catch (error) {
    return Promise.reject(error);
  }
}

function failed(modelId: string): (error: unknown) => never {
  return (error) => {
    throw modelFailed(modelId, error, []);
  };
}

/**
 * Many packages end a stream that was closed early as one that is complete, but with no word from the provider. Servers
 * that never give one are told by the figures that follow it; Gemini gives figures all along.
 */
function isUnfinished({ finish, rawFinish, usage }: RawReply, wire: WireKind): boolean {
  return finish === "other" && rawFinish === undefined && (usage.outputTokens === 0 || wire === "gemini");
}

/** A finish reason that says the reply is no reply becomes the error it is. */
function toReply(modelId: string, reply: RawReply, losses: readonly string[]): ModelReply {
  const { content, finish, rawFinish, usage } = reply;
  const warnings = losses.length === 0 ? reply.warnings : [...losses, ...reply.warnings];
  if (finish === "error") throw modelEndedInError(modelId, content, rawFinish);
  if (finish === "interrupted") throw streamCut(modelId, "without the provider's sign that it is complete", content);
  return {
    content,
    finish,
    ...(rawFinish !== undefined && { rawFinish }),
    usage,
    ...(warnings.length > 0 && { warnings }),
  };
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
