// What `describe` tells of an application or toolkit: plain data that is its own JSON, without any value of the
// environment, so that it is fit for a log or a review.
// Types only.

import type { EnvironmentName } from "../core/environment.ts";
import type { ToolErrors } from "../core/policy.ts";
import type { ToolSourceKind } from "../core/tool.ts";

/** Where a setting comes from: `own`, the application's name (`application` or `toolkit` without one), `built-in`. */
export interface FromSomewhere {
  readonly origin: string;
}

export interface SizeBound extends FromSomewhere {
  readonly bytes: number;
}

export interface TimeBound extends FromSomewhere {
  /** Milliseconds; `null`: unbounded. */
  readonly ms: number | null;
}

export interface CountBound extends FromSomewhere {
  readonly count: number;
}

/**
 * Whether a person decides on its calls: always, as its policy or a floor says; perhaps, as a function decides; or never
 * by anything that stands in its definition. Rules of the application are functions over all tools and are not in it.
 */
export type ApprovalNeed = "none" | "waits" | "may-wait" | "denied";

export interface ToolDescription {
  readonly name: string;
  readonly description: string;
  /** `read`: it says itself that it changes nothing. */
  readonly access: "read" | "write";
  /** `remote`: another machine does the work. */
  readonly place: "local" | "remote";
  readonly source: ToolSourceKind;
  /** Name of the source that brought it. */
  readonly sourceName?: string;
  readonly approval: ApprovalNeed;
  /** Variables it says it reads. */
  readonly environment: readonly string[];
  readonly tags: readonly string[];
  /** Tools that must have succeeded before. */
  readonly requires: readonly string[];
  readonly maxResultSize: SizeBound;
  readonly timeout: TimeBound;
}

/** A prompt as it was given. `characters` counts UTF-16 units. */
export type PromptDescription =
  | { readonly kind: "text"; readonly characters: number }
  | { readonly kind: "files"; readonly files: readonly string[] };

/** The structured answer: the title of its schema, where it has one, and the names of its fields. */
export interface OutputDescription {
  readonly name?: string;
  readonly fields: readonly string[];
}

export interface BudgetDescription {
  readonly usd?: number;
  readonly tokens?: number;
  readonly calls?: number;
  readonly ms?: number;
}

/** What of a long thread the model gets. */
export interface HistoryDescription {
  /** How many of the last turns whole; `null`: all. */
  readonly turns: number | null;
  /** How many of those before as a summary each. */
  readonly summaries: number;
}

export interface AgentDescription {
  readonly name: string;
  /** The agents whose tool it is; empty: of none. */
  readonly toolOf: readonly string[];
  readonly description: string;
  readonly model: string;
  readonly thinking?: string;
  readonly prompt?: PromptDescription;
  readonly output?: OutputDescription;
  /** Whether its model may ask a person, by `ask-user`. */
  readonly asks: boolean;
  readonly history: HistoryDescription;
  readonly maxSteps: CountBound;
  readonly maxFailures: CountBound;
  readonly maxToolCalls: CountBound;
  readonly maxConcurrency: CountBound;
  readonly budget: BudgetDescription;
  readonly toolErrors: FromSomewhere & { readonly value: ToolErrors };
  /** Those written in code. What sources bring besides is known once they are connected. */
  readonly tools: readonly ToolDescription[];
  /** Names it lists that only a source can answer for. */
  readonly toolsOfSources: readonly string[];
}

export interface SourceDescription {
  readonly name: string;
  readonly kind: ToolSourceKind;
  /** Absent where the source does not say. */
  readonly place?: "local" | "remote";
  readonly environment: readonly EnvironmentName[];
  /** The agents it was given to; empty: to all. */
  readonly agents: readonly string[];
}

/** A variable of the environment and what reads it. */
export interface EnvironmentDescription extends EnvironmentName {
  readonly readers: readonly EnvironmentReader[];
}

export interface EnvironmentReader {
  readonly kind: "tool" | "model" | "source";
  readonly name: string;
}

export interface Description {
  readonly kind: "application" | "toolkit";
  readonly name?: string;
  /** Those of the application, then those that are only tools of others. */
  readonly agents: readonly AgentDescription[];
  /** Of an application those given to it itself; of a toolkit all, also those of its sources. */
  readonly tools: readonly ToolDescription[];
  /** Tools of the application that no agent has; empty where there is no agent. */
  readonly unassignedTools: readonly string[];
  readonly sources: readonly SourceDescription[];
  readonly environment: readonly EnvironmentDescription[];
  /** How many rules decide on calls besides. */
  readonly rules: number;
}
