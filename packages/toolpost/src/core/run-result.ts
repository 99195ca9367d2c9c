// How a run ends when it does not reject.
// Types only; the errors of one that does stand in run-errors.

import type { PendingPause } from "./approval.ts";
import type { Usage } from "./budget.ts";
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
