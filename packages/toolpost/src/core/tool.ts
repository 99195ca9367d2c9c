// `Tool`: the one normal form every way of authoring and every source ends in.
// Types only. Implementing `Tool` directly, as a plain object, makes a new source.

import type { Duration, Size } from "../std/units.ts";
import type { ToolContext } from "./context.ts";
import type { Policy, ToolErrors } from "./policy.ts";
import type { JsonSchema, Validate } from "./schema.ts";

/** Where a tool comes from. OpenAPI is `http`, workflows and agents are `agent`, knowledge bases `native`. */
export type ToolSourceKind = "native" | "mcp" | "skill" | "builtin" | "a2a" | "http" | "agent" | "custom";

/** Behaviour a tool promises, as in MCP. From a source nobody trusts they loosen nothing. */
export interface ToolAnnotations {
  readonly title?: string;
  readonly readOnly?: boolean;
  readonly destructive?: boolean;
  readonly idempotent?: boolean;
  readonly openWorld?: boolean;
}

/** What a tool's visibility is decided on. `step` counts from 0; `executed` names calls that succeeded. */
export interface VisibilityQuestion {
  readonly step: number;
  readonly executed: readonly string[];
}

/** What the definition of a tool tells a model. */
export interface ToolDefinition {
  readonly name: string;
  readonly description: string;
  readonly inputSchema: JsonSchema;
}

/**
 * A tool. `execute` is called by the governed pipeline only (and by users directly, who then answer for the input):
 * once per call, with validated input; it may return any value, a `ToolOutput`, a `ToolAsk`, or a promise of one;
 * what it throws becomes an error result, never a crash.
 * @example const ping: Tool = { name: "ping", description: "Answers pong", inputSchema: { type: "object" },
 *   source: "custom", execute: () => "pong" };
 */
export interface Tool<Input = never, Output = unknown> extends ToolDefinition {
  readonly source: ToolSourceKind;
  execute(input: Input, ctx?: ToolContext): Output | Promise<Output>;

  /** Validates and transforms what the model wrote. Without it `inputSchema` is used, compiled at first call. */
  readonly validateInput?: Validate;
  /** Validates and transforms what `execute` returned. */
  readonly validateOutput?: Validate;
  readonly outputSchema?: JsonSchema;
  readonly tags?: readonly string[];
  readonly annotations?: ToolAnnotations;
  /** Inputs a model can learn from, as it writes them. */
  readonly examples?: readonly { readonly [key: string]: unknown }[];
  /** Asks the provider for arguments that fit the schema exactly. */
  readonly strict?: boolean;
  readonly policy?: Policy<Input>;
  /** Hidden unless this is exactly `true`; one that throws hides. Synchronous. */
  readonly visibleWhen?: (question: VisibilityQuestion) => boolean;
  /** Whether a successful call ends the run. One that throws does not. */
  readonly endsRun?:
    | boolean
    | ((call: { readonly input: Input; readonly output: never }) => boolean | Promise<boolean>);
  /** Of one execution; default 30 s, or the application's. `"none"`: unbounded. */
  readonly timeout?: Duration | "none";
  /** Of the text the model reads; default 128 KB, or the application's. */
  readonly maxResultSize?: Size;
  /** Runs while no other call of its run does. */
  readonly exclusive?: boolean;
  readonly toolErrors?: ToolErrors;
  /**
   * What becomes of a call that a crash interrupted, where the tool is neither idempotent nor read-only and so is not run
   * again: a person is asked what happened, the model reads that nobody knows (the default), or the run ends.
   */
  readonly onUnknown?: "ask" | "tell-model" | "fail";
  /** Names the agent that a call runs, below the run of the call and in place of `execute`. */
  readonly flow?: string;
  /** Name of the approval channel that asks for this tool, where the application has several. */
  readonly channel?: string;
  /** Names of the environment variables it reads, for `describe` and `check`; nothing is read by them here. */
  readonly environment?: readonly string[];
}

/** A tool of any input and output, as collections hold it. */
export type AnyTool = Tool<never, unknown>;
