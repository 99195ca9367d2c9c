// What a scheduler keeps of the parts of a run: what is under way, and the branches whose code waits for it.
// Plain state, changed by the scheduler alone.

import type { Failure, Leaf } from "../core/run.ts";
import type { Json } from "../std/json.ts";

/** What came of a step or a child, as a journal holds it. */
export type Outcome = { readonly ok: true; readonly value: Json } | { readonly ok: false; readonly error: Failure };

export type Operation = Generator<readonly Leaf[], Outcome, Leaf>;

/** Something under way that a task stands for. `order` is its place among those that settled; 0 before. */
export class Unit {
  readonly key: string;
  /** The branch that made it, and that alone may wait for it. */
  readonly fiber: Fiber | undefined;
  order = 0;
  outcome: Outcome | undefined = undefined;
  /** What goes on after the operation it waits for now; nothing where that is all there is to it. */
  operation: Operation | undefined = undefined;
  leaves: readonly Leaf[] = none;
  /** Whether its outcome came out of the journal. */
  isReplayed = false;
  /** What was thrown in this very attempt. */
  thrown: { readonly error: unknown } | undefined = undefined;
  /** A branch's value is made anew by each attempt, so it need not be JSON. */
  value: unknown = undefined;
  /** A branch that waits for a person. */
  isWaiting = false;
  /** What a journaled value is read by. */
  read: ((written: Json, isReplayed: boolean) => unknown) | undefined = undefined;

  constructor(key: string, fiber: Fiber | undefined) {
    this.key = key;
    this.fiber = fiber;
  }
}

/** A wait of a branch. */
export interface Wait {
  isReady(): boolean;
  /** Lets the branch go on. */
  resume(): void;
  reject(error: unknown): void;
}

/** A branch: code of the flow, which waits for one thing at a time. */
export class Fiber {
  readonly unit: Unit;
  /** Begins its code. */
  readonly begin: (fiber: Fiber) => void;
  state: "new" | "running" | "waiting" | "woken" | "ended" = "new";
  wait: Wait | undefined = undefined;
  /** Whether what it waited for last came out of the journal. */
  isReplaying = false;

  constructor(unit: Unit, begin: (fiber: Fiber) => void) {
    this.unit = unit;
    this.begin = begin;
  }

  /** As messages call it. */
  get name(): string {
    return this.unit.key === "" ? "the flow" : `the branch \`${this.unit.key}\``;
  }
}

const none: readonly Leaf[] = [];
