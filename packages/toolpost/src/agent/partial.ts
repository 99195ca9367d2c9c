// What a run had when it ended early, put on its error.
// It must not change what the error is, nor fail where the error takes nothing.

import type { AgentRun } from "./agent-run.ts";

/** The same error; hidden from printing. A frozen one goes without. */
export function withPartial(error: unknown, state: AgentRun): unknown {
  if (error instanceof Error)
    Reflect.defineProperty(error, "partial", { value: state.partial(), configurable: true, writable: true });
  return error;
}
