// An agent as its author writes it: a model, a prompt, tools, and the limits of its runs.
// A definition is plain data; nothing is read, connected or checked until an application is put together.

import type { AnyClass } from "../author/classes/class-notes.ts";
import type { BudgetLimits } from "../core/budget.ts";
import type { ApprovalFloor } from "../core/govern.ts";
import type { ProviderData } from "../core/message.ts";
import type { LanguageModel, Model, Thinking } from "../core/model.ts";
import type { ToolErrors } from "../core/policy.ts";
import type { Schema, SchemaParsed } from "../core/schema.ts";
import type { ToolSource } from "../core/source.ts";
import type { AnyTool } from "../core/tool.ts";
import type { HistoryPolicy } from "../threads/plan-history.ts";

/** A prompt as text, or as Markdown files relative to the file that defines the agent (or absolute, or file: URLs). */
export type AgentPrompt = string | { readonly files: readonly (string | URL)[] };

export interface AgentOptions<Output extends Schema | undefined = undefined> {
  /** Letters, digits, `_` and `-`, at most 64. */
  readonly name: string;
  readonly description: string;
  /** A model string such as `openai:gpt-5.2`, or what a provider package returns. */
  readonly model: string | LanguageModel | Model;
  readonly prompt?: AgentPrompt;
  /**
   * Tools, classes decorated with `@Tool`, whole sources, names of tools of the application, and other agents: a call of
   * one of those is a run of its own below this one.
   */
  readonly tools: readonly (AnyTool | AnyClass | ToolSource | Agent<unknown> | string)[];
  /**
   * Lets the model ask a person in the middle of its work, by the tool `ask-user`: the run's owner, or whoever the
   * application's channel reaches. The run waits for the answer as it does for an approval.
   */
  readonly asks?: boolean;
  /** Tools that are hidden until others succeeded: `{ refund: ["lookup_order"] }`. */
  readonly requires?: { readonly [tool: string]: readonly string[] };
  /** Calls that always need approval. */
  readonly approvals?: ApprovalFloor;
  /** Schema of the structured final answer. The model gives it by calling `answer-<name>`. */
  readonly output?: Output;
  /** Tool calls a run may start; default the application's, else 20. Over it the run rejects. */
  readonly maxToolCalls?: number;
  /** Model calls a run may make before it is stopped; default 50. */
  readonly maxSteps?: number;
  /** Failed calls in a row after which a run is stopped; default 10. */
  readonly maxFailures?: number;
  /** How often a request that failed before anything of its reply arrived is made again; default 2, 0 for never. */
  readonly maxRetries?: number;
  /** Calls that run at once; default 8. */
  readonly maxConcurrency?: number;
  readonly budget?: BudgetLimits;
  /**
   * What of a long thread the model gets: the last `turns` whole, of those before the last `summaries` as a summary each,
   * made once by `summarise` (default: the agent's model). Default: all of it.
   */
  readonly history?: HistoryPolicy;
  readonly toolErrors?: ToolErrors;
  readonly thinking?: Thinking;
  readonly maxOutputTokens?: number;
  readonly temperature?: number;
  readonly providerOptions?: ProviderData;
}

/** An agent, ready to be given to an application. */
export interface Agent<Output = unknown> extends AgentOptions<Schema | undefined> {
  /** Directory of the file that called `defineAgent`, a `file:` URL; prompt files are relative to it. */
  readonly definedIn: string | undefined;
  /** Carries the type of the structured answer; never set. */
  readonly answerType?: Output;
}

/** An agent whose classes have become tools. */
export interface AssembledAgent<Output = unknown> extends Omit<Agent<Output>, "tools"> {
  readonly tools: readonly (AnyTool | ToolSource | string)[];
}

type AnswerOf<Output extends Schema | undefined> = Output extends Schema ? SchemaParsed<Output> : undefined;

/**
 * Defines an agent. Never throws: what is wrong is reported when an application is put together.
 * @example defineAgent({ name: "support", description: "Answers customers", model: "openai:gpt-5.2", tools: [lookupOrder] })
 */
export function defineAgent<Output extends Schema | undefined = undefined>(
  options: AgentOptions<Output>,
): Agent<AnswerOf<Output>> {
  return agentFrom(options, defineAgent);
}

/** @param caller the function of this package that the author called: prompt files are relative to the file he called it in */
export function agentFrom<Output extends Schema | undefined>(
  options: AgentOptions<Output>,
  caller: Caller,
): Agent<AnswerOf<Output>> {
  const needsPlace = typeof options?.prompt === "object";
  return Object.freeze({ ...options, definedIn: needsPlace ? directoryAbove(caller) : undefined });
}

type Caller = (options: never) => unknown;

/** Only asked for where a prompt names files: making a stack costs microseconds. */
function directoryAbove(caller: Caller): string | undefined {
  const above: { stack?: string } = {};
  Error.captureStackTrace(above, caller);
  const file = (above.stack ?? "")
    .split("\n")
    .map(fileOf)
    .find((found) => found !== undefined);
  return file === undefined ? undefined : new URL(".", file.startsWith("file:") ? file : `file://${file}`).href;
}

function fileOf(frame: string): string | undefined {
  return /(?:\(|at |async )((?:file:\/\/)?\/[^)]*?):\d+:\d+\)?$/.exec(frame.trim())?.[1];
}
