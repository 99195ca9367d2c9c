// An agent with everything it needs to run, as an application put it together.
// Types only: made once per agent, shared by its runs, never changed.

import type { BudgetLimits, Usage } from "../core/budget.ts";
import type { Catalog } from "../core/catalog.ts";
import type { RunAbove } from "../core/child-run.ts";
import type { EventListener } from "../core/event.ts";
import type { Message, ProviderData } from "../core/message.ts";
import type { Dialect, Model, Thinking } from "../core/model.ts";
import type { AnyTool } from "../core/tool.ts";
import type { CallSlots } from "../pipeline/call-scope.ts";
import type { HistoryPolicy } from "../threads/plan-history.ts";
import type { EventTime } from "./event-time.ts";

export interface PreparedAgent {
  readonly name: string;
  readonly model: Model;
  readonly dialect: Dialect;
  readonly catalog: Catalog;
  /** The answer tool alone: what the last step after `endsRun` may still call. Empty without one. */
  readonly lastCatalog: Catalog;
  /** Why sources gave no tools, for each that failed. */
  readonly missing: readonly unknown[];
  readonly slots: CallSlots;
  /** Tells operators of the warnings of a reply. Never throws. */
  readonly tellWarnings: (warnings: readonly string[]) => void;
  /** One for all runs, so that those which stream side by side share a reading too. */
  readonly eventTime: EventTime;
  /** The system prompt, with what sources have to say. */
  readonly system: string | undefined;
  /** The tool a structured final answer is given by. */
  readonly answerTool: AnyTool | undefined;
  /** What of a thread the model gets; all of it without one. */
  readonly history: HistoryPolicy | undefined;
  readonly maxSteps: number;
  readonly maxFailures: number;
  readonly maxConcurrency: number;
  readonly budget: BudgetLimits;
  /** Dollars one reply cost; 0 where nobody gave prices. */
  readonly costOf: (usage: Usage) => number;
  readonly listeners: readonly EventListener[];
  readonly thinking: Thinking | undefined;
  readonly maxOutputTokens: number | undefined;
  readonly temperature: number | undefined;
  readonly providerOptions: ProviderData | undefined;
}

/** What one run is started with. */
export interface RunStart {
  readonly runId: string;
  readonly message: Message;
  /** Messages of the thread so far. */
  readonly history: readonly Message[];
  /** Summaries of turns of the thread, as far as they were made. */
  summaries(): Promise<ReadonlyMap<number, string>>;
  /** Never rejects: a summary that is not kept is made again. */
  keepSummary(turn: number, text: string): Promise<void>;
  readonly threadId: string | undefined;
  readonly ownerId: string | undefined;
  readonly tenant: string | undefined;
  readonly user: { readonly id: string; readonly [key: string]: unknown } | undefined;
  readonly data: unknown;
  readonly isStreaming: boolean;
  /** Where it is a call of another run. */
  readonly above: RunAbove | undefined;
}
