// What operators may ask an application about its runs: known filters alone, and only while it is open.

import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { App } from "../../src/app/create-app.ts";
import { memoryEngine } from "../../src/durable/sqlite/sqlite-engine.ts";
import { milliseconds } from "../../src/std/units.ts";
import { desk } from "./support.ts";

const states = "`queued`, `running`, `waiting`, `done`, `failed`, `cancelled`";
const span = "expected a duration such as days(30)";

describe("a question that nobody knows is refused", () => {
  for (const [what, ask, message] of [
    [
      "a filter of runs that is misspelt",
      (app: App) => app.runs({ state: "done" } as never),
      "the filter of runs: there is no setting `state`: did you mean `states`?",
    ],
    [
      "a state that there is not",
      (app: App) => app.runs({ states: ["foo"] } as never),
      `the filter of runs: \`states\` is \`["foo"]\`, expected a list of ${states}`,
    ],
    [
      "a limit of nothing",
      (app: App) => app.runs({ limit: 0 }),
      "the filter of runs: `limit` is `0`, expected a whole number from 1",
    ],
    [
      "a filter of approvals that is misspelt",
      (app: App) => app.approvals({ answerd: true } as never),
      "the filter of approvals: there is no setting `answerd`: did you mean `answered`?",
    ],
    [
      "an age without a unit",
      (app: App) => app.prune({ olderThan: 30 } as never),
      `prune: \`olderThan\` is \`30\`, ${span}`,
    ],
    [
      "an age as a text",
      (app: App) => app.prune({ olderThan: "30d" } as never),
      `prune: \`olderThan\` is \`"30d"\`, ${span}`,
    ],
    ["no age", (app: App) => app.prune({} as never), `prune: \`olderThan\` is missing, ${span}`],
    [
      "an age below nothing",
      (app: App) => app.prune({ olderThan: milliseconds(-1) }),
      `prune: \`olderThan\` is \`an object with kind, ms\`, ${span}`,
    ],
    ["nothing at all", (app: App) => app.prune(undefined as never), "prune is `undefined`, expected an object"],
  ] as const)
    it(what, async () => {
      const { app, agent } = desk(["kept"], [], { app: { engine: memoryEngine() } });
      const { runId } = await app.run(agent, "go");
      await assert.rejects(ask(app), { code: "run.invalid-input", message });
      assert.deepEqual(
        (await app.runs()).map((run) => run.runId),
        [runId],
      );
      await app.close();
    });
});

describe("a closed application", () => {
  for (const [where, engine] of [
    ["in memory", () => ({})],
    ["of an engine", () => ({ engine: memoryEngine() })],
  ] as const)
    it(`looks at no runs any more, ${where}`, async () => {
      const { app } = desk([], [], { app: engine() });
      await app.close();
      const answer = { pauseId: "pause_1", decision: "approve" } as const;
      const refused = { code: "app.closed", message: "the application is closed; it looks at no runs any more" };
      await assert.rejects(app.runs(), refused);
      await assert.rejects(app.inspect("run_1"), refused);
      await assert.rejects(app.approvals(), refused);
      await assert.rejects(app.answer(answer, {}), refused);
      await assert.rejects(app.cancel("run_1"), refused);
      await assert.rejects(app.prune({ olderThan: milliseconds(0) }), refused);
      await assert.rejects(Promise.resolve(app.attach("run_1")), refused);
      await assert.rejects(Promise.resolve(app.resume(answer, {})), refused);
    });
});
