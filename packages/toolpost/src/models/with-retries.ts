// A model whose requests are made again where the provider refused or the network broke, on the application's clock.
// It must not ask again once anything of a reply has arrived: nobody could take back what was shown.
// The models of the AI SDK never retry by themselves (its `generateText` does), so nothing is retried twice.

import type { Model, ModelDelta, ModelReply, ModelRequest } from "../core/model.ts";
import { follow } from "../std/abort.ts";
import type { Clock } from "../std/clock.ts";
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
  const { id, dialect } = model;
  return { id, dialect, call: (request, onDelta) => callAgain(model, options, request, onDelta) };
}

async function callAgain(
  model: Model,
  { clock, maxRetries, onRetry, random = Math.random }: RetryOptions,
  request: ModelRequest,
  onDelta: ((delta: ModelDelta) => void) | undefined,
): Promise<ModelReply> {
  let hasShown = false;
  const show =
    onDelta &&
    ((delta: ModelDelta): void => {
      hasShown = true;
      onDelta(delta);
    });
  for (let number = 1; ; number++) {
    try {
      return await model.call(request, show);
    } catch (error) {
      if (number > maxRetries || hasShown || request.signal.aborted || !isPassing(error)) throw error;
      const waitMs = backoff(error, { number, now: clock.now(), random });
      onRetry?.({ model: model.id, number, waitMs, error });
      await pause(waitMs, clock, request.signal);
    }
  }
}

function pause(waitMs: number, clock: Clock, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = clock.schedule(waitMs, () => {
      release();
      resolve();
    });
    const release = follow(signal, (reason) => {
      timer.cancel();
      reject(reason);
    });
  });
}
