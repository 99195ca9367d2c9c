// Which calls of a run had succeeded when one was decided: made when a policy asks for it, as most never do.
// It must not be read from the run itself: that goes on while a policy still thinks.

import type { ToolResult } from "../core/result.ts";
import { lazyField } from "../std/lazy-field.ts";

/** A call of the turn under way that has its result. */
export interface SettledCall {
  readonly result: ToolResult;
  readonly position: number;
}

/** Lists up to their lengths, as they grow on: most policies never ask for the names. */
export interface ExecutedSoFar {
  readonly earlier: readonly string[];
  readonly earlierLength: number;
  readonly ofThisTurn: readonly SettledCall[];
  readonly ofThisTurnLength: number;
  /** Of the call that is decided: the turn's later calls are not in it. */
  readonly position: number;
}

/** Gives a run as a policy sees it the field `executed`. */
export const withExecuted: (run: object, soFar: ExecutedSoFar) => void = lazyField(
  "executed",
  ({ earlier, earlierLength, ofThisTurn, ofThisTurnLength, position }: ExecutedSoFar) => {
    const before = ofThisTurn
      .slice(0, ofThisTurnLength)
      .filter(({ result, position: at }) => at < position && result.status === "ok")
      .sort((a, b) => a.position - b.position);
    return Object.freeze([...earlier.slice(0, earlierLength), ...before.map(({ result }) => result.tool)]);
  },
);
