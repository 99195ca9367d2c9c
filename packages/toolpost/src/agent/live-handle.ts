// The handle of a run that is given at once: its events, its result, its end by the caller.
// It holds nothing of its own: the run does, also when nobody has kept the handle.

import type { AgentEvent } from "../core/event.ts";
import type { RunHandle } from "../core/run-handle.ts";
import type { RunResult } from "../core/run-result.ts";

/** The run behind a handle. */
export interface HandledRun {
  readonly result: Promise<RunResult>;
  isWaitingSince(event: AgentEvent): boolean;
  abort(reason?: unknown): void;
}

export class LiveHandle implements RunHandle {
  readonly runId: string;
  readonly #events: AsyncIterable<AgentEvent>;
  readonly #run: HandledRun;

  constructor(run: HandledRun, runId: string, events: AsyncIterable<AgentEvent>) {
    this.#run = run;
    this.runId = runId;
    this.#events = events;
  }

  get events(): AsyncIterable<AgentEvent> {
    return { [Symbol.asyncIterator]: () => untilItWaits(this.#run, this.#events) };
  }

  get textStream(): AsyncIterable<string> {
    return texts(this.events);
  }

  abort(reason?: unknown): void {
    this.#run.abort(reason);
  }

  // biome-ignore lint/suspicious/noThenProperty: a run handle is awaited by contract
  then<A = RunResult, B = never>(
    onOk?: ((result: RunResult) => A | PromiseLike<A>) | null,
    onError?: ((error: unknown) => B | PromiseLike<B>) | null,
  ): Promise<A | B> {
    return this.#run.result.then(onOk, onError);
  }

  catch<T = never>(onRejected: (error: unknown) => T | PromiseLike<T>): Promise<RunResult | T> {
    return this.#run.result.catch(onRejected);
  }

  finally(onFinally: () => void): Promise<RunResult> {
    return this.#run.result.finally(onFinally);
  }
}

/**
 * Ends with the run, and where it waits for people as awaiting it does: a reader that answered inside its loop goes on
 * reading, one that did not is not left hanging.
 */
async function* untilItWaits(
  run: HandledRun,
  events: AsyncIterable<AgentEvent>,
): AsyncGenerator<AgentEvent, void, undefined> {
  for await (const event of events) {
    yield event;
    if (event.type === "run-wait" && run.isWaitingSince(event)) return;
  }
}

async function* texts(events: AsyncIterable<AgentEvent>): AsyncGenerator<string, void, undefined> {
  for await (const event of events) if (event.type === "text-delta") yield event.text;
}
