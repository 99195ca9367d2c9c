// What whoever holds an engine against the suite hands in: a way to make an empty store and to open engines on it.
// Types only.

import type { Engine } from "../../core/run.ts";
import type { Codec } from "../../durable/sqlite/payloads.ts";
import type { Clock } from "../../std/clock.ts";
import type { Duration } from "../../std/units.ts";

/** What the suite asks of an engine it opens. */
export interface ContractOptions {
  readonly clock?: Clock;
  readonly lease?: Duration;
  readonly codec?: Codec;
}

/** One empty store. Each `open` gives another engine on it; the suite closes them. */
export interface EngineStore {
  open(options: ContractOptions): Engine | Promise<Engine>;
  /** False where a store has room for one engine, such as one in memory: what takes two is not asked of it. */
  readonly isShared: boolean;
}

/** Makes an empty store: one for each test, and one before, to see which tests there are. `after` takes what is to be done then. */
export type CreateEngineStore = (test: {
  after(done: () => void | Promise<void>): void;
}) => EngineStore | Promise<EngineStore>;
