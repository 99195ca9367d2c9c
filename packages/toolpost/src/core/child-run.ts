// A run that is a call of another run: what it is started with, and what comes back of it.
// Plain JSON, as it crosses from one run's journal into another's.

import type { Json } from "../std/json.ts";
import type { Usage } from "./budget.ts";
import type { StoppedBy } from "./run-result.ts";

/** What the run above leaves it: whatever is left there when it starts. Dollars, tokens, calls, milliseconds. */
export interface ChildLimits {
  readonly money?: number;
  readonly tokens?: number;
  readonly calls?: number;
  readonly time?: number;
}

/** Of the run above. */
export interface RunAbove {
  /** How many runs are above it. */
  readonly depth: number;
  readonly limits: ChildLimits;
  /** Nobody was to be asked any more above when it started. */
  readonly asksNobody?: boolean;
}

/** What a run used, for the account of the run above. */
export interface Used {
  readonly usage: Usage;
  readonly usd: number;
  readonly calls: number;
}

/** How a child ended that did not fail. */
export interface ChildEnd {
  readonly status: "done" | "stopped";
  readonly stoppedBy?: StoppedBy;
  readonly text: string;
  /** The structured answer, where the agent declares one. */
  readonly output?: Json;
  readonly used: Used;
}
