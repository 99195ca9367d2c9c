// What moves a run: its state and the loop, and with them all of the governed call.
// A handle is given before any of this is loaded, so only what prepares runs may import it.

import { runLastInContext } from "../core/current-context.ts";
import type { AgentEvent } from "../core/event.ts";
import { runContext } from "../pipeline/call-context.ts";
import type { LazyAbort } from "../std/abort.ts";
import type { Broadcast } from "../std/async.ts";
import { AgentRun } from "./agent-run.ts";
import type { PreparedAgent, RunStart } from "./prepared-agent.ts";
import type { LoopEnd } from "./run-loop.ts";
import { runLoop } from "./run-loop.ts";

export interface Motion {
  begin(setup: PreparedAgent, start: RunStart, abort: LazyAbort, events: Broadcast<AgentEvent>): AgentRun;
  /** To the run's end; rejects with what ends it early. Only from a microtask or a promise, as the last thing it does. */
  move(state: AgentRun): Promise<LoopEnd>;
}

export const motion: Motion = {
  begin: (setup, start, abort, events) => new AgentRun(setup, start, abort, events),
  move: (state) => runLastInContext(runContext(state), runLoop, state),
};
