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
}

/** Runs all calls of a turn. At once where everything they call is synchronous. Never rejects. */
export function runCalls(run: Run, calls: readonly ToolCall[], view: Catalog, scope: WaveScope): Soon<ToolResult[]> {
  const [first] = calls;
  // Nobody of the turn looks at a call that is alone in it.
  if (calls.length === 1 && first !== undefined)
    return andThen(outcomeOf(run.branch(keyOf(first, scope), (branch) => callTool(branch, first, view, scope))), alone);
  const tasks: Task<ToolResult>[] = [];
  for (const call of calls) {
    const isDecidedLater = tasks.length > 0 && typeof view.find(call.tool)?.policy === "function";
    const earlier = isDecidedLater ? tasks.slice() : none;
    tasks.push(run.branch(keyOf(call, scope), (branch) => runCall(earlier, branch, { call, view, scope })));
  }
  return run.all(tasks);
}

/** Its place in the run, which no other call has; ids are the provider's. */
function keyOf({ position }: ToolCall, { visit }: WaveScope): string {
  return `call:${visit}:${position}`;
}

const none: readonly Task<ToolResult>[] = Object.freeze([]);

function alone(result: ToolResult): ToolResult[] {
  return [result];
}

interface WaveCall {
  readonly call: ToolCall;
  readonly view: Catalog;
  readonly scope: WaveScope;
}

function runCall(earlier: readonly Task<ToolResult>[], branch: Run, wave: WaveCall): Soon<ToolResult> {
  const quiet = earlier.length === 0 ? undefined : branch.quiet(earlier);
  if (isPromiseLike(quiet)) return quiet.then(() => callNow(branch, wave));
  return callNow(branch, wave);
}

function callNow(branch: Run, { call, view, scope }: WaveCall): Soon<ToolResult> {
  const result = callTool(branch, call, view, scope);
  return isPromiseLike(result) ? result.then((settled) => noted(settled, call, scope)) : noted(result, call, scope);
}

function noted(result: ToolResult, { position }: ToolCall, scope: WaveScope): ToolResult {
  scope.noteResult(result, position);
  return result;
}
