// A language model that says what it is told: for tests, examples and demonstrations without a key.
// It is an honest AI SDK model (specification v4), so it takes the same way into the loop as any other, streamed or not.
// It must not answer what was not scripted: an unexpected request fails, and so does a reply nobody asked for.

import { ToolpostError } from "../core/errors.ts";
import { RunError } from "../core/run-errors.ts";
import { follow } from "../std/abort.ts";
import type { Clock } from "../std/clock.ts";
import { systemClock } from "../std/clock.ts";
import type {
  ScriptedContent,
  ScriptedFinish,
  ScriptedReply,
  ScriptedStreamPart,
  ScriptedUsage,
} from "./scripted-reply.ts";
import {
  scriptedContent,
  scriptedFailure,
  scriptedFinish,
  scriptedStream,
  scriptedStreamParts,
  scriptedUsage,
} from "./scripted-reply.ts";
import type { ScriptedCallOptions } from "./scripted-request.ts";
import { describeMessage, mismatch, ScriptedRequest } from "./scripted-request.ts";

/** Makes a reply from the request; it may be asynchronous. A throw makes the request an unexpected one. */
export type ScriptedAnswer = (request: ScriptedRequest) => string | ScriptedReply | Promise<string | ScriptedReply>;

/** A text, a reply, or a function that makes one. */
export type ScriptedStep = string | ScriptedReply | ScriptedAnswer;

export interface ScriptedModelOptions {
  /** Default `script`; the loop then knows the model as `scripted:script`. */
  readonly modelId?: string;
  /** For `delayMs`. Default: the machine's. */
  readonly clock?: Clock;
}

/** An AI SDK v4 language model. */
export interface ScriptedModel extends Disposable {
  readonly specificationVersion: "v4";
  readonly provider: string;
  readonly modelId: string;
  readonly supportedUrls: Record<string, RegExp[]>;
  doGenerate(options: ScriptedCallOptions): Promise<ScriptedGenerateResult>;
  doStream(options: ScriptedCallOptions): Promise<{ stream: ReadableStream<ScriptedStreamPart> }>;
  /** Every request so far, the unexpected ones included. */
  readonly requests: readonly ScriptedRequest[];
  /** Replies that nobody asked for yet, without repeated ones. */
  readonly remaining: number;
  /**
   * Throws `scripted.unused-reply` where replies are left, or again the first `scripted.unexpected-request`, which the
   * code under test may have swallowed. Disposing of the model (`using model = …`) does the same.
   */
  assertDone(): void;
}

export interface ScriptedGenerateResult {
  content: ScriptedContent[];
  finishReason: ScriptedFinish;
  usage: ScriptedUsage;
  warnings: never[];
}

/**
 * A model that gives these replies in order, each once; a reply with `when` only to requests that fit it. One function
 * instead of a list answers every request. A request without a reply rejects with RunError `scripted.unexpected-request`.
 * @example const model = scriptedModel([{ calls: [{ name: "ping" }] }, "It answered."]);
 */
export function scriptedModel(
  replies: readonly ScriptedStep[] | ScriptedAnswer,
  options: ScriptedModelOptions = {},
): ScriptedModel {
  return new Script(replies, options);
}

interface Entry {
  readonly step: ScriptedStep;
  isUsed: boolean;
}

class Script implements ScriptedModel {
  readonly specificationVersion = "v4";
  readonly provider = "scripted";
  readonly modelId: string;
  readonly supportedUrls: Record<string, RegExp[]> = { "*/*": [/.*/] };
  readonly requests: ScriptedRequest[] = [];
  readonly #clock: Clock;
  readonly #entries: readonly Entry[];
  readonly #answer: ScriptedAnswer | undefined;
  #unexpected: RunError | undefined = undefined;
  #callCount = 0;

  constructor(replies: readonly ScriptedStep[] | ScriptedAnswer, options: ScriptedModelOptions) {
    this.modelId = options.modelId ?? "script";
    this.#clock = options.clock ?? systemClock;
    this.#answer = typeof replies === "function" ? replies : undefined;
    this.#entries = typeof replies === "function" ? [] : replies.map((step) => ({ step, isUsed: false }));
  }

  get remaining(): number {
    return this.#entries.filter(isLeft).length;
  }

  async doGenerate(options: ScriptedCallOptions): Promise<ScriptedGenerateResult> {
    const { reply, content } = await this.#reply(new ScriptedRequest(this.requests.length, false, options));
    const failure = scriptedFailure(reply);
    if (failure !== undefined) throw failure;
    return { content, finishReason: scriptedFinish(reply), usage: scriptedUsage(reply), warnings: [] };
  }

  async doStream(options: ScriptedCallOptions): Promise<{ stream: ReadableStream<ScriptedStreamPart> }> {
    const { reply, content } = await this.#reply(new ScriptedRequest(this.requests.length, true, options));
    return { stream: scriptedStream(scriptedStreamParts(reply, content), options.abortSignal) };
  }

  assertDone(): void {
    if (this.#unexpected !== undefined) throw this.#unexpected;
    const left = this.#entries.flatMap((entry, index) => (isLeft(entry) ? [`replies[${index}]`] : []));
    if (left.length === 0) return;
    throw new ToolpostError(
      "scripted.unused-reply",
      `the scripted model was asked ${this.requests.length} times and has unused replies: ${left.join(", ")}`,
    );
  }

  [Symbol.dispose](): void {
    this.assertDone();
  }

  async #reply(request: ScriptedRequest): Promise<{ reply: ScriptedReply; content: ScriptedContent[] }> {
    this.requests.push(request);
    const { abortSignal } = request.options;
    abortSignal?.throwIfAborted();
    const reply = await this.#take(request);
    const content = scriptedContent(reply, () => `call_${++this.#callCount}`);
    if (reply.delayMs !== undefined) await wait(reply.delayMs, this.#clock, abortSignal);
    return { reply, content };
  }

  async #take(request: ScriptedRequest): Promise<ScriptedReply> {
    const step = this.#answer ?? this.#next(request);
    let reply: string | ScriptedReply;
    try {
      reply = typeof step === "function" ? await step(request) : step;
    } catch (error) {
      throw this.#refuse(request, `its script threw: ${text(error)}`, error);
    }
    if (typeof reply === "string") return { text: reply };
    if (typeof reply !== "object" || reply === null)
      throw this.#refuse(request, `its script gave ${String(reply)}, not a reply`);
    this.#check(request, reply.expect);
    return reply;
  }

  #next(request: ScriptedRequest): ScriptedStep {
    const entry = this.#entries.find(({ step, isUsed }) => {
      if (typeof step !== "object") return !isUsed;
      if (isUsed && step.repeat !== true) return false;
      return step.when === undefined || mismatch(request, step.when) === undefined;
    });
    if (entry === undefined) throw this.#refuse(request, this.#whyNone());
    entry.isUsed = true;
    return entry.step;
  }

  #whyNone(): string {
    const count = this.#entries.length;
    if (this.remaining > 0) return "no reply that is left has a `when` that fits";
    return count === 1 ? "its one reply was given" : `all ${count} replies were given`;
  }

  #check(request: ScriptedRequest, expect: ScriptedReply["expect"]): void {
    if (expect === undefined) return;
    if (typeof expect !== "function") {
      const problem = mismatch(request, expect);
      if (problem !== undefined) throw this.#refuse(request, problem);
      return;
    }
    try {
      expect(request);
    } catch (error) {
      throw this.#refuse(request, text(error), error);
    }
  }

  #refuse(request: ScriptedRequest, why: string, cause?: unknown): RunError {
    const message = `request ${request.index + 1} of the scripted model is unexpected: ${why}; the last message is ${describeMessage(request.lastMessage)}`;
    const error = new RunError("scripted.unexpected-request", message, { cause });
    this.#unexpected ??= error;
    return error;
  }
}

function isLeft({ step, isUsed }: Entry): boolean {
  return !isUsed && !(typeof step === "object" && step.repeat === true);
}

function wait(delayMs: number, clock: Clock, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    let release: (() => void) | undefined;
    const timer = clock.schedule(delayMs, () => {
      release?.();
      resolve();
    });
    if (signal === undefined) return;
    release = follow(signal, (reason) => {
      timer.cancel();
      reject(reason);
    });
  });
}

function text(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
