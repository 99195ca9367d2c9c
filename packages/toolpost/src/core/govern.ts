// The words of governance above single tools: rules, floors, hooks, masking, logging, artefacts.
// Types only: the pipeline is handed these as slots and never imports what implements them.

import type { User } from "./context.ts";
import type { PolicyQuestion, Verdict } from "./policy.ts";
import type { ToolResult } from "./result.ts";
import type { Tool } from "./tool.ts";

/**
 * A rule for many tools, from code. Every matching rule is asked; a deny from anywhere wins, then needs-approval.
 * One that throws denies.
 */
export type Rule = (question: PolicyQuestion & { readonly definition: Tool }) => Verdict | undefined;

/** Calls that always need approval, by tool name or tag: turns an allow into needs-approval, never a deny. */
export interface ApprovalFloor {
  readonly names?: readonly string[];
  readonly tags?: readonly string[];
}

/** A call as hooks see it. `input` is parsed where the call got that far, else as the model wrote it. */
export interface HookCall {
  readonly callId: string;
  readonly runId: string;
  readonly tool: string;
  readonly source: string;
  readonly agent: string | undefined;
  readonly user: User | undefined;
  readonly input: unknown;
}

/**
 * Points in a call where an application can look or step in. None fires again on replay.
 * `beforeTool` runs once per valid call before its policy; `{ input }` replaces the arguments, which are validated
 * again; a throw ends the run. The others look on: a throw or rejection of theirs is logged once and changes nothing.
 * `onToolStart`, `afterTool` and `onToolEnd` also see refused and invalid calls; `afterTool` is awaited.
 */
export interface Hooks {
  beforeTool?(call: HookCall): void | { readonly input: unknown } | Promise<void | { readonly input: unknown }>;
  afterTool?(call: HookCall & { readonly result: ToolResult; readonly output: unknown }): void | Promise<void>;
  onToolStart?(call: HookCall): void | Promise<void>;
  onToolEnd?(
    call: HookCall & { readonly result: ToolResult; readonly isResultTruncated: boolean },
  ): void | Promise<void>;
  /** `error` is what was thrown, whole: it may hold secrets. */
  onToolError?(call: HookCall & { readonly error: unknown }): void | Promise<void>;
  /**
   * Wraps every execution, inside the deadline. Must call `next()` once and give back what it gives, or something in
   * its place; the arguments cannot be changed here.
   */
  around?(call: HookCall, next: () => Promise<unknown>): unknown;
}

/**
 * Takes secrets out of a text. Pure and synchronous. `isComplete` is false when the text was cut after its last
 * character: a block that is open there is secret to the end. One that throws makes the pipeline refuse the result.
 */
export type Redact = (text: string, isComplete: boolean) => string;

export interface LogEntry {
  readonly level: "debug" | "info" | "warn" | "error";
  readonly message: string;
  /** May hold secrets: for operators only. */
  readonly error?: unknown;
  readonly data?: { readonly [key: string]: unknown };
}

/** Takes a log entry. A throw is swallowed. */
export type Log = (entry: LogEntry) => void;

/** Keeps whole texts of results that were cut. A rejection is logged; the result then has no handle. */
export interface ArtefactStore {
  /** `text` is whole and masked. */
  keep(
    text: string,
    about: { readonly callId: string; readonly tool: string; readonly runId: string },
  ): Promise<{ readonly id: string }>;
  read(id: string): Promise<string | undefined>;
}
