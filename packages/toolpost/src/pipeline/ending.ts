// How a call came to its end, before that is masked, bounded and made the call's result.
// Types only.

import type { ContentPart, ToolAsk, ToolResult, ToolResultStatus } from "../core/result.ts";
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

/** What one entry into a tool came to: its result, or a question to a person. */
export type ActEnd =
  | ToolResult
  | { readonly question: ToolAsk }
  /** A run of its own is to be started with this. */
  | { readonly order: Json }
  /** A process that is gone had begun it, and what came of it nobody knows. */
  | { readonly interrupted: true };

/** What one execution came to. */
export type Outcome =
  | { readonly type: "returned"; readonly value: unknown }
  | { readonly type: "threw"; readonly error: unknown }
  | { readonly type: "timed-out"; readonly ms: number }
  /** `isSettled`: the tool had come to its end when the call was given up. */
  | { readonly type: "cancelled"; readonly reason: unknown; readonly isSettled: boolean };
