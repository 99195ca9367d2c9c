// What a run may use and what it has used: tool calls, tokens, money, time.
// Types only; the meter that counts stands in the pipeline.

import type { Duration, Money } from "../std/units.ts";

/** Tokens of one or many model replies. Missing figures of a provider count as 0. */
export interface Usage {
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly totalTokens: number;
  /** Part of `outputTokens`. */
  readonly reasoningTokens: number;
  /** Part of `inputTokens`, read from the provider's cache. */
  readonly cachedInputTokens: number;
}

export const noUsage: Usage = Object.freeze({
  inputTokens: 0,
  outputTokens: 0,
  totalTokens: 0,
  reasoningTokens: 0,
  cachedInputTokens: 0,
});

/** What a run may use in all. A part left out is not limited. */
export interface BudgetLimits {
  readonly money?: Money;
  /** Tokens of all model replies, input and output. */
  readonly tokens?: number;
  /** Tool calls started. Stricter than `maxToolCalls` where both are given. */
  readonly calls?: number;
  /** Wall time from the start of the run. Interrupts a call under way. */
  readonly time?: Duration;
}

/** Something paid for. */
export interface Spend {
  /** Who is paid, for example `openai:gpt-5.2` or `maps-api`. */
  readonly service: string;
  readonly cost: Money;
  /** Tokens it was paid for: they count in the run's usage and its budget of tokens. */
  readonly usage?: Usage;
}

/** Which budget is used up. `limit` and `used` are in USD, tokens, calls or milliseconds. */
export interface BudgetBreach {
  readonly kind: "money" | "tokens" | "calls" | "time";
  readonly limit: number;
  readonly used: number;
}

/**
 * Counts against limits. Checked before each model call and each tool call; a nested run counts in its own
 * budget and in every budget above it. No function throws.
 */
export interface Budget {
  /** The breach that stands already, or would by starting one more call or spending that many more tokens. */
  breach(next?: { readonly calls?: number; readonly tokens?: number }): BudgetBreach | undefined;
  startCall(): void;
  addUsage(usage: Usage, cost: number): void;
  spend(spend: Spend): void;
  /** What is left of it, for a run below: with what every budget above it leaves. */
  left(): BudgetLimits;
  /** What was counted in it so far, as far as anything is limited. */
  used(): { readonly usd: number; readonly calls: number };
  /** Counts what a run below has used. */
  addUsed(used: { readonly usage: Usage; readonly usd: number; readonly calls: number }): void;
  /** Milliseconds left of the time budget, `undefined` without one. */
  timeLeft(): number | undefined;
  /** A budget inside this one. */
  child(limits: BudgetLimits): Budget;
}
