// The default of a field: checked once like a value that a handler gives, and copied for each instance.
// Instances must not share a list: what one call changes, or freezes, would be another's default.

import { toSchemaIssues } from "../json-schema/finding-issues.ts";
import { showValue } from "../show-value.ts";
import type { FieldPlan, PlannedField, PlanWork } from "./field-type.ts";
import { Report, refused } from "./report.ts";

/** Reports a default that the field itself refuses. */
export function planFallback({ initial, options, isNullable, ...field }: PlannedField, work: PlanWork): void {
  if (initial === undefined || (initial === null && isNullable)) return;
  const report = new Report(true);
  if (field.read(initial, report) !== refused) return;
  const [issue] = toSchemaIssues(report.findings);
  const place = issue?.path ? ` at ${issue.path}` : "";
  const name = options.default === undefined ? "the initialiser" : "`default`";
  const mend =
    initial === null
      ? "add @Nullable()"
      : `change it${options.default === undefined ? ", or declare the field without it (`name!: string`)" : ""}`;
  work.problem(`${name} is \`${showValue(initial)}\`, which the field refuses${place} (${issue?.message}): ${mend}`);
}

/** A value of its own for one instance, or `refused`. */
export function copyFallback(field: FieldPlan, value: unknown, report: Report): unknown {
  if (typeof value !== "object" || value === null) return value;
  return field.read(value, report.isNative ? report : new Report(true));
}
