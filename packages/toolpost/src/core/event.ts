// What happens in a run, as listeners see it: noun-verb, plain data, texts masked and bounded.
// Types only. An event is given once and never again on replay.

import type { Json } from "../std/json.ts";
import type { PendingPause } from "./approval.ts";
import type { Usage } from "./budget.ts";
import type { FinishReason } from "./model.ts";
import type { ToolResult } from "./result.ts";
import type { StoppedBy } from "./run-result.ts";
import type { ToolSourceKind } from "./tool.ts";

interface CallFields {
  readonly callId: string;
  readonly tool: string;
  readonly source: ToolSourceKind | "unknown";
}

type EventBody =
  | { readonly type: "run-start"; readonly agent: string }
  | { readonly type: "step-start"; readonly step: number; readonly tools: readonly string[] }
  | { readonly type: "text-delta"; readonly step: number; readonly id: string; readonly text: string }
  | { readonly type: "reasoning-delta"; readonly step: number; readonly id: string; readonly text: string }
  | {
      readonly type: "step-end";
      readonly step: number;
      readonly finish: FinishReason;
      /** The provider's own word for `finish`, where it gave one; the first hundred characters. */
      readonly rawFinish?: string;
      readonly usage: Usage;
    }
  /** `input` is what the model wrote, masked when read. */
  | ({ readonly type: "tool-call-start"; readonly input: Json } & CallFields)
  | ({ readonly type: "tool-call-progress"; readonly data: Json } & CallFields)
  | ({ readonly type: "tool-call-end"; readonly result: ToolResult } & CallFields)
  /** The tool settled after its call had. `status` says how. */
  | ({ readonly type: "tool-call-late"; readonly status: "ok" | "failed"; readonly durationMs: number } & CallFields)
  | ({ readonly type: "approval-request"; readonly pause: PendingPause } & CallFields)
  | ({
      readonly type: "approval-decide";
      readonly decision: "approve" | "decline" | "expire" | "reply";
      readonly isEdited: boolean;
    } & CallFields)
  | { readonly type: "run-wait"; readonly pending: readonly PendingPause[] }
  | {
      readonly type: "run-end";
      readonly status: "done" | "stopped" | "failed";
      readonly usage: Usage;
      readonly stoppedBy?: StoppedBy;
      readonly endedByTool?: string;
      readonly errorCode?: string;
    };

/** An event with the run it belongs to. `at` is epoch milliseconds; deltas of one turn of the event loop may share it. */
export type AgentEvent = EventBody & { readonly runId: string; readonly at: number };

/** Takes an event, in order. A throw or rejection is logged once and changes nothing. */
export type EventListener = (event: AgentEvent) => void | Promise<void>;
