// Counts what a run uses against its budgets. A nested run counts in every budget above it.
// It measures and says so; ending the run is the loop's business.

import type { Budget, BudgetBreach, BudgetLimits, Spend, Usage } from "../core/budget.ts";
import { ToolpostError } from "../core/errors.ts";
import type { Clock } from "../std/clock.ts";

export function createBudget(limits: BudgetLimits, clock: Clock, parent?: Budget): Budget {
  const { money, tokens, calls, time } = limits;
  const isUnlimited = money === undefined && tokens === undefined && calls === undefined && time === undefined;
  // Nobody asks what was used where nothing is limited: one that counts nothing serves all.
  return isUnlimited && parent === undefined ? unlimited(clock) : new BudgetMeter(limits, clock, parent);
}

/** One that counts also where nothing is limited. */
export function countingBudget(limits: BudgetLimits, clock: Clock): Budget {
  return new BudgetMeter(limits, clock, undefined);
}

/** One for each clock: systems have one, tests many. */
function unlimited(clock: Clock): Budget {
  let budget = unlimitedBudgets.get(clock);
  if (budget === undefined) unlimitedBudgets.set(clock, (budget = new Unlimited(clock)));
  return budget;
}

const unlimitedBudgets = new WeakMap<Clock, Budget>();

class Unlimited implements Budget {
  readonly #clock: Clock;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  breach(): undefined {
    return undefined;
  }

  startCall(): void {
    // Nothing is counted.
  }

  addUsage(): void {
    // Nothing is counted.
  }

  spend(spend: Spend): void {
    usdOf(spend);
  }

  left(): BudgetLimits {
    return {};
  }

  used(): { readonly usd: number; readonly calls: number } {
    return { usd: 0, calls: 0 };
  }

  addUsed(): void {
    // Nothing is counted.
  }

  timeLeft(): undefined {
    return undefined;
  }

  child(limits: BudgetLimits): Budget {
    return createBudget(limits, this.#clock);
  }
}

/** Throws `tool.invalid-setting` for what cannot be counted. */
export function usdOf(spend: Spend): number {
  const usd = spend?.cost?.usd;
  if (Number.isFinite(usd) && usd >= 0) return usd;
  throw new ToolpostError(
    "tool.invalid-setting",
    `a spend of \`${usd}\` dollars cannot be counted: use usd(n) with n from 0`,
  );
}

class BudgetMeter implements Budget {
  readonly #limits: BudgetLimits;
  readonly #clock: Clock;
  readonly #parent: Budget | undefined;
  readonly #startedAt: number;
  #calls = 0;
  #tokens = 0;
  #money = 0;

  constructor(limits: BudgetLimits, clock: Clock, parent: Budget | undefined) {
    this.#limits = limits;
    this.#clock = clock;
    this.#parent = parent;
    this.#startedAt = clock.now();
  }

  breach(next: { readonly calls?: number; readonly tokens?: number } = {}): BudgetBreach | undefined {
    const { money, tokens, calls } = this.#limits;
    const moreCalls = this.#calls + (next.calls ?? 0);
    const moreTokens = this.#tokens + (next.tokens ?? 0);
    if (calls !== undefined && moreCalls > calls) return { kind: "calls", limit: calls, used: moreCalls };
    if (tokens !== undefined && (moreTokens > tokens || this.#tokens >= tokens))
      return { kind: "tokens", limit: tokens, used: moreTokens };
    if (money !== undefined && this.#money >= money.usd) return { kind: "money", limit: money.usd, used: this.#money };
    const left = this.timeLeft();
    if (left !== undefined && left <= 0)
      return { kind: "time", limit: this.#limits.time?.ms ?? 0, used: this.#clock.now() - this.#startedAt };
    return this.#parent?.breach(next);
  }

  startCall(): void {
    this.#calls++;
    this.#parent?.startCall();
  }

  addUsage(usage: Usage, cost: number): void {
    if (usage.totalTokens > 0) this.#tokens += usage.totalTokens;
    if (cost > 0) this.#money += cost;
    this.#parent?.addUsage(usage, cost);
  }

  spend(spend: Spend): void {
    this.#money += usdOf(spend);
    this.#parent?.spend(spend);
  }

  left(): BudgetLimits {
    const { money, tokens, calls } = this.#limits;
    const above = this.#parent?.left() ?? {};
    const time = this.timeLeft();
    return pruned({
      money:
        money === undefined ? above.money : { kind: "money", usd: lesser(money.usd - this.#money, above.money?.usd) },
      tokens: tokens === undefined ? above.tokens : lesser(tokens - this.#tokens, above.tokens),
      calls: calls === undefined ? above.calls : lesser(calls - this.#calls, above.calls),
      time: time === undefined ? undefined : { kind: "duration", ms: Math.max(0, time) },
    });
  }

  used(): { readonly usd: number; readonly calls: number } {
    return { usd: this.#money, calls: this.#calls };
  }

  addUsed({ usage, usd: cost, calls }: { readonly usage: Usage; readonly usd: number; readonly calls: number }): void {
    this.addUsage(usage, cost);
    for (let call = 0; call < calls; call++) this.startCall();
  }

  timeLeft(): number | undefined {
    const own =
      this.#limits.time === undefined ? undefined : this.#limits.time.ms - (this.#clock.now() - this.#startedAt);
    const above = this.#parent?.timeLeft();
    return own === undefined || above === undefined ? (own ?? above) : Math.min(own, above);
  }

  child(limits: BudgetLimits): Budget {
    return new BudgetMeter(limits, this.#clock, this);
  }
}

/** Nothing is left of what is overdrawn. */
function lesser(left: number, above: number | undefined): number {
  return Math.max(0, above === undefined ? left : Math.min(left, above));
}

function pruned(limits: { readonly [Key in keyof BudgetLimits]: BudgetLimits[Key] | undefined }): BudgetLimits {
  return Object.fromEntries(Object.entries(limits).filter(([, limit]) => limit !== undefined));
}
