// Decorates an object whose keys are anything and whose values all are of one type.
// It must not let a key such as `__proto__` do more than be a key.

import { isRecord } from "../../std/is-record.ts";
import { checkKnown } from "./field-bounds.ts";
import type { FieldDecorator } from "./field-decorator.ts";
import { fieldDecorator } from "./field-decorator.ts";
import type { FieldOptions, FieldPlan, ItemType, ItemValue, PlanWork, Read } from "./field-type.ts";
import { oddKind } from "./object-kind.ts";
import { refused } from "./report.ts";

/** @example class Totals { @MapOf(Number(), { prompt: "euros by month" }) byMonth!: Record<string, number> } */
export function MapField<Item extends ItemType>(
  item: Item,
  options: FieldOptions<{ readonly [key: string]: ItemValue<Item> }> = {},
): FieldDecorator<{ [key: string]: ItemValue<Item> }> {
  return fieldDecorator<{ [key: string]: ItemValue<Item> }>({
    label: "@MapOf()",
    options: options as FieldOptions<{ [key: string]: ItemValue<Item> }>,
    plan: (work) => planMap(item, options, work),
  });
}

function planMap(item: unknown, options: FieldOptions, work: PlanWork): FieldPlan {
  checkKnown("@MapOf()", options, [], work);
  const plan = work.item(item, "@MapOf()");
  return {
    read: mapReader(plan),
    schema: (writer) => ({ type: "object", additionalProperties: plan.schema(writer) }),
    // It may be empty.
    canEnd: () => true,
  };
}

function mapReader({ read }: FieldPlan): Read {
  return (value, report) => {
    if (!isRecord(value) || oddKind(value, report.isNative) !== undefined) return report.refuseObject(value);
    const kept = {};
    let isGood = true;
    let mark = report.count;
    for (const key of Object.keys(value)) {
      const item = read(value[key], report);
      if (item !== refused) {
        // Not by assignment, which would take `__proto__` for something else.
        Object.defineProperty(kept, key, { value: item, enumerable: true, writable: true, configurable: true });
        continue;
      }
      isGood = false;
      report.within(key, mark);
      mark = report.count;
    }
    return isGood ? kept : refused;
  };
}
