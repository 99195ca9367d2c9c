// What a tool's own policy is asked and may answer, and how its errors read.
// Types only. What stands above single tools (rules, floors, hooks) is in govern.

import type { User } from "./context.ts";

export type Verdict =
  | "allow"
  | "deny"
  | "needs-approval"
  | { readonly verdict: "allow" }
  | { readonly verdict: "deny"; readonly reason?: string }
  | {
      readonly verdict: "needs-approval";
      /** What the model reads when a person declines. */
      readonly rejectionText?: string;
    };

/** A verdict in its one long form. */
export type NormalVerdict =
  | { readonly verdict: "allow" }
  | { readonly verdict: "deny"; readonly reason?: string }
  | { readonly verdict: "needs-approval"; readonly rejectionText?: string };

/** What a policy predicate decides on. */
export interface PolicyQuestion<Input = unknown> {
  /** Validated, as the handler will get it. */
  readonly input: Input;
  readonly user: User | undefined;
  readonly run: PolicyRun;
  readonly tool: string;
  readonly callId: string;
}

export interface PolicyRun {
  readonly runId: string;
  readonly threadId: string | undefined;
  readonly tenant: string | undefined;
  readonly data: unknown;
  /** Names of calls that succeeded so far, in the model's order. */
  readonly executed: readonly string[];
}

/**
 * A fixed verdict or a predicate. A predicate is asked once per call, after the earlier calls of its turn ran;
 * one that throws, or answers anything but a verdict, denies.
 */
export type Policy<Input = never> = Verdict | ((question: PolicyQuestion<Input>) => Verdict | Promise<Verdict>);

/** How an error that is neither a `ToolError` with a `userMessage` nor fatal reads. */
export type ToolErrors = "mask" | "observe" | "throw";
