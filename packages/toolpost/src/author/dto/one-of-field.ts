// Decorates a value that is of one of several types. Classes that share a field with one value each are told apart by
// it, so that only the one that is meant is read; others are tried in their order.
// Of alternatives that all fail, the findings of the one that was meant are told.

import { isRecord } from "../../std/is-record.ts";
import { chooseAlternative } from "../json-schema/choose-alternative.ts";
import type { Finding } from "../json-schema/describe-error.ts";
import { showValue } from "../show-value.ts";
import { checkKnown } from "./field-bounds.ts";
import type { FieldDecorator } from "./field-decorator.ts";
import { fieldDecorator } from "./field-decorator.ts";
import type { FieldOptions, FieldPlan, ItemType, ItemValue, PlanWork, Read } from "./field-type.ts";
import { oddKind } from "./object-kind.ts";
import type { Report, Tried } from "./report.ts";
import { refused } from "./report.ts";

/** @example class Drawing { @OneOf([Circle, Square]) shape!: Circle | Square; @OneOf([Text(), Integer()]) id!: string | number } */
export function OneOfField<const Types extends readonly ItemType[]>(
  types: Types,
  options: FieldOptions<ItemValue<Types[number]>> = {},
): FieldDecorator<ItemValue<Types[number]>> {
  return fieldDecorator<ItemValue<Types[number]>>({
    label: "@OneOf()",
    options,
    plan: (work) => planOneOf(types, options, work),
  });
}

function planOneOf(types: unknown, options: FieldOptions, work: PlanWork): FieldPlan {
  checkKnown("@OneOf()", options, [], work);
  const list: readonly unknown[] = Array.isArray(types) ? types : [];
  if (list.length === 0) work.problem(`@OneOf() got \`${showValue(types)}\`, expected a list of types to choose from`);
  const plans = list.map((type) => work.item(type, "@OneOf()"));
  return {
    read: oneOfReader(plans),
    schema: (writer) => ({ anyOf: plans.map((plan) => plan.schema(writer)) }),
    canEnd: (ending) => plans.some((plan) => plan.canEnd(ending)),
  };
}

function oneOfReader(plans: readonly FieldPlan[]): Read {
  // Made at the first value: the fields of classes are not there before.
  let tag: Tag | undefined | null = null;
  return (value, report) => {
    if (tag === null) tag = tagOf(plans);
    const own = report.isNative ? plans.find((plan) => isInstance(value, plan)) : undefined;
    if (own !== undefined) return own.read(value, report);
    if (tag === undefined || !isRecord(value) || oddKind(value, report.isNative) !== undefined)
      return readFirst(plans, value, report);
    const told = Object.hasOwn(value, tag.key) ? value[tag.key] : undefined;
    const meant = tag.plans.get(told);
    if (meant !== undefined) return meant.read(value, report);
    if ((told === undefined || told === null) && tag.canBeAbsent) return readFirst(plans, value, report);
    const from = report.count;
    if (told === undefined) report.refuse("required", { required: [tag.key] }, value);
    else {
      report.refuse("enum", { enum: [...tag.plans.keys()] }, told);
      report.within(tag.key, from);
    }
    return refused;
  };
}

/** What a handler returns is of the class it was made by, though others would fit too. */
function isInstance(value: unknown, { nested }: FieldPlan): boolean {
  return nested !== undefined && value instanceof nested.type && Object.getPrototypeOf(value) === nested.type.prototype;
}

function readFirst(plans: readonly FieldPlan[], value: unknown, report: Report): unknown {
  if (report.isFull) return refused;
  const { kept, findings } = report.try(plans, value, () => firstThatFits(plans, value, report));
  return kept === refused ? report.add(findings) : kept;
}

function firstThatFits(plans: readonly FieldPlan[], value: unknown, report: Report): Tried {
  const from = report.count;
  const failed: (readonly Finding[])[] = [];
  for (const plan of plans) {
    const kept = plan.read(value, report);
    const findings = report.takeFrom(from);
    if (kept !== refused) return { kept, findings: [] };
    failed.push(findings);
  }
  const error = { keyword: "anyOf", node: { anyOf: plans }, path: [], value };
  const findings = chooseAlternative(error, failed, report.kindOf(value));
  return { kept: refused, findings };
}

/** The field by which alternatives are told apart. */
interface Tag {
  readonly key: string;
  readonly plans: ReadonlyMap<unknown, FieldPlan>;
  /** Some class has its value as the default. */
  readonly canBeAbsent: boolean;
}

function tagOf(plans: readonly FieldPlan[]): Tag | undefined {
  for (const { key } of plans[0]?.nested?.fields ?? []) {
    const fields = plans.map(({ nested }) => nested?.fields.find((field) => field.key === key));
    const byValue = new Map(fields.map((field, index) => [field?.only, plans[index]!]));
    if (
      byValue.size === plans.length &&
      !byValue.has(undefined) &&
      fields.every((field) => field?.isNullable === false)
    )
      return { key, plans: byValue, canBeAbsent: fields.some((field) => field?.isRequired === false) };
  }
  return undefined;
}
