// What an application and a toolkit are made from. One shape for what they share.
// Types only; what each setting means stands here, checks and defaults stand in the files that use them.

import type { Agent, AssembledAgent } from "../agent/define-agent.ts";
import type { ChannelHandler } from "../author/classes/channel-decorator.ts";
import type { AnyClass } from "../author/classes/class-notes.ts";
import type { Provider } from "../author/classes/provider.ts";
import type { NamingRule } from "../author/naming-rule.ts";
import type { Channel } from "../core/approval.ts";
import type { EventListener } from "../core/event.ts";
import type { ApprovalFloor, ArtefactStore, Hooks, Log, Redact, Rule } from "../core/govern.ts";
import type { ToolErrors } from "../core/policy.ts";
import type { Engine } from "../core/run.ts";
import type { ToolSource } from "../core/source.ts";
import type { ThreadStore } from "../core/thread.ts";
import type { AnyTool } from "../core/tool.ts";
import type { PersonalDataKind } from "../policy/mask-personal-data.ts";
import type { Clock } from "../std/clock.ts";
import type { Duration, Money, Size } from "../std/units.ts";

/** Used where a tool or agent says nothing itself. */
export interface ToolDefaults {
  /** Of one execution; default 30 s. */
  readonly timeout?: Duration | "none";
  /** Of the text the model reads; default 128 KB. */
  readonly maxResultSize?: Size;
  /** Tool calls a run may start; default 20. */
  readonly maxToolCalls?: number;
  /** Default `"mask"`. */
  readonly toolErrors?: ToolErrors;
  /** Calls of one run that execute at once; default 8. */
  readonly maxConcurrency?: number;
}

/** Who is asked for approval, and which calls always need it. */
export interface Approvals extends ApprovalFloor {
  /** Asks where a tool names no channel. Without one, calls that need approval wait. Also a class decorated with `@Channel`. */
  readonly channel?: Channel | AnyClass<ChannelHandler>;
  /** Further channels, found by their `name`, and such classes. */
  readonly channels?: readonly (Channel | AnyClass<ChannelHandler>)[];
  /** After this an unanswered approval counts as declined; default never. */
  readonly expireAfter?: Duration;
}

/** What is taken out of every text that a model, event or report gets. */
export interface Masking {
  /** Keys, passwords, tokens; default true. */
  readonly secrets?: boolean;
  readonly pii?: readonly PersonalDataKind[];
  readonly redactors?: readonly Redact[];
}

/** What a model costs, in dollars per million tokens. */
export interface ModelPrice {
  readonly input: Money;
  readonly output: Money;
}

/** An `mcp.json` by path, relative to the working directory, or its content as an object. */
export type McpOption = string | { readonly [key: string]: unknown };

/** What an application and a toolkit have in common. */
export interface GovernanceOptions {
  /** Tools, and classes decorated with `@Tool`. */
  readonly tools?: readonly (AnyTool | AnyClass)[];
  /** What constructors of classes are given: classes, instances, and `provide(…)`. */
  readonly providers?: readonly Provider[];
  /** 1 to 64 letters, digits, `_` and `-`; stands in `describe` where a bound comes from here. */
  readonly name?: string;
  readonly mcp?: McpOption;
  readonly sources?: readonly ToolSource[];
  readonly approvals?: Approvals;
  readonly rules?: readonly Rule[];
  readonly hooks?: readonly Hooks[];
  readonly mask?: Masking;
  readonly defaults?: { readonly tools?: ToolDefaults };
  readonly artefacts?: ArtefactStore;
  /** Where Toolpost tells operators what went wrong; default: warnings and errors on standard error. */
  readonly log?: Log;
  readonly clock?: Clock;
  /** How tools must be named; default `"any"`. */
  readonly names?: NamingRule;
}

export interface AppOptions extends GovernanceOptions {
  /** Agents, and classes decorated with `@Agent`. */
  readonly agents?: readonly (Agent | AnyClass)[];
  /** Called with every event of every run. */
  readonly listeners?: readonly EventListener[];
  /** Keeps runs beyond their process, such as `sqlite("./runs.db")`; closed with the application. Default: runs end with it. */
  readonly engine?: Engine;
  /**
   * Of this code, for an engine: a run is finished by the version that started it. Change it whenever runs under way could
   * not go on with the new code.
   */
  readonly version?: string;
  /** Default: the engine's; without one kept in memory for the life of the application. */
  readonly threads?: ThreadStore;
  /** By model id (`openai:gpt-5.2`); without a price a model costs nothing in a money budget. */
  readonly prices?: { readonly [model: string]: ModelPrice };
}

/** The same once classes have become tools, channels and agents. */
export interface AssembledGovernance extends Omit<GovernanceOptions, "tools" | "approvals"> {
  readonly tools?: readonly AnyTool[];
  readonly approvals?: AssembledApprovals;
}

export interface AssembledApprovals extends Omit<Approvals, "channel" | "channels"> {
  readonly channel?: Channel | undefined;
  readonly channels?: readonly Channel[];
}

export interface AssembledOptions extends Omit<AppOptions, "tools" | "approvals" | "agents"> {
  readonly tools?: readonly AnyTool[];
  readonly approvals?: AssembledApprovals;
  readonly agents?: readonly AssembledAgent[];
}
