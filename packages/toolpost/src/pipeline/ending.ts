// How a call came to its end, before that is masked, bounded and made the call's result.
// Types only.

import type { ContentPart, ToolResultStatus } from "../core/result.ts";
import type { Json } from "../std/json.ts";

export interface Ending {
  readonly status: ToolResultStatus;
  readonly errorCode?: string;
  readonly text: string;
  readonly content?: readonly ContentPart[];
  readonly value?: Json;
  readonly data?: unknown;
  /** What `execute` returned, for hooks. */
  readonly output?: unknown;
  readonly endsRun?: boolean;
  readonly pauseId?: string;
}
