// Decorates a list whose items all are of one type.
// Items that must differ are compared by what they look like in JSON, as JSON Schema does.

import type { JsonSchema } from "../../core/schema.ts";
import { canonicalJson } from "../../std/json.ts";
import { showValue } from "../show-value.ts";
import { checkCount, checkKnown, checkOrder } from "./field-bounds.ts";
import type { FieldDecorator } from "./field-decorator.ts";
import { fieldDecorator } from "./field-decorator.ts";
import type { FieldOptions, FieldPlan, ItemType, ItemValue, PlanWork, Read } from "./field-type.ts";
import { refused } from "./report.ts";
import { isSure, nothingSure } from "./sure.ts";

export interface ListOptions<Item = unknown> extends FieldOptions<readonly Item[]> {
  readonly minItems?: number;
  readonly maxItems?: number;
  /** Whether all items must differ. */
  readonly unique?: boolean;
}

/** @example class Issue { @ListOf(Text({ maxLength: 20 }), { maxItems: 5 }) labels!: string[] } */
export function ListField<Item extends ItemType>(
  item: Item,
  options: ListOptions<ItemValue<Item>> = {},
): FieldDecorator<ItemValue<Item>[]> {
  return fieldDecorator<ItemValue<Item>[]>({
    label: "@ListOf()",
    // A list is copied, so a default that must not be changed does as well.
    options: options as FieldOptions<ItemValue<Item>[]>,
    plan: (work) => planList(item, options, work),
  });
}

function planList(item: unknown, options: ListOptions, work: PlanWork): FieldPlan {
  checkKnown("@ListOf()", options, ["minItems", "maxItems", "unique"], work);
  checkCount("@ListOf()", options, "minItems", work);
  checkCount("@ListOf()", options, "maxItems", work);
  checkOrder("@ListOf()", options, ["minItems", "maxItems"], work);
  const { minItems, maxItems, unique } = options;
  if (unique !== undefined && typeof unique !== "boolean")
    work.problem(`@ListOf(): \`unique\` is \`${showValue(unique)}\`, expected true or false`);
  const plan = work.item(item, "@ListOf()");
  const bounds: JsonSchema = {
    ...(minItems !== undefined && { minItems }),
    ...(maxItems !== undefined && { maxItems }),
    ...(unique === true && { uniqueItems: true }),
  };
  return {
    read: listReader(plan, options, bounds),
    schema: (writer) => ({ type: "array", items: plan.schema(writer), ...bounds }),
    canEnd: (ending) => minItems === undefined || minItems === 0 || plan.canEnd(ending),
  };
}

const aList = { type: "array" };

function listReader(
  { read, sure = nothingSure }: FieldPlan,
  { minItems, maxItems, unique }: ListOptions,
  bounds: JsonSchema,
): Read {
  return (value, report) => {
    if (!Array.isArray(value)) return report.refuse("type", aList, value);
    let isGood = true;
    let mark = report.count;
    // Nobody reads the items of a list that is too long.
    if (maxItems !== undefined && value.length > maxItems) return report.refuse("maxItems", bounds, value);
    if (minItems !== undefined && value.length < minItems) {
      report.refuse("minItems", bounds, value);
      isGood = false;
      mark = report.count;
    }
    const kept: unknown[] = slice.call(value);
    for (let index = 0; index < kept.length; index++) {
      const given = kept[index];
      if (isSure(sure, given)) continue;
      const item = read(given, report);
      if (item !== refused) {
        kept[index] = item;
        continue;
      }
      isGood = false;
      report.within(index, mark);
      mark = report.count;
    }
    if (isGood && unique === true && !allDiffer(kept)) return report.refuse("uniqueItems", bounds, value);
    return isGood ? kept : refused;
  };
}

const { slice } = Array.prototype;

function allDiffer(items: readonly unknown[]): boolean {
  return new Set(items.map(canonicalJson)).size === items.length;
}
