// The sentences a model reads when a call did not give its result. The only place that words them.
// Exact by contract; each is one line, whatever went into it.

import type { ToolError } from "../core/errors.ts";
import type { SchemaIssue } from "../core/schema.ts";
import { abortText } from "../std/abort.ts";
import { formatDuration } from "../std/format.ts";
import { oneLine } from "../std/text.ts";

const MOST_ISSUES = 10;

export const GENERIC_FAILURE =
  "Tool error: code: tool.failed, status: 500, userMessage: The tool failed and the input was not the cause.";
export const OUTCOME_UNKNOWN = "Tool error: the outcome is unknown: the call may have had its effect";
export const CONFIRMED = "A person confirmed that the call had its effect; what it returned is lost.";
/** What a person may say of a call that a crash interrupted. */
export const IT_HAPPENED = "it happened";
export const RUN_AGAIN = "run it again";
export const NOBODY_KNOWS = "nobody knows";
export const APPROVAL_EXPIRED = "Tool error: nobody approved the call in time";
export const ENDED_THE_RUN = "Tool error: the tool ended the run";
export const NOT_STARTED = "Tool error: the call was not started: the run has no calls left";

export function toolError(text: string): string {
  return `Tool error: ${oneLine(text)}`;
}

/** To a person, not to a model: what a run ends with, and what is asked before it goes on. */
export function interrupted(tool: string): string {
  return `the process ended while \`${tool}\` was at work, so the call may have had its effect`;
}

export function whatHappened(tool: string): string {
  return `${interrupted(tool)}: what happened?`;
}

/** The agent is the tool of a call that no run makes. */
export function needsRun(agent: string): string {
  return toolError(
    `the agent \`${agent}\` is called in a run alone: start one by \`app.run("${agent}", …)\` or \`toolpost run ${agent}\``,
  );
}

export function unknownTool(name: string): string {
  return toolError(`unknown tool: ${name}`);
}

export function invalidInput(issues: readonly SchemaIssue[]): string {
  return toolError(`invalid input: ${issueList(issues)}`);
}

export function notJson(why: string): string {
  return toolError(`invalid input: not JSON: ${why}`);
}

export function invalidOutput(issues: readonly SchemaIssue[]): string {
  return toolError(`invalid output: ${issueList(issues)}`);
}

export function denied(reason: string | undefined): string {
  return toolError(reason === undefined || reason === "" ? "this call is not allowed" : reason);
}

/** A refusal in the author's words stands as written, but on one line. */
export function declined(rejectionText: string | undefined, comment: string | undefined): string {
  const text =
    rejectionText === undefined || rejectionText === "" ? "Tool error: the call was declined" : rejectionText;
  return oneLine(comment === undefined || comment === "" ? text : `${text}: ${comment}`);
}

export function timedOut(ms: number): string {
  return toolError(`timed out after ${formatDuration(ms)}`);
}

export function cancelled(reason: unknown): string {
  return toolError(abortText(reason));
}

/** What a `ToolError` with a `userMessage` reads as. */
export function authored(error: ToolError, mask: (text: string) => string): string {
  const parts: string[] = [];
  if (error.ownCode !== undefined) parts.push(`code: ${error.ownCode}`);
  if (error.status !== undefined) parts.push(`status: ${error.status}`);
  parts.push(`userMessage: ${mask(error.userMessage ?? "")}`);
  return toolError(`${parts.join(", ")}${error.canRetry ? "" : " Do not retry this call."}`);
}

/** What anything that can be thrown says of itself. */
export function thrownText(thrown: unknown): string {
  if (typeof thrown === "string" && thrown !== "") return thrown;
  const message = readMessage(thrown);
  return typeof message === "string" && message !== "" ? message : "the tool failed without saying why";
}

function readMessage(thrown: unknown): unknown {
  try {
    return typeof thrown === "object" && thrown !== null ? (thrown as { message?: unknown }).message : undefined;
  } catch {
    return undefined;
  }
}

function issueList(issues: readonly SchemaIssue[]): string {
  const shown = issues
    .slice(0, MOST_ISSUES)
    .map((issue) => (issue.path === "" ? issue.message : `${issue.path}: ${issue.message}`));
  if (issues.length > MOST_ISSUES) shown.push(`and ${issues.length - MOST_ISSUES} more`);
  return shown.join("; ");
}
