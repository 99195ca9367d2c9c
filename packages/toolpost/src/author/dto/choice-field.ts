// Decorates one of some values: texts, numbers, or the members of an enum.
// An enum of numbers also holds its names by number; those are no values of it.

import type { JsonSchema } from "../../core/schema.ts";
import { showValue } from "../show-value.ts";
import { checkKnown } from "./field-bounds.ts";
import type { FieldDecorator } from "./field-decorator.ts";
import { fieldDecorator } from "./field-decorator.ts";
import type { FieldOptions, FieldPlan, PlanWork } from "./field-type.ts";
import { Sure, someValues } from "./sure.ts";

export type ChoiceValue = string | number;

/** An enum, or an object used like one. */
export interface ChoiceEnum {
  readonly [name: string]: ChoiceValue;
}

/** What the value of a choice is. */
export type Chosen<Values> = Values extends readonly (infer Value)[] ? Value : Values[keyof Values];

/** @example class Sort { @Choice(["newest", "oldest"], { prompt: "which come first" }) by!: "newest" | "oldest" } */
export function ChoiceField<const Values extends readonly ChoiceValue[] | ChoiceEnum>(
  values: Values,
  options: FieldOptions<Chosen<Values>> = {},
): FieldDecorator<Chosen<Values>> {
  return fieldDecorator<Chosen<Values>>({
    label: "@Choice()",
    options,
    plan: (work) => planChoice(values, options, work),
  });
}

function planChoice(given: unknown, options: FieldOptions, work: PlanWork): FieldPlan {
  checkKnown("@Choice()", options, [], work);
  const values = valuesOf(given);
  if (values.length === 0)
    work.problem(`@Choice() got \`${showValue(given)}\`, expected values: a list of texts or numbers, or an enum`);
  const odd = values.find((value) => typeof value !== "string" && !Number.isFinite(value));
  if (odd !== undefined)
    work.problem(
      `@Choice(): \`${typeof odd === "number" ? odd : showValue(odd)}\` is no value to choose: give texts and numbers`,
    );
  const node = { ...typeOf(values), enum: values };
  const set = new Set<unknown>(values);
  return {
    ...(values.length === 1 && { only: values[0] as ChoiceValue }),
    sure: new Sure(someValues, { values: set }),
    read: (value, report) => (set.has(value) ? value : report.refuse("enum", node, value)),
    schema: () => node,
    canEnd: () => true,
  };
}

function valuesOf(given: unknown): readonly unknown[] {
  if (Array.isArray(given)) return [...new Set<unknown>(given)];
  if (typeof given !== "object" || given === null) return [];
  const members = given as Readonly<Record<string, unknown>>;
  const isName = (key: string): boolean => {
    const value = members[key];
    return !(typeof value === "string" && Number.isFinite(Number(key)) && members[value] === Number(key));
  };
  return [
    ...new Set(
      Object.keys(members)
        .filter(isName)
        .map((key) => members[key]),
    ),
  ];
}

function typeOf(values: readonly unknown[]): JsonSchema {
  const isAll = (type: string): boolean => values.every((value) => typeof value === type);
  if (isAll("string")) return { type: "string" };
  if (!isAll("number")) return {};
  return { type: values.every(Number.isInteger) ? "integer" : "number" };
}
