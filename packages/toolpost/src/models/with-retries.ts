// A model whose requests are made again where the provider refused or the network broke, on the application's clock.
// It must not ask again once anything of a reply has arrived: nobody could take back what was shown.
// The models of the AI SDK never retry by themselves (its `generateText` does), so nothing is retried twice.
// A request that does not fail must cost next to nothing: what a retry needs is made after a failure.

import type { Model, ModelReply, ModelRequest } from "../core/model.ts";
import type { AbortSource } from "../std/abort.ts";
import { abortSourceOf } from "../std/abort.ts";
import type { Clock } from "../std/clock.ts";
import type { Ask, ModelCall } from "./asked-model.ts";
import { AskedModel, askOf } from "./asked-model.ts";
import { backoff, isPassing } from "./passing-failure.ts";

/** A request about to be made again. */
export interface Retry {
  readonly model: string;
  /** Of this request: 1 for the first retry. */
  readonly number: number;
  readonly waitMs: number;
  readonly error: unknown;
}

export interface RetryOptions {
  readonly clock: Clock;
  /** How often one request may be made again; 0 for never. */
  readonly maxRetries: number;
  readonly onRetry?: (retry: Retry) => void;
  /** From 0 up to 1; default `Math.random`. */
  readonly random?: () => number;
}

/** The same model with retries. Rejects with the last failure; an abort ends a wait at once with the signal's reason. */
export function withRetries(model: Model, options: RetryOptions): Model {
  if (options.maxRetries === 0) return model instanceof AskedModel ? model : new AskedModel(model, askOf(model));
  const plan: RetryPlan = { ...options, ask: askOf(model), model: model.id };
  return new AskedModel(model, (call) => plan.ask(new RetriedCall(call, plan)));
}

interface RetryPlan extends RetryOptions {
  readonly ask: Ask;
  readonly model: string;
}

class RetriedCall implements ModelCall {
  readonly request: ModelRequest;
  readonly onDelta: ModelCall["onDelta"];
  readonly #call: ModelCall;
  readonly #plan: RetryPlan;
  #number = 0;
  #hasShown = false;

  constructor(call: ModelCall, plan: RetryPlan) {
    const { request, onDelta } = call;
    this.request = request;
    this.onDelta =
      onDelta &&
      ((delta) => {
        this.#hasShown = true;
        onDelta(delta);
      });
    this.#call = call;
    this.#plan = plan;
  }

  done(reply: ModelReply): void {
    this.#call.done(reply);
  }

  failed(error: unknown): void {
    const { clock, maxRetries, onRetry, random = Math.random, ask, model } = this.#plan;
    const abort = this.request.abort ?? abortSourceOf(this.request.signal);
    const number = ++this.#number;
    if (number > maxRetries || this.#hasShown || abort.aborted || !isPassing(error)) return this.#call.failed(error);
    try {
      const waitMs = backoff(error, { number, now: clock.now(), random });
      onRetry?.({ model, number, waitMs, error });
      wait(waitMs, { clock, abort, done: () => ask(this), failed: (reason) => this.#call.failed(reason) });
    } catch (fault) {
      this.#call.failed(fault);
    }
  }
}

interface Wait {
  readonly clock: Clock;
  readonly abort: AbortSource;
  readonly done: () => void;
  /** Hears the reason of an abort that comes first. */
  readonly failed: (reason: unknown) => void;
}

function wait(ms: number, { clock, abort, done, failed }: Wait): void {
  const timer = clock.schedule(ms, () => {
    release();
    done();
  });
  const release = abort.onAbort((reason) => {
    timer.cancel();
    failed(reason);
  });
}
