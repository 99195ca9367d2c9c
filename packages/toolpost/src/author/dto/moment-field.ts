// Decorates a point in time: text (RFC 3339) on the wire, a `Date` in the handler, by the reading rule of all schemas.
// What a handler returns is a `Date` already; text is refused there, as no type says that it is read.

import { nativeExpected, readNative } from "../native-values.ts";
import { showValue } from "../show-value.ts";
import { checkKnown, checkOrder } from "./field-bounds.ts";
import type { FieldDecorator } from "./field-decorator.ts";
import { fieldDecorator } from "./field-decorator.ts";
import type { FieldOptions, FieldPlan, PlanWork } from "./field-type.ts";

export interface MomentOptions extends FieldOptions<Date> {
  /** The earliest there may be. The model does not see it: say it in the prompt. */
  readonly min?: Date;
  /** The latest there may be. The model does not see it: say it in the prompt. */
  readonly max?: Date;
}

/** @example class Slot { @Moment({ prompt: "when it starts" }) start!: Date } */
export function MomentField(options: MomentOptions = {}): FieldDecorator<Date> {
  return fieldDecorator<Date>({ label: "@Moment()", options, plan: (work) => planMoment(options, work) });
}

const node = { type: "string", format: "date-time" };

function planMoment(options: MomentOptions, work: PlanWork): FieldPlan {
  checkMoment(options, work);
  const [min, max] = [options.min?.valueOf(), options.max?.valueOf()];
  return {
    read(value, report) {
      const date = report.isNative ? value : readNative("date", value);
      if (!isMoment(date)) return report.say(report.isNative ? "expected a valid Date" : nativeExpected.date);
      // A copy, so that whoever holds the value does not hold the argument.
      const kept = new Date(date.valueOf());
      if (min !== undefined && kept.valueOf() < min) return report.say(`expected ${show(min)} or later`);
      if (max !== undefined && kept.valueOf() > max) return report.say(`expected ${show(max)} or earlier`);
      return kept;
    },
    schema: () => node,
    canEnd: () => true,
  };
}

function isMoment(value: unknown): value is Date {
  return value instanceof Date && !Number.isNaN(value.valueOf());
}

function show(time: number): string {
  return new Date(time).toISOString();
}

function checkMoment(options: MomentOptions, work: PlanWork): void {
  checkKnown("@Moment()", options, ["min", "max"], work);
  for (const key of ["min", "max"] as const) {
    if (options[key] !== undefined && !isMoment(options[key]))
      work.problem(`@Moment(): \`${key}\` is \`${showValue(options[key])}\`, expected a Date`);
  }
  checkOrder("@Moment()", options, ["min", "max"], work);
}
