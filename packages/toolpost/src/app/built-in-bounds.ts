// The bounds that hold where neither a tool, nor its agent, nor its application gives one.
// A description of an application tells them too, so they stand apart from what keeps them.

import type { Duration, Size } from "../std/units.ts";
import { kilobytes, seconds } from "../std/units.ts";

export const DEFAULT_TIMEOUT: Duration = seconds(30);
export const DEFAULT_RESULT_SIZE: Size = kilobytes(128);
export const DEFAULT_TOOL_CALLS = 20;
export const DEFAULT_CONCURRENCY = 8;
export const MOST_STEPS = 50;
export const MOST_FAILURES = 10;
export const MOST_RETRIES = 2;
