// Decorates a number, or an integer. Only numbers that JSON has: no NaN and no infinities.
// Integers are safe ones, as beyond those a JSON number is not what the model wrote.

import type { JsonSchema } from "../../core/schema.ts";
import { showValue } from "../show-value.ts";
import { checkKnown, checkOrder } from "./field-bounds.ts";
import type { FieldDecorator } from "./field-decorator.ts";
import { fieldDecorator } from "./field-decorator.ts";
import type { FieldOptions, FieldPlan, PlanWork, Read } from "./field-type.ts";
import { boundedInteger, boundedNumber, Sure } from "./sure.ts";

export interface NumberOptions extends FieldOptions<number> {
  /** The least value there may be. */
  readonly min?: number;
  /** The greatest value there may be. */
  readonly max?: number;
  /** Below every value there may be. */
  readonly moreThan?: number;
  /** Above every value there may be. */
  readonly lessThan?: number;
  readonly multipleOf?: number;
}

/** @example class Order { @Number({ moreThan: 0, prompt: "in euros" }) price!: number } */
export function NumberField(options: NumberOptions = {}): FieldDecorator<number> {
  return fieldDecorator<number>({ label: "@Number()", options, plan: (work) => planNumber("number", options, work) });
}

/** @example class Page { @Integer({ min: 1, max: 100, default: 20 }) limit!: number } */
export function IntegerField(options: NumberOptions = {}): FieldDecorator<number> {
  return fieldDecorator<number>({ label: "@Integer()", options, plan: (work) => planNumber("integer", options, work) });
}

function planNumber(type: "number" | "integer", options: NumberOptions, work: PlanWork): FieldPlan {
  checkNumber(type === "integer" ? "@Integer()" : "@Number()", options, work);
  const { min, max, moreThan, lessThan, multipleOf } = options;
  const node: JsonSchema = {
    type,
    ...(min !== undefined && { minimum: min }),
    ...(max !== undefined && { maximum: max }),
    ...(moreThan !== undefined && { exclusiveMinimum: moreThan }),
    ...(lessThan !== undefined && { exclusiveMaximum: lessThan }),
    ...(multipleOf !== undefined && { multipleOf }),
  };
  const isWhole = type === "integer";
  const hasMore = [moreThan, lessThan, multipleOf].some((rule) => rule !== undefined);
  return {
    ...(!hasMore && { sure: new Sure(isWhole ? boundedInteger : boundedNumber, sureBounds(options)) }),
    read: numberReader(options, node, isWhole),
    schema: () => node,
    canEnd: () => true,
  };
}

function sureBounds({ min, max }: NumberOptions): { readonly least: number; readonly most: number } {
  return { least: min ?? -Number.MAX_VALUE, most: max ?? Number.MAX_VALUE };
}

const safest = { minimum: -Number.MAX_SAFE_INTEGER, maximum: Number.MAX_SAFE_INTEGER };

function numberReader(options: NumberOptions, node: JsonSchema, isWhole: boolean): Read {
  const { multipleOf } = options;
  const [min, max] = [options.min ?? Number.NEGATIVE_INFINITY, options.max ?? Number.POSITIVE_INFINITY];
  const [moreThan, lessThan] = [
    options.moreThan ?? Number.NEGATIVE_INFINITY,
    options.lessThan ?? Number.POSITIVE_INFINITY,
  ];
  return (value, report) => {
    if (typeof value !== "number" || !(isWhole ? Number.isInteger(value) : Number.isFinite(value)))
      return report.refuse("type", node, value);
    let kept: unknown = value;
    if (value < min) kept = report.refuse("minimum", node, value);
    if (value > max) kept = report.refuse("maximum", node, value);
    if (value <= moreThan) kept = report.refuse("exclusiveMinimum", node, value);
    if (value >= lessThan) kept = report.refuse("exclusiveMaximum", node, value);
    if (multipleOf !== undefined && !isMultiple(value, multipleOf)) kept = report.refuse("multipleOf", node, value);
    if (isWhole && kept === value && !Number.isSafeInteger(value))
      kept = report.refuse(value > 0 ? "maximum" : "minimum", safest, value);
    return kept;
  };
}

/** Exact for integers; else as exact as fractions are: 0.3 is a multiple of 0.1. */
function isMultiple(value: number, step: number): boolean {
  if (Number.isInteger(value) && Number.isInteger(step)) return value % step === 0;
  return Math.abs(Math.round(value / step) * step - value) <= 4 * Number.EPSILON * Math.abs(value);
}

const bounds = ["min", "max", "moreThan", "lessThan", "multipleOf"] as const;

function checkNumber(label: string, options: NumberOptions, work: PlanWork): void {
  checkKnown(label, options, bounds, work);
  for (const key of bounds) {
    const value: unknown = options[key];
    if (value !== undefined && !Number.isFinite(value))
      work.problem(
        `${label}: \`${key}\` is \`${typeof value === "number" ? value : showValue(value)}\`, expected a number`,
      );
  }
  const isOrdered = [
    checkOrder(label, options, ["min", "max"], work),
    checkOrder(label, options, ["min", "lessThan", true], work),
    checkOrder(label, options, ["moreThan", "max", true], work),
    checkOrder(label, options, ["moreThan", "lessThan", true], work),
  ].every(Boolean);
  if (options.multipleOf !== undefined && options.multipleOf <= 0)
    work.problem(`${label}: \`multipleOf\` is \`${options.multipleOf}\`, expected a number above 0`);
  else if (isOrdered && fitsNone(options, label === "@Integer()")) {
    const given = bounds.filter((key) => options[key] !== undefined).map((key) => `\`${key}\` ${options[key]}`);
    const what = label === "@Integer()" ? "integer" : "value";
    work.problem(`${label}: no ${what} fits ${given.join(" and ")}: change ${given.length > 1 ? "one of them" : "it"}`);
  }
}

/** Whether no integer, or no multiple, lies between the bounds. A number alone always does. */
function fitsNone({ min, max, moreThan, lessThan, multipleOf }: NumberOptions, isWhole: boolean): boolean {
  // Of fractions only multiples that are clearly out are told, as they are not exact.
  const isExact = isWhole && (multipleOf === undefined || Number.isInteger(multipleOf));
  if (!isWhole && multipleOf === undefined) return false;
  const step = multipleOf ?? 1;
  const edge = isExact ? 0 : 1e-9;
  const lowest = isWhole ? safest.minimum : Number.NEGATIVE_INFINITY;
  const highest = isWhole ? safest.maximum : Number.POSITIVE_INFINITY;
  const from = Math.ceil(Math.max(min ?? lowest, moreThan ?? lowest, lowest) / step - edge);
  const to = Math.floor(Math.min(max ?? highest, lessThan ?? highest, highest) / step + edge);
  const isFromOut = isExact && moreThan !== undefined && from * step <= moreThan;
  const isToOut = isExact && lessThan !== undefined && to * step >= lessThan;
  return (isToOut ? to - 1 : to) < (isFromOut ? from + 1 : from);
}
