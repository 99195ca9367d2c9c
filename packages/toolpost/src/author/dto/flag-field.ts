// Decorates a boolean: true or false, and no other value that reads like one.
// A text such as "false" is refused, as it would count as true.

import { checkKnown } from "./field-bounds.ts";
import type { FieldDecorator } from "./field-decorator.ts";
import { fieldDecorator } from "./field-decorator.ts";
import type { FieldOptions, FieldPlan, PlanWork } from "./field-type.ts";
import { anyFlag, Sure } from "./sure.ts";

/** @example class Search { @Flag({ prompt: "whether closed issues count", default: false }) closed!: boolean } */
export function FlagField(options: FieldOptions<boolean> = {}): FieldDecorator<boolean> {
  return fieldDecorator<boolean>({ label: "@Flag()", options, plan: (work) => planFlag(options, work) });
}

const node = { type: "boolean" };

function planFlag(options: FieldOptions<boolean>, work: PlanWork): FieldPlan {
  checkKnown("@Flag()", options, [], work);
  return {
    sure: new Sure(anyFlag),
    read: (value, report) => (typeof value === "boolean" ? value : report.refuse("type", node, value)),
    schema: () => node,
    canEnd: () => true,
  };
}
