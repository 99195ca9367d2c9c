// Reads a value into an instance of its class, field by field. The hot path of validation: it allocates the instance
// and nothing else as long as the value is good.
// It must take own properties only, and not keep any that is no field.

import { isRecord } from "../json-schema/kinds.ts";
import { copyFallback } from "./field-fallback.ts";
import type { ClassPlan, PlannedField, Read } from "./field-type.ts";
import type { Report } from "./report.ts";
import { refused } from "./report.ts";

export function classReader(plan: ClassPlan): Read {
  const { type, fields } = plan;
  const read: Read = (value, report) => {
    if (!isRecord(value)) return report.refuse("type", anObject, value);
    const instance = new type() as Record<string, unknown>;
    let isGood = true;
    let mark = report.findings.length;
    for (let index = 0; index < fields.length; index++) {
      const field = fields[index]!;
      const { key } = field;
      const given = hasOwn.call(value, key) ? value[key] : undefined;
      if (typeof given === field.plain) {
        instance[key] = given;
        continue;
      }
      const kept = isAbsent(given, field) ? absent(field, instance, report) : readGiven(field, given, report);
      if (kept !== refused) {
        instance[key] = kept;
        continue;
      }
      isGood = false;
      report.within(key, mark);
      mark = report.findings.length;
    }
    return isGood ? instance : refused;
  };
  return plan.recurs ? bounded(read) : read;
}

const { hasOwnProperty: hasOwn } = Object.prototype;

const anObject = { type: "object" };

function isAbsent(given: unknown, { isRequired, isNullable }: PlannedField): boolean {
  // Models write null for what they leave out.
  return given === undefined || (given === null && !isRequired && !isNullable);
}

function readGiven(field: PlannedField, given: unknown, report: Report): unknown {
  return given === null && field.isNullable ? null : field.read(given, report);
}

function absent(field: PlannedField, instance: Record<string, unknown>, report: Report): unknown {
  const { key, isRequired, fallback } = field;
  if (isRequired) return report.say("required");
  // Without one of the decorator, what the class itself gives. Own, as a prototype has values too.
  const given = fallback ?? (hasOwn.call(instance, key) ? instance[key] : undefined);
  return copyFallback(field, given, report);
}

/** Values of classes that recur can be as deep as their author likes, or lie within themselves. */
function bounded(read: Read): Read {
  return (value, report) => {
    report.enter();
    const kept = read(value, report);
    report.leave();
    return kept;
  };
}
