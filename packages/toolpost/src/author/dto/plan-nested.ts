// The plan of a field, item or alternative that is a DTO class.
// It must not look into the class before it is used: classes refer to each other in circles.

import type { ClassPlan, FieldPlan, Read } from "./field-type.ts";

export function planNested(nested: ClassPlan): FieldPlan {
  let read: Read | undefined;
  return {
    nested,
    read: (value, report) => (read ??= nested.read)(value, report),
    schema: (writer) => writer.ofClass(nested),
    canEnd: (ending) => ending.has(nested),
  };
}
