// What is said of a run at its end, or when it has come to wait: its result and its last event.
// Fields that would say nothing are left out, and set one by one: a spread for each costs more than the rest.

import type { AgentEvent } from "../core/event.ts";
import type { RunResult, StoppedBy } from "../core/run-result.ts";
import type { AgentRun } from "./agent-run.ts";
import type { LoopEnd } from "./run-loop.ts";

export function runEnd(state: AgentRun, end: LoopEnd): AgentEvent {
  const { runId, now: at } = state;
  const event = { type: "run-end", runId, at, status: end.status, usage: state.usage() } as const;
  return withEnd<typeof event & EndFields>(event, end);
}

interface EndFields {
  stoppedBy?: StoppedBy;
  endedByTool?: string;
}

/** Adds how the run ended, as far as there is more to say than its status. */
function withEnd<T extends EndFields>(made: T, end: LoopEnd): T {
  if (end.stoppedBy !== undefined) made.stoppedBy = end.stoppedBy;
  if (end.endedByTool !== undefined) made.endedByTool = end.endedByTool;
  return made;
}

export function resultOf(state: AgentRun, end: LoopEnd): RunResult {
  const result = common(state, state.calls.slice());
  result.status = end.status;
  result.output = end.answer?.value;
  return withEnd(result, end);
}

export function waitingResult(state: AgentRun, pending: RunResult["pending"]): RunResult {
  return { ...common(state, state.settledCalls), status: "waiting", pending };
}

function common(state: AgentRun, calls: RunResult["calls"]): { -readonly [Key in keyof RunResult]: RunResult[Key] } {
  return {
    runId: state.runId,
    threadId: state.threadId,
    status: "done",
    text: state.text,
    output: undefined,
    usage: state.usage(),
    calls,
    messages: state.messages,
    steps: state.steps,
    pending: [],
  };
}
