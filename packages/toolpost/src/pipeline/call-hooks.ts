// Tells hooks about a call. Those that look on cannot harm it: their throws are logged once per hook.
// `beforeTool` and `around` are not here: they have a say, and stand where they act.

import type { ToolCall } from "../core/call.ts";
import type { HookCall, Hooks } from "../core/govern.ts";
import type { AnyTool } from "../core/tool.ts";
import { isPromiseLike } from "../std/soon.ts";
import type { CallScope } from "./call-scope.ts";

interface SeenCall {
  readonly call: ToolCall;
  readonly tool: AnyTool | undefined;
  readonly input: unknown;
  readonly scope: CallScope;
}

type LookingOn = "afterTool" | "onToolStart" | "onToolEnd" | "onToolError";

/** A call as hooks see it. */
export function hookCall({ call, tool, input, scope }: SeenCall): HookCall {
  return {
    callId: call.callId,
    runId: scope.runId,
    tool: tool?.name ?? call.tool,
    source: tool?.source ?? "unknown",
    agent: scope.agent,
    user: scope.user,
    input,
  };
}

/**
 * Calls one looking-on hook of every listener, with `more` than the call. Resolves when all are done; `undefined` when
 * none was asynchronous.
 */
export function notifyHooks<Name extends LookingOn>(
  name: Name,
  seen: SeenCall,
  more?: Omit<Parameters<NonNullable<Hooks[Name]>>[0], keyof HookCall>,
): Promise<unknown> | undefined {
  const { scope } = seen;
  if (scope.slots.hooks.length === 0) return undefined;
  let payload: HookCall | undefined;
  let waits: PromiseLike<unknown>[] | undefined;
  for (const hooks of scope.slots.hooks) {
    if (hooks[name] === undefined) continue;
    payload ??= { ...hookCall(seen), ...more };
    try {
      const answer = (hooks[name] as (payload: unknown) => unknown).call(hooks, payload);
      if (isPromiseLike(answer))
        (waits ??= []).push(Promise.resolve(answer).catch((error: unknown) => report(name, hooks, error, scope)));
    } catch (error) {
      report(name, hooks, error, scope);
    }
  }
  return waits === undefined ? undefined : Promise.all(waits);
}

function report(name: LookingOn, hooks: Hooks, error: unknown, scope: CallScope): void {
  const key = hooks[name] as unknown as object;
  scope.slots.logOnce(key, { level: "error", message: `the hook \`${name}\` threw; the call goes on`, error });
}
