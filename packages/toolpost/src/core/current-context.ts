// The context of the call under way, for code below it that nobody passes the context to.
// One store for the process, as calls run side by side in it. It must never hold a context longer than the work does.

import type { AsyncLocalStorage, AsyncResource, executionAsyncId } from "node:async_hooks";
import type { ToolContext } from "./context.ts";
import { ToolpostError } from "./errors.ts";

let store: AsyncLocalStorage<ToolContext> | undefined;
let Resource: typeof AsyncResource | undefined;
let currentId: typeof executionAsyncId;

/**
 * The context of the tool call this code runs in: in the tool itself and in all it calls, awaits or schedules, in its
 * policy, its hooks, and listeners that hear of it. Elsewhere in a run (a model) it is that of the run: `callId` is
 * `""` there, and reading `idempotencyKey` throws. Outside of a run it throws `ToolpostError` (`context.none`).
 * @example const { idempotencyKey, signal } = currentContext();
 */
export function currentContext(): ToolContext {
  const context = store?.getStore();
  if (context !== undefined) return context;
  throw new ToolpostError("context.none", "there is no call here: `currentContext()` was read outside of a run");
}

/** Whether code runs inside of `context`: going into it once more would only cost. */
export function isCurrentContext(context: ToolContext): boolean {
  return store?.getStore() === context;
}

/** Does `work` with `argument`, inside of which `currentContext()` gives `context`. Gives back what it gives back. */
export function runInContext<Argument, Returned>(
  context: ToolContext,
  work: (argument: Argument) => Returned,
  argument: Argument,
): Returned {
  // What `store.run` does, at two thirds of its cost: a resource puts back what was there, `run` makes it anew.
  // The id is the one it takes by itself, only that it looks for options first.
  return new (Resource ?? openStore())("toolpost", currentId()).runInAsyncScope(
    enter<Argument, Returned>,
    undefined,
    context,
    work,
    argument,
  );
}

function enter<Argument, Returned>(
  context: ToolContext,
  work: (argument: Argument) => Returned,
  argument: Argument,
): Returned {
  store?.enterWith(context);
  return work(argument);
}

function openStore(): typeof AsyncResource {
  if (Resource === undefined) {
    const hooks = process.getBuiltinModule("node:async_hooks");
    Resource = hooks.AsyncResource;
    currentId = hooks.executionAsyncId;
    store = new hooks.AsyncLocalStorage();
  }
  return Resource;
}

/** Does `work` as if no call were under way: what it starts belongs to none. */
export function runOutsideContext<Returned>(work: () => Returned): Returned {
  return store === undefined ? work() : store.exit(work);
}
