// What operators ask an application about its runs by: every name known, each of its kind. A misspelt filter must not
// vanish: it would list, or delete, more than was meant.

import { ToolpostError } from "../core/errors.ts";
import type { RunState } from "../core/run.ts";
import type { Duration } from "../std/units.ts";
import type { ApprovalsFilter, RunsFilter } from "./app-runs.ts";
import type { Shape } from "./check-options.ts";
import { checkShape, flag, isRightDuration, text } from "./check-options.ts";

const states: readonly RunState[] = ["queued", "running", "waiting", "done", "failed", "cancelled"];
const prefix = { expected: "a text", isRight: (value: unknown) => typeof value === "string" };

const runsShape: Shape = {
  states: {
    expected: `a list of ${states.map((state) => `\`${state}\``).join(", ")}`,
    isRight: (value) => Array.isArray(value) && value.every((state) => states.includes(state)),
  },
  agent: text,
  under: text,
  prefix,
  limit: {
    expected: "a whole number from 1",
    isRight: (value) => Number.isSafeInteger(value) && (value as number) >= 1,
  },
};

const approvalsShape: Shape = { pauseId: text, prefix, under: text, answered: flag };

const pruneShape: Shape = {
  olderThan: { expected: "a duration such as days(30)", isRight: (value) => isRightDuration(value, 0) },
};

/** Throws `run.invalid-input`, as the others do. */
export function checkRunsFilter(filter: RunsFilter): void {
  refuse(filter, runsShape, "the filter of runs");
}

export function checkApprovalsFilter(filter: ApprovalsFilter): void {
  refuse(filter, approvalsShape, "the filter of approvals");
}

export function checkPruning(options: { readonly olderThan: Duration }): void {
  refuse(options, pruneShape, "prune");
  if (options.olderThan === undefined)
    throw new ToolpostError(code, "prune: `olderThan` is missing, expected a duration such as days(30)");
}

const code = "run.invalid-input";

function refuse(given: unknown, shape: Shape, place: string): void {
  const problems = checkShape(given, shape, place, code);
  if (problems.length > 0) throw new ToolpostError(code, problems.map(({ message }) => message).join("; "));
}
