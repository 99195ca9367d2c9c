// One execution of one tool under its deadline and its run's cancellation. The only place that calls `tool.execute`.
// It always settles, whatever the tool does; a tool that settles later is reported as late. Throws nothing.

import { isCurrentContext, runInContext } from "../core/current-context.ts";
import type { HookCall, Hooks } from "../core/govern.ts";
import type { AnyTool } from "../core/tool.ts";
import { isPromiseLike, swallow } from "../std/soon.ts";
import type { CallContext } from "./call-context.ts";
import { hookCall } from "./call-hooks.ts";
import type { CallScope } from "./call-scope.ts";
import type { Outcome } from "./ending.ts";
import type { AdmittedLiveCall } from "./live-call.ts";
import { timedOut } from "./phrases.ts";

/**
 * Runs the tool once, in the call's context. Synchronous where the tool is; a promise otherwise.
 * @param timeout milliseconds; `undefined` for no deadline
 */
export function executeTool(live: AdmittedLiveCall, timeout: number | undefined): Outcome | Promise<Outcome> {
  const { context } = live;
  try {
    const returned = isCurrentContext(context) ? callThrough(live) : runInContext(context, callThrough, live);
    if (isPromiseLike(returned)) return watch(live, returned, timeout);
    context.end();
    return endedAtOnce({ type: "returned", value: returned }, live);
  } catch (error) {
    context.end();
    return endedAtOnce({ type: "threw", error }, live);
  }
}

/** A synchronous tool that had itself cancelled has settled, whatever it came to. */
function endedAtOnce(outcome: Outcome, { scope: { abort } }: AdmittedLiveCall): Outcome {
  return abort.aborted ? { type: "cancelled", reason: abort.reason, isSettled: true } : outcome;
}

/** Calls the tool inside every `around`, the first hooks outermost. */
function callThrough(live: AdmittedLiveCall): unknown {
  const { hooks } = live.scope.slots;
  const arounds = hooks.length === 0 ? hooks : hooks.filter(({ around }) => around !== undefined);
  if (arounds.length === 0) return callTool(live);
  return callAround(live, arounds, hookCall(live), 0);
}

function callTool({ tool, input, context }: AdmittedLiveCall): unknown {
  return (tool as AnyTool & { execute(input: unknown, ctx: unknown): unknown }).execute(input, context);
}

function callAround(live: AdmittedLiveCall, arounds: readonly Hooks[], call: HookCall, index: number): unknown {
  const hooks = arounds[index];
  if (hooks === undefined) return callTool(live);
  const { context } = live;
  let isCalled = false;
  return hooks.around?.(call, () => {
    const output = (async () => {
      if (context.isOver) throw new Error("`next` was called after the call was settled: the tool is not run");
      if (isCalled) throw new Error("`next` was called twice: a tool runs once in a call");
      isCalled = true;
      return callAround(live, arounds, call, index + 1);
    })();
    swallow(output);
    return output;
  });
}

/** Waits for the tool, its deadline or the end of its run, whichever comes first. */
function watch(live: AdmittedLiveCall, returned: PromiseLike<unknown>, timeout: number | undefined): Promise<Outcome> {
  // Of this execution: the call may be given another one.
  const { context, scope } = live;
  const { clock } = scope.slots;
  return new Promise((resolve) => {
    const startedAt = clock.now();
    let isOver = false;
    let cancelReason: unknown;
    let isCancelled = false;

    const finish = (outcome: Outcome): void => {
      isOver = true;
      timer?.cancel();
      forget();
      context.end();
      resolve(outcome);
    };
    const settled = (outcome: Outcome): void => {
      if (isOver) return late(live, context, outcome, clock.now() - startedAt);
      finish(isCancelled ? { type: "cancelled", reason: cancelReason, isSettled: true } : outcome);
    };
    const timer =
      timeout === undefined
        ? undefined
        : clock.schedule(timeout, () => {
            context.cancel(new DOMException(timedOut(timeout).replace("Tool error: ", ""), "TimeoutError"));
            finish({ type: "timed-out", ms: timeout });
          });
    const cancel = (reason: unknown): void => {
      isCancelled = true;
      cancelReason = reason;
      context.cancel(reason);
      // A tool that heeds its signal settles within this turn of the event loop or the next; more is not waited for.
      setImmediate(() => setImmediate(() => isOver || finish({ type: "cancelled", reason, isSettled: false })));
    };
    const forget = scope.abort.onAbort(cancel);
    Promise.resolve(returned).then(
      (value) => settled({ type: "returned", value }),
      (error: unknown) => settled({ type: "threw", error }),
    );
  });
}

/** A tool that gave up because it was told to is not late: it did what its signal says. */
function late(
  { call, tool, scope }: AdmittedLiveCall,
  context: CallContext,
  outcome: Outcome,
  durationMs: number,
): void {
  if (outcome.type === "threw" && isAbortError(outcome.error, context.signal.reason)) return;
  const status = outcome.type === "returned" ? "ok" : "failed";
  scope.emit({
    type: "tool-call-late",
    runId: scope.runId,
    at: freshNow(scope),
    callId: call.callId,
    tool: tool.name,
    source: tool.source,
    status,
    durationMs,
  });
  scope.slots.log({
    level: "warn",
    message: `\`${tool.name}\` came to its end after its call was settled (${status})`,
    ...(outcome.type === "threw" ? { error: outcome.error } : {}),
    data: { runId: scope.runId, callId: call.callId, durationMs },
  });
}

/** Read anew, for this event and those after it. */
function freshNow(scope: CallScope): number {
  scope.timePassed();
  return scope.now;
}

function isAbortError(error: unknown, reason: unknown): boolean {
  if (error === reason) return true;
  return error instanceof Error && (error.cause === reason || error.name === "AbortError");
}
