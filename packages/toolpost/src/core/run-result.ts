// How a run ends when it does not reject, and the handle that is given while it goes on.
// Types only.

import type { PendingPause } from "./approval.ts";
import type { Usage } from "./budget.ts";
import type { AgentEvent } from "./event.ts";
import type { Message } from "./message.ts";
import type { ToolResult } from "./result.ts";

export type StoppedBy = "steps" | "failures" | "stop" | "length" | "content-filter";

export interface RunResult<Output = unknown> {
  readonly runId: string;
  readonly threadId: string | undefined;
  readonly status: "done" | "waiting" | "stopped";
  /** The model's last text of this run, empty when there is none. */
  readonly text: string;
  /** The structured answer, where the agent declares one and it was given. */
  readonly output: Output | undefined;
  readonly pending: readonly PendingPause[];
  readonly usage: Usage;
  /** Name of the first call, in the model's order, that ended the run. */
  readonly endedByTool?: string;
  readonly stoppedBy?: StoppedBy;
  /** Every call of the run, in order. */
  readonly calls: readonly ToolResult[];
  /** The messages this run added: the user's, the model's, the results. */
  readonly messages: readonly Message[];
  /** Model calls made. */
  readonly steps: number;
}

/**
 * A run under way. Awaiting it gives its result or throws its error. `events` and `textStream` can be read by several
 * readers, also late ones: each sees everything from the start, deltas of finished parts joined.
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
