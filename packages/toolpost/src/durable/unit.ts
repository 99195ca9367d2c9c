// What a scheduler keeps of the parts of a run: what is under way, and the branches whose code waits for it.
// Plain state, changed by the scheduler alone.

import type { Outcome } from "./operations.ts";

/** Something under way that a task stands for. `order` is its place among those that settled. */
export class Unit {
  readonly key: string;
  outcome: Outcome | undefined = undefined;
  /** As it was thrown: whoever started the run hears of it so. */
  thrown: unknown = undefined;
  order = 0;

  constructor(key: string) {
    this.key = key;
  }
}

/** A branch: code of the flow, which waits for one thing at a time. */
export class Fiber {
  readonly unit: Unit;
  readonly number: number;
  isReady: (() => boolean) | undefined = undefined;
  wake: () => void = nothing;
  /** Ends its turn. */
  rest: () => void = nothing;

  constructor(unit: Unit, number: number) {
    this.unit = unit;
    this.number = number;
  }

  /** As messages call it. */
  get name(): string {
    return this.unit.key === "" ? "the flow" : `the branch \`${this.unit.key}\``;
  }
}

function nothing(): void {}
