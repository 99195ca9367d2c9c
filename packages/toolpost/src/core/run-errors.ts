// The errors with which a run rejects. Each carries what the run had when it ended.
// They are thrown by the loop and its parts; none is ever shown to a model.

import type { Usage } from "./budget.ts";
import type { ErrorDetails } from "./errors.ts";
import { ToolpostError } from "./errors.ts";
import type { Message } from "./message.ts";
import type { ToolResult } from "./result.ts";

/** What a run had produced when it ended early. */
export interface PartialRun {
  readonly text: string;
  readonly messages: readonly Message[];
  readonly usage: Usage;
  readonly calls: readonly ToolResult[];
}

/** Anything that ends a run by rejecting. `partial` is set by the run before it rejects. */
export class RunError extends ToolpostError {
  partial: PartialRun | undefined = undefined;
}

/** `maxToolCalls` is used up. */
export class LimitExceededError extends RunError {
  constructor(limit: number) {
    super("limit.tool-calls", `the run may start ${limit} tool calls and asked for more: raise \`maxToolCalls\``, {
      data: { limit },
    });
  }
}

/** A budget is used up; `data` names which, its limit and what was used. */
export class BudgetExceededError extends RunError {
  constructor(kind: "money" | "tokens" | "calls" | "time", limit: number, used: number) {
    super("budget.exceeded", `the budget of ${kind} is used up: ${used} of ${limit}`, { data: { kind, limit, used } });
  }
}

/** The run was cancelled; the reason is `cause`. */
export class RunCancelledError extends RunError {
  constructor(reason: unknown, text: string) {
    super("run.cancelled", text, { cause: reason });
  }
}

/** Another instance moves the run now. */
export class ExecutionLeaseLostError extends RunError {
  constructor(runId: string) {
    super("run.lease-lost", `another instance took over run ${runId}`, { data: { runId } });
  }
}

/** The provider failed, its stream held an error part or was cut, or no structured answer came. */
export class ModelError extends RunError {
  constructor(
    code:
      | "model.failed"
      | "model.stream-cut"
      | "model.no-answer"
      | "model.no-price"
      | "model.unsupported"
      | "model.missing-package"
      | "model.unknown-string",
    message: string,
    details: ErrorDetails = {},
  ) {
    super(code, message, details);
  }

  /** The HTTP status that the provider refused the request with, such as 429; `undefined` where it gave none. */
  get status(): number | undefined {
    const status = (this.data as { readonly status?: unknown } | undefined)?.status;
    return typeof status === "number" ? status : undefined;
  }
}
