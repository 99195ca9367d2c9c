// Where tools come from when they are not written in the project: MCP servers, documents, folders.
// Types only. Every source passes the same contract suite.

import type { EnvironmentName } from "./environment.ts";
import type { AnyTool, ToolSourceKind } from "./tool.ts";

export type SourceState = "idle" | "connecting" | "ready" | "failed" | "closed";

/** A tool that was left out, and why. */
export interface SkippedTool {
  readonly name: string;
  readonly reason: string;
}

export interface SourceStatus {
  readonly name: string;
  readonly kind: ToolSourceKind;
  readonly state: SourceState;
  readonly toolCount: number;
  readonly skipped: readonly SkippedTool[];
  /** Why it failed, with the last lines of its standard error where it has one. */
  readonly problem?: string;
}

/** What a source knows of itself without being connected. */
export interface SourceFacts {
  /** Whether its tools work on this machine or are asked of another. */
  readonly place?: "local" | "remote";
  /** The variables its settings are filled from. */
  readonly environment?: readonly EnvironmentName[];
}

/**
 * A source of tools. `list` may be called often and by several callers at once; it connects when first called and
 * gives a stable order. It rejects with a `ToolpostError` when the source cannot be reached: the caller goes on with
 * the other sources. `close` ends everything the source started, is idempotent, and never rejects.
 */
export interface ToolSource {
  readonly name: string;
  readonly kind: ToolSourceKind;
  list(): Promise<readonly AnyTool[]>;
  /** Text for the system prompt, for example how to use the source's tools. */
  instructions?(): string | undefined | Promise<string | undefined>;
  /** Text for the message of one input, for example passages found for it. */
  context?(input: string): string | undefined | Promise<string | undefined>;
  status(): SourceStatus;
  /** For `describe`: called at any time, connects nothing, does not throw. */
  describe?(): SourceFacts;
  close(): Promise<void>;
}
