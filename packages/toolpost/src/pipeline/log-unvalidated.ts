// Says in the log what a validator threw: the model only reads that the value could not be validated.
// It must not be called for a value that a validator judged, however bad that was.

import type { AnyTool } from "../core/tool.ts";
import type { CallScope } from "./call-scope.ts";

export function logUnvalidated(side: "input" | "output", { name }: AnyTool, error: unknown, scope: CallScope): void {
  const end = side === "input" ? "the call was refused" : "the call failed";
  const message = `the ${side} of \`${name}\` could not be validated; ${end}`;
  scope.slots.log({ level: "error", message, error });
}
