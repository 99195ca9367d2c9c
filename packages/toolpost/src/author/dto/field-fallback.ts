// The default of a field, read like a value that a handler gives: checked at assembly, and copied for each instance.
// Instances must not share a list: what one call changes, or freezes, would be another's default.

import type { Json } from "../../std/json.ts";
import { encodeJson } from "../../std/json.ts";
import { toSchemaIssues } from "../json-schema/finding-issues.ts";
import { showValue } from "../show-value.ts";
import type { PlannedField, PlanWork } from "./field-type.ts";
import { messageOf } from "./first-instances.ts";
import { Report, refused } from "./report.ts";
import { shownJson } from "./shown-json.ts";

/** Reports a default that the field itself refuses. Gives the one to show to the model. */
export function planFallback(field: PlannedField, work: PlanWork): Json | undefined {
  const first = readInitial(field, field.initial, work);
  const shown = shownJson(first);
  if (first === undefined || field.fallback !== undefined) return shown;
  const second = readInitial(field, field.second, work);
  // What differs from one instance to the next, an id or the time, is no default to show.
  return encodeJson(shown) === encodeJson(shownJson(second)) ? shown : undefined;
}

/** The value of an absent field of an instance whose class gave it `own`, or `refused`. */
export function readFallback(field: PlannedField, own: unknown, report: Report): unknown {
  const { fallback, isOptional, isNullable } = field;
  const given = fallback ?? own;
  if (given === undefined) return isOptional ? undefined : report.say("required");
  if (given === null && isNullable) return null;
  // Else it was checked at assembly. An initialiser is not known before it is there: it may count, or tell the time.
  if (given === fallback && typeof given !== "object") return given;
  const native = report.isNative ? report : new Report(true);
  const kept = field.read(given, native);
  return kept === refused && native !== report ? report.add(native.findings) : kept;
}

function readInitial(field: PlannedField, initial: unknown, work: PlanWork): unknown {
  if (initial === undefined || (initial === null && field.isNullable)) return initial;
  const report = new Report(true);
  const name = field.options.default === undefined ? "the initialiser" : "`default`";
  try {
    const kept = field.read(initial, report);
    if (kept !== refused) return kept;
  } catch (error) {
    work.problem(`${name} is \`${showValue(initial)}\`, which cannot be read: ${messageOf(error)}`);
    return undefined;
  }
  const [issue] = toSchemaIssues(report.findings);
  const place = issue?.path ? ` at ${issue.path}` : "";
  const mend =
    initial === null
      ? "add @Nullable()"
      : `change it${field.options.default === undefined ? ", or declare the field without it (`name!: string`)" : ""}`;
  work.problem(`${name} is \`${showValue(initial)}\`, which the field refuses${place} (${issue?.message}): ${mend}`);
  return undefined;
}
