// Every error a developer or operator can meet; what their codes mean stands in the table beside.
// Plain data plus small classes; an error here never imports what threw it.
// Texts that a model reads are phrased by the pipeline, not here.

import { errorTable } from "./error-table.ts";
import { isMarked, mark } from "./mark.ts";
import type { SchemaIssue } from "./schema.ts";

const MARK = Symbol.for("toolpost.error");
const TOOL = Symbol.for("toolpost.tool-error");
const FATAL = Symbol.for("toolpost.fatal-tool-error");
const INVALID_OUTPUT = Symbol.for("toolpost.invalid-output-error");

/** What can be said about an error beside its message. */
export interface ErrorDetails {
  /** How to mend it, one sentence. */
  readonly hint?: string;
  /** Plain data for logs and programs. Never shown to a model. */
  readonly data?: unknown;
  readonly cause?: unknown;
}

/** The root of every error Toolpost throws at developers and operators. */
export class ToolpostError extends Error {
  readonly code: string;
  readonly hint: string | undefined;
  readonly data: unknown;

  constructor(code: string, message: string, details: ErrorDetails = {}) {
    super(message, details.cause === undefined ? undefined : { cause: details.cause });
    this.code = code;
    this.hint = details.hint ?? errorTable[code]?.fix;
    this.data = details.data;
    this.name = new.target.name;
    mark(this, MARK);
  }
}

/** True for errors of any copy of the package: told by a registered symbol, not by `instanceof`. */
export function isToolpostError(value: unknown): value is ToolpostError {
  return isMarked(value, MARK);
}

/** True for a `ToolError` of any copy of the package. */
export function isToolError(value: unknown): value is ToolError {
  return isMarked(value, TOOL);
}

/** True for a `FatalToolError` of any copy of the package. */
export function isFatalToolError(value: unknown): value is FatalToolError {
  return isMarked(value, FATAL);
}

/** One problem found while definitions were put together. */
export interface Problem {
  readonly code: string;
  readonly message: string;
}

/** All problems of one assembly at once; `message` has one line `[code] text` each. */
export class AssemblyError extends ToolpostError {
  readonly problems: readonly Problem[];

  constructor(problems: readonly Problem[]) {
    const lines = problems.map((problem) => `[${problem.code}] ${problem.message}`);
    super(problems[0]?.code ?? "app.invalid", lines.join("\n"));
    this.problems = problems;
    // The message says it all; printed once more as fields it would only be longer.
    Object.defineProperty(this, "problems", { enumerable: false });
  }
}

/** An agent lists a tool that nobody registered, and nothing else is wrong. */
export class UnknownAgentToolError extends AssemblyError {}

/** What an author throws to say how a call failed; each part may be left out. */
export interface ToolErrorOptions {
  /** Short machine name, for example `ISSUE_NOT_FOUND`. Kept as the result's `errorCode`. */
  readonly code?: string;
  /** An HTTP-like status, for example 404. */
  readonly status?: number;
  /** The sentence the model reads. Without it the error is handled as any other error. */
  readonly userMessage?: string;
  /** Default true; false adds `Do not retry this call.` */
  readonly canRetry?: boolean;
  /** For the log and `onToolError` only. */
  readonly data?: unknown;
  /** For the log and `onToolError` only. */
  readonly message?: string;
  readonly cause?: unknown;
}

/** Thrown by a tool that checks its own output: the model reads it as it reads an `output` schema's refusal. */
export class InvalidOutputError extends ToolpostError {
  readonly issues: readonly SchemaIssue[];

  constructor(issues: readonly SchemaIssue[], options: { readonly cause?: unknown } = {}) {
    super("tool.invalid-output", "the output does not fit its schema", { data: issues, cause: options.cause });
    this.issues = issues;
    mark(this, INVALID_OUTPUT);
  }
}

/** True for an `InvalidOutputError` of any copy of the package. */
export function isInvalidOutputError(value: unknown): value is InvalidOutputError {
  return isMarked(value, INVALID_OUTPUT);
}

/**
 * Thrown by a tool to tell the model what went wrong in the author's own words.
 * @example throw new ToolError({ code: "NO_ORDER", status: 404, userMessage: "There is no such order." })
 */
export class ToolError extends ToolpostError {
  readonly status: number | undefined;
  readonly userMessage: string | undefined;
  readonly canRetry: boolean;
  /** The code as the author gave it; absent when none was given. */
  readonly ownCode: string | undefined;

  constructor(options: ToolErrorOptions) {
    super(options.code ?? "tool.failed", options.message ?? options.userMessage ?? options.code ?? "the tool failed", {
      data: options.data,
      cause: options.cause,
    });
    this.ownCode = options.code;
    this.status = options.status;
    this.userMessage = options.userMessage;
    this.canRetry = options.canRetry ?? true;
    mark(this, TOOL);
  }
}

/** Thrown by a tool to end the whole run. Its text reaches neither model, events nor report. */
export class FatalToolError extends ToolpostError {
  constructor(message: string, options: { readonly cause?: unknown; readonly data?: unknown } = {}) {
    super("tool.fatal", message, options);
    mark(this, FATAL);
  }
}
