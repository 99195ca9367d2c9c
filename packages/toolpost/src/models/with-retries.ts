// A model whose requests are made again where the provider refused or the network broke, on the application's clock.
// It must not ask again once anything of a reply has arrived: nobody could take back what was shown.
// The models of the AI SDK never retry by themselves (its `generateText` does), so nothing is retried twice.
// A request that does not fail must cost next to nothing: what a retry needs is made after a failure.

import type { Model, ModelDelta } from "../core/model.ts";
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
  if (options.maxRetries === 0) return model;
  const ask = askOf(model);
  return new AskedModel(model, (call) => askAgain(ask, model.id, options, call));
}

function askAgain(
  ask: Ask,
  modelId: string,
  options: RetryOptions,
  { request, onDelta, done, failed }: ModelCall,
): void {
  let number = 0;
  let hasShown = false;
  const show =
    onDelta &&
    ((delta: ModelDelta): void => {
      hasShown = true;
      onDelta(delta);
    });
  const retry = (error: unknown): void => {
    const abort = request.abort ?? abortSourceOf(request.signal);
    if (++number > options.maxRetries || hasShown || abort.aborted || !isPassing(error)) return failed(error);
    const { clock, onRetry, random = Math.random } = options;
    try {
      const waitMs = backoff(error, { number, now: clock.now(), random });
      onRetry?.({ model: modelId, number, waitMs, error });
      wait(waitMs, { clock, abort, done: () => ask(attempt), failed });
    } catch (fault) {
      failed(fault);
    }
  };
  const attempt: ModelCall = { request, onDelta: show, done, failed: retry };
  ask(attempt);
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
