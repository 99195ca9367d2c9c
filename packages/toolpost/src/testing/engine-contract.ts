// What every engine must do, as tests: an engine of one's own is held against them in a test file of its own.
// It must not know any engine, nor load the test runner before it is asked for tests: other runners load this door too.

import type { Engine } from "../core/run.ts";
import type { Codec } from "../durable/sqlite/payloads.ts";
import type { Clock } from "../std/clock.ts";
import type { Duration } from "../std/units.ts";
import { ofCancels } from "./engine-contract/cancels.ts";
import { Fixture } from "./engine-contract/fixture.ts";
import { ofInstances } from "./engine-contract/instances.ts";
import { ofPauses } from "./engine-contract/pauses.ts";
import { ofReplays } from "./engine-contract/replays.ts";
import { ofRuns } from "./engine-contract/runs.ts";

/** What the suite asks of an engine it opens. */
export interface ContractOptions {
  readonly clock?: Clock;
  readonly lease?: Duration;
  readonly codec?: Codec;
}

/** One empty store. Each `open` gives another engine on it; the suite closes them. */
export interface EngineStore {
  open(options: ContractOptions): Engine | Promise<Engine>;
  /** False where a store has room for one engine, such as one in memory: what takes two is skipped. */
  readonly isShared: boolean;
}

/** Makes an empty store. `after` takes what is to be done once its test is over. */
export type CreateEngineStore = (test: {
  after(done: () => void | Promise<void>): void;
}) => EngineStore | Promise<EngineStore>;

/**
 * Registers a suite of `node:test`.
 * @example engineContract("my engine", () => ({ isShared: false, open: (options) => myEngine(options) }));
 */
export function engineContract(name: string, create: CreateEngineStore): void {
  const { describe, test } = process.getBuiltinModule("node:test");
  describe(name, () => {
    for (const checks of [ofRuns, ofReplays, ofPauses, ofCancels, ofInstances]) {
      for (const [title, check] of Object.entries(checks)) {
        test(title, async (context) => {
          const store = await create(context);
          const fixture = new Fixture(store, (reason) => context.skip(reason));
          try {
            await check(fixture);
          } finally {
            await fixture.close();
          }
        });
      }
    }
  });
}
