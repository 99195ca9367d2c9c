// The application that is killed: an agent with every kind of call and wait in its run, an agent it calls, a short one for
// races, and a flow of its own that sleeps. Each effect of theirs is written down.

import type { Agent } from "../../../src/agent/define-agent.ts";
import { defineAgent } from "../../../src/agent/define-agent.ts";
import type { AppOptions } from "../../../src/app/app-options.ts";
import { defineTool } from "../../../src/author/define-tool.ts";
import { awaitReply } from "../../../src/core/approval.ts";
import type { ToolContext } from "../../../src/core/context.ts";
import type { AgentEvent } from "../../../src/core/event.ts";
import type { HookCall } from "../../../src/core/govern.ts";
import { ask } from "../../../src/core/result.ts";
import type { Flow } from "../../../src/core/run.ts";
import type { AnyTool } from "../../../src/core/tool.ts";
import type { Effect, Effects } from "./effects.ts";
import { branchOf, promptModel } from "./prompt-model.ts";

export interface World {
  readonly effects: Effects;
  /** Resolves when a tool may go on. */
  readonly gate: (tool: string) => Promise<void>;
  readonly isChanged: boolean;
}

/** The tools that may not be run twice, and are neither asked about nor repeated. */
export const atMostOnce: ReadonlySet<string> = new Set(["charge", "buy", "ship", "pay"]);

export function deskOptions(world: World): Pick<AppOptions, "agents" | "approvals" | "hooks" | "listeners" | "log"> {
  const { effects } = world;
  const hook = (name: string) => (call: HookCall) =>
    effects.note({ kind: "hook", name: `${name} ${call.callId}`, key: call.callId, run: call.runId });
  return {
    agents: agentsOf(world),
    approvals: { channels: [{ name: "paging", send: (asked) => sent(asked, effects) }] },
    hooks: [
      {
        beforeTool: ({ callId, runId }) =>
          effects.note({
            kind: "before-tool",
            name: callId,
            key: callId,
            run: runId,
            step: `${branchOf(callId)}/decide`,
          }),
        onToolStart: hook("onToolStart"),
        afterTool: hook("afterTool"),
        onToolEnd: hook("onToolEnd"),
      },
    ],
    listeners: [(event) => noteEvent(event, effects)],
    log: ({ level, message }) => effects.note({ kind: "log", name: level, key: message, run: "" }),
  };
}

function agentsOf(world: World): readonly Agent[] {
  const { effects, isChanged } = world;
  const tool = (name: string, more: Partial<AnyTool> = {}): AnyTool => actingTool(name, more, world);
  const idempotent = { annotations: { idempotent: true } };
  const researcher = defineAgent({
    name: "researcher",
    description: "Finds things out, and buys what it needs for that",
    model: promptModel("researcher", [["look", "buy"], "It was found out."], effects),
    tools: [tool("look", { annotations: { readOnly: true } }), tool("buy", { policy: "needs-approval" })],
  });
  const desk = defineAgent({
    name: "desk",
    description: "Does everything a run can do",
    model: promptModel(
      "desk",
      [["charge", "stock", "notify"], ["refund", "survey", "researcher"], ["ship"], "All is done."],
      effects,
    ),
    tools: [
      tool("charge"),
      tool("stock", { annotations: { readOnly: true } }),
      tool("notify", idempotent),
      tool("refund", { ...idempotent, policy: "needs-approval", channel: "paging" }),
      tool("survey", idempotent),
      tool("ship", { onUnknown: "ask" }),
      researcher,
    ],
  });
  const clerk = defineAgent({
    name: "clerk",
    description: "Does a little",
    model: promptModel("clerk", [["pay", "record"], ["refund"], "Paid."], effects),
    tools: [
      tool("pay"),
      tool("record", isChanged ? {} : idempotent),
      tool("refund", { ...idempotent, policy: "needs-approval" }),
    ],
  });
  return [desk, researcher, clerk];
}

function actingTool(name: string, more: Partial<AnyTool>, world: World): AnyTool {
  const definition = { name, description: `Does ${name}`, input: { type: "object" } as const, ...more };
  return defineTool({
    ...(definition as { name: string; description: string; input: { type: "object" } }),
    async execute(_input: unknown, ctx: ToolContext) {
      if (name === "survey" && ctx.answer === undefined) {
        act(ctx, 0, world).start();
        return ask({ question: "Which colour?", state: { asked: true } });
      }
      const { start, end } = act(ctx, ctx.answer === undefined ? 0 : 1, world);
      start();
      await world.gate(name);
      end();
      return `${name} is done${ctx.answer === undefined ? "" : `: ${ctx.answer}`}`;
    },
  }) as AnyTool;
}

/** `round` counts the entries into the tool. */
function act(ctx: ToolContext, round: number, { effects }: World): { start(): void; end(): void } {
  const { callId, runId, idempotencyKey: key } = ctx;
  const at = round === 0 ? "" : String(round);
  const effect = { name: `${callId}${at && ` ${at}`}`, key, run: runId, step: `${branchOf(callId)}/act${at}` };
  return {
    start: () => {
      effects.note({ kind: "tool-start", ...effect });
      ctx.signal.addEventListener("abort", () => {
        const { name } = ctx.signal.reason as Error;
        effects.note({ kind: "tool-signal", name: callId, key: name, run: runId });
      });
    },
    end: () => effects.note({ kind: "tool-end", ...effect }),
  };
}

function sent({ pauseId, value }: { pauseId: string; value: { callId: string; runId: string } }, effects: Effects) {
  const step = `${branchOf(value.callId)}/approval:send`;
  effects.note({ kind: "send", name: value.callId, key: pauseId, run: value.runId, step });
  return awaitReply();
}

function noteEvent(event: AgentEvent, effects: Effects): void {
  const { type, runId: run } = event;
  if (type === "text-delta" || type === "run-wait") return;
  const about = "callId" in event ? event.callId : "step" in event ? String(event.step) : "";
  const key = type === "run-end" ? event.status : type === "approval-request" ? (event.pause.pauseId ?? "") : about;
  effects.note({ kind: "event", name: `${type} ${about}`.trimEnd(), key, run });
}

/** A flow of the application's own, beside its agents. */
export function napFlow(effects: Effects): Flow {
  return async (run) => {
    const note = (name: string) => (step: { readonly idempotencyKey: string }) =>
      effects.note({ kind: "step", name, key: step.idempotencyKey, run: run.id, step: name } satisfies Effect);
    await run.step("lie-down", note("lie-down"));
    await run.sleep("nap", { ms: 40 });
    await run.step("get-up", note("get-up"));
    return "rested";
  };
}
