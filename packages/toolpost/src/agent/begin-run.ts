// What a run takes of its thread when it begins: all of it, or the last turns with summaries of those before.
// What was decided is plain JSON; the messages are made of it and of the thread, which only grows.

import type { Message } from "../core/message.ts";
import type { Soon } from "../std/soon.ts";
import { summariseMissing } from "../threads/compact-history.ts";
import type { HistoryPlan } from "../threads/plan-history.ts";
import { historyMessages, planHistory } from "../threads/plan-history.ts";
import type { AgentRun } from "./agent-run.ts";

export interface Begun {
  /** How many messages the thread had. */
  readonly messages: number;
  readonly plan?: HistoryPlan;
  readonly summaries?: readonly (readonly [number, string])[];
}

export function beginWith(state: AgentRun): Soon<Begun> {
  const { history: messages } = state.start;
  const policy = state.agentSetup.history;
  if (policy === undefined || messages.length === 0) return { messages: messages.length };
  const plan = planHistory(messages, policy);
  if (plan.summarised.length === 0) return { messages: messages.length, plan };
  return withSummaries(plan, state);
}

async function withSummaries(plan: HistoryPlan, { agentSetup, start, abort, slots }: AgentRun): Promise<Begun> {
  const known = await start.summaries();
  const { log, clock, defaults } = slots;
  const options = {
    known,
    summarise: agentSetup.history?.summarise,
    signal: abort.signal,
    log,
    clock,
    timeout: defaults.timeout,
  };
  const made = await summariseMissing(start.history, plan, options);
  for (const [turn, text] of made) await start.keepSummary(turn, text);
  const summaries = plan.summarised.flatMap((turn): (readonly [number, string])[] => {
    const text = made.get(turn) ?? known.get(turn);
    return text === undefined ? [] : [[turn, text]];
  });
  return { messages: start.history.length, plan, summaries };
}

/** What the model gets before the run's message. */
export function historyOf({ messages, plan, summaries }: Begun, { start }: AgentRun): readonly Message[] {
  if (plan !== undefined) return historyMessages(start.history, plan, new Map(summaries));
  return start.history.length === messages ? start.history : start.history.slice(0, messages);
}
