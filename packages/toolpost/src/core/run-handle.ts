// What is given at once when a run starts, and lives while it goes on.
// Types only.

import type { AgentEvent } from "./event.ts";
import type { RunResult } from "./run-result.ts";

/**
 * A run under way. Awaiting it gives its result or throws its error. `events` and `textStream` can be read by several
 * readers, also late ones: each sees everything from the start, deltas from before it came joined to whole texts.
 */
export interface RunHandle<Output = unknown> extends PromiseLike<RunResult<Output>> {
  readonly runId: string;
  readonly events: AsyncIterable<AgentEvent>;
  readonly textStream: AsyncIterable<string>;
  /** Cancels the run; a later call changes nothing. */
  abort(reason?: unknown): void;
  catch<T = never>(onRejected: (error: unknown) => T | PromiseLike<T>): Promise<RunResult<Output> | T>;
  finally(onFinally: () => void): Promise<RunResult<Output>>;
}
