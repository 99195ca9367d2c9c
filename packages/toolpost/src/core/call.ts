// One call of one tool, as a model or a program asked for it.
// Plain data. Ids are unique within a run before a call gets here.

import type { JsonParse } from "../std/json.ts";

/** `input` is the raw text of a model, or a value a program gave. */
export interface ToolCall {
  readonly callId: string;
  /** The tool's own name, or what the caller called it when there is none. */
  readonly tool: string;
  readonly input: string | { readonly json: unknown };
  /** What `input` reads as, where somebody has read it already: the value is shared with the history. */
  readonly parsed?: JsonParse | undefined;
  /** Place in its turn, from 0. */
  readonly position: number;
}
