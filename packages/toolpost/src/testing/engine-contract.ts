// What every engine must do, as tests: an engine of one's own is held against them in a test file of its own.
// It must not know any engine, nor load the test runner before it is asked for tests: other runners load this door too.

import { ofCancels } from "./engine-contract/cancels.ts";
import type { CreateEngineStore } from "./engine-contract/engine-store.ts";
import { Fixture } from "./engine-contract/fixture.ts";
import { ofInstances } from "./engine-contract/instances.ts";
import { ofPauses } from "./engine-contract/pauses.ts";
import { ofReplays } from "./engine-contract/replays.ts";
import { ofRuns } from "./engine-contract/runs.ts";
import { ofSeveralEngines } from "./engine-contract/several-engines.ts";

/**
 * Registers a suite of `node:test`.
 * @example engineContract("my engine", () => ({ isShared: false, open: (options) => myEngine(options) }));
 */
export function engineContract(name: string, create: CreateEngineStore): void {
  const { after, describe, test } = process.getBuiltinModule("node:test");
  describe(name, async () => {
    // One that cannot be made fails each test: some runners take no notice of a suite that fails.
    const store = await Promise.resolve({ after })
      .then(create)
      .catch(() => undefined);
    const ofStore = store?.isShared === true ? [ofSeveralEngines] : [];
    for (const checks of [ofRuns, ofReplays, ofPauses, ofCancels, ofInstances, ...ofStore]) {
      for (const [title, check] of Object.entries(checks)) {
        test(title, async (context) => {
          const fixture = new Fixture(await create(context));
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
