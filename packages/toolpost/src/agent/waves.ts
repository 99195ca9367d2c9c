// The calls of one turn, side by side: each in a branch of its own, decided, then called.
// A call whose policy is a predicate is decided after the earlier calls of the turn settled or wait for a person;
// the others wait for nobody. Results keep the model's order.

import type { ToolCall } from "../core/call.ts";
import type { Catalog } from "../core/catalog.ts";
import type { ToolResult } from "../core/result.ts";
import type { Run, Task } from "../core/run.ts";
import { outcomeOf } from "../core/task.ts";
import type { CallScope } from "../pipeline/call-scope.ts";
import { callTool } from "../pipeline/call-tool.ts";
import type { Soon } from "../std/soon.ts";
import { andThen, isPromiseLike } from "../std/soon.ts";

/** What the calls of a turn tell the run while it goes on. */
export interface WaveScope extends CallScope {
  /** Called with each result as it comes. */
  noteResult(result: ToolResult, position: number): void;
  /** Calls `listener` when the call of that id comes to wait for a person. */
  onCallWaiting(callId: string, listener: () => void): void;
}

/** Runs all calls of a turn. At once where everything they call is synchronous. Never rejects. */
export function runCalls(run: Run, calls: readonly ToolCall[], view: Catalog, scope: WaveScope): Soon<ToolResult[]> {
  const [first] = calls;
  // Nobody of the turn looks at a call that is alone in it.
  if (calls.length === 1 && first !== undefined)
    return andThen(outcomeOf(run.branch(first.callId, (branch) => callTool(branch, first, view, scope))), alone);
  const quiet: Promise<void>[] = [];
  const tasks: Task<ToolResult>[] = [];
  for (const call of calls) {
    const isDecidedLater = quiet.length > 0 && typeof view.find(call.tool)?.policy === "function";
    const earlier = isDecidedLater ? Promise.all(quiet) : undefined;
    const task = run.branch(call.callId, (branch) =>
      earlier === undefined
        ? runCall(branch, call, view, scope)
        : earlier.then(() => runCall(branch, call, view, scope)),
    );
    tasks.push(task);
    if (isPromiseLike(outcomeOf(task))) quiet.push(settledOrWaiting(task, call, scope));
  }
  return run.all(tasks);
}

function alone(result: ToolResult): ToolResult[] {
  return [result];
}

function runCall(branch: Run, call: ToolCall, view: Catalog, scope: WaveScope): Soon<ToolResult> {
  const result = callTool(branch, call, view, scope);
  return isPromiseLike(result) ? result.then((settled) => noted(settled, call, scope)) : noted(result, call, scope);
}

function noted(result: ToolResult, { position }: ToolCall, scope: WaveScope): ToolResult {
  scope.noteResult(result, position);
  return result;
}

function settledOrWaiting(task: Task<ToolResult>, call: ToolCall, scope: WaveScope): Promise<void> {
  return new Promise((resolve) => {
    scope.onCallWaiting(call.callId, resolve);
    task.then(
      () => resolve(),
      () => resolve(),
    );
  });
}
