// A handle of a run that is looked up first: whose answer is being taken, or that another process may hold.
// What refuses the lookup rejects through it, as everything about a run does.

import type { AgentEvent } from "../core/event.ts";
import type { RunHandle } from "../core/run-handle.ts";
import type { RunResult } from "../core/run-result.ts";
import { swallow } from "../std/soon.ts";

/** A handle in an object: as it can be awaited itself, a promise cannot give one. */
export interface Given {
  readonly handle: RunHandle;
}

export class GivenHandle implements RunHandle {
  readonly #given: Promise<Given>;
  #handle: RunHandle | undefined = undefined;
  #abort: { readonly reason: unknown } | undefined = undefined;
  #runId: string;

  constructor(given: Promise<Given>, runId = "") {
    this.#given = given;
    this.#runId = runId;
    swallow(
      given.then(({ handle }) => {
        this.#handle = handle;
        this.#runId = handle.runId;
        if (this.#abort !== undefined) handle.abort(this.#abort.reason);
      }),
    );
  }

  /** Empty until the run was found. */
  get runId(): string {
    return this.#runId;
  }

  get events(): AsyncIterable<AgentEvent> {
    return { [Symbol.asyncIterator]: () => eventsOf(this.#given) };
  }

  get textStream(): AsyncIterable<string> {
    return { [Symbol.asyncIterator]: () => textsOf(this.#given) };
  }

  abort(reason?: unknown): void {
    if (this.#handle !== undefined) this.#handle.abort(reason);
    else this.#abort ??= { reason };
  }

  // biome-ignore lint/suspicious/noThenProperty: a run handle is awaited by contract
  then<A = RunResult, B = never>(
    onOk?: ((result: RunResult) => A | PromiseLike<A>) | null,
    onError?: ((error: unknown) => B | PromiseLike<B>) | null,
  ): Promise<A | B> {
    return this.#given.then(({ handle }) => handle).then(onOk, onError);
  }

  catch<T = never>(onRejected: (error: unknown) => T | PromiseLike<T>): Promise<RunResult | T> {
    return this.then(undefined, onRejected);
  }

  finally(onFinally: () => void): Promise<RunResult> {
    return this.#given.then(({ handle }) => handle).finally(onFinally);
  }
}

async function* eventsOf(given: Promise<Given>): AsyncGenerator<AgentEvent, void, undefined> {
  const { handle } = await given;
  yield* handle.events;
}

async function* textsOf(given: Promise<Given>): AsyncGenerator<string, void, undefined> {
  const { handle } = await given;
  yield* handle.textStream;
}
