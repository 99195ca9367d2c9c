// The bounds of a source made in code, checked when it is made: a timer takes a delay it does not know for 1 ms.
// An mcp.json has its own check, with the path in the file.

import { ToolpostError } from "../../core/errors.ts";
import type { Duration } from "../../std/units.ts";
import { longestMs } from "./key-reader.ts";

export interface CheckedDurations {
  readonly name: string;
  readonly timeout?: Duration;
  readonly startTimeout?: Duration;
}

/** Throws `config.invalid` for the first one that is not above 0, or longer than timers know. */
export function checkDurations({ name, timeout, startTimeout }: CheckedDurations): void {
  for (const [key, duration] of Object.entries({ timeout, startTimeout })) {
    if (duration === undefined || (duration.ms > 0 && duration.ms <= longestMs)) continue;
    const expected = "expected a duration above 0 and up to 24 days; write `seconds(30)` or the like";
    throw new ToolpostError("config.invalid", `MCP server \`${name}\`, \`${key}\`: ${expected}`);
  }
}
