// One execution of a call's tool in its slot: counted against the run's limits, bounded in time. A slot is not held while
// anybody waits for a person.

import { BudgetExceededError, LimitExceededError } from "../core/run-errors.ts";
import type { AnyTool } from "../core/tool.ts";
import type { Soon } from "../std/soon.ts";
import { notStarted, refusalEnding } from "./admit-call.ts";
import { CallContext } from "./call-context.ts";
import type { CallScope } from "./call-scope.ts";
import type { Ending, Outcome } from "./ending.ts";
import { executeTool } from "./execute-tool.ts";
import type { AdmittedLiveCall, LiveCall } from "./live-call.ts";
import * as phrases from "./phrases.ts";

/** Waits for a slot and runs the tool once; an ending where it may not be run any more. */
export function executeInSlot(live: AdmittedLiveCall): Soon<Outcome | Ending> {
  const { tool, scope } = live;
  const isExclusive = tool.exclusive === true;
  if (!scope.abort.aborted && scope.gate.tryEnter(isExclusive)) {
    const outcome = inSlot(live);
    if (!(outcome instanceof Promise)) return leftSlot(outcome, scope);
    return outcome.then((settled) => leftSlot(settled, scope));
  }
  return Promise.resolve(scope.gate.enter(isExclusive, scope.abort)).then(
    async (release) => {
      scope.timePassed();
      const outcome = await inSlot(live);
      release();
      return outcome;
    },
    () => cutOff(live),
  );
}

function leftSlot<T>(outcome: T, { gate }: CallScope): T {
  gate.leave();
  return outcome;
}

function inSlot(live: AdmittedLiveCall): Outcome | Ending | Promise<Outcome | Ending> {
  const { tool, scope, reentry } = live;
  if (scope.abort.aborted) return cutOff(live);
  // The attempt before may have been at it.
  if (live.isRefusedNow) return outcomeUnknown;
  live.isSettled = false;
  if (reentry === undefined) {
    // One that a crash interrupted has been counted.
    const refusal = scope.counts(tool) && !live.hasStarted ? takeCall(live) : undefined;
    if (refusal !== undefined) return refusal;
  } else {
    live.context = new CallContext(live.call.callId, scope, live, reentry);
  }
  const startedAt = scope.now;
  const outcome = executeTool(live, timeoutOf(tool, scope));
  return outcome instanceof Promise
    ? outcome.then((settled) => executed(settled, startedAt, live))
    : executed(outcome, startedAt, live);
}

function executed(outcome: Outcome, startedAt: number, live: LiveCall): Outcome {
  const { scope } = live;
  scope.timePassed();
  live.executionMs += scope.now - startedAt;
  return outcome;
}

/** It may have had its effect. */
export const outcomeUnknown: Ending = Object.freeze({
  status: "unknown",
  errorCode: "tool.outcome-unknown",
  text: phrases.OUTCOME_UNKNOWN,
});

/** The run was cancelled while the call stood in line: one that was entered before has started. */
export function cutOff({ tool, input, scope, reentry, hasStarted }: AdmittedLiveCall): Ending {
  // A person has had it run again that a crash interrupted.
  if (reentry === undefined && hasStarted) return outcomeUnknown;
  if (reentry === undefined) return refusalEnding(notStarted(tool, input, scope));
  return { status: "cancelled", errorCode: "call.cancelled", text: phrases.cancelled(scope.abort.reason) };
}

const oneCall = Object.freeze({ calls: 1 });

/** Counts one more started call, or says why there may be none. */
export function takeCall(live: AdmittedLiveCall): Ending | undefined {
  const { scope } = live;
  const { maxToolCalls } = scope.slots.defaults;
  if (scope.started >= maxToolCalls) {
    live.fail(new LimitExceededError(maxToolCalls), false);
    return { status: "not-started", errorCode: "limit.tool-calls", text: phrases.NOT_STARTED };
  }
  const breach = scope.budget.breach(oneCall);
  if (breach !== undefined) {
    live.fail(new BudgetExceededError(breach.kind, breach.limit, breach.used), false);
    return { status: "not-started", errorCode: "budget.exceeded", text: phrases.NOT_STARTED };
  }
  live.start();
  return undefined;
}

function timeoutOf(tool: AnyTool, scope: CallScope): number | undefined {
  if (tool.timeout === "none") return undefined;
  return tool.timeout?.ms ?? scope.slots.defaults.timeout;
}
