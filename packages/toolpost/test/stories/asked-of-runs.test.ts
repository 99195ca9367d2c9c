// What operators may ask an application about its runs: known filters alone, and only while it is open.

import assert from "node:assert/strict";
import { join } from "node:path";
import { describe, it, type TestContext } from "node:test";
import { inspect } from "node:util";
import { z } from "zod";
import type { App } from "../../src/app/create-app.ts";
import { defineTool } from "../../src/author/define-tool.ts";
import { memoryEngine, sqlite } from "../../src/durable/sqlite/sqlite-engine.ts";
import { milliseconds } from "../../src/std/units.ts";
import { temporaryFolder } from "../lib/temporary-tree.ts";
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

describe("a run that was written through another codec", () => {
  const xor = (key: number) => {
    const turn = (bytes: Uint8Array): Uint8Array => bytes.map((byte) => byte ^ key);
    return { encode: turn, decode: turn };
  };
  const guarded = defineTool({
    name: "guarded",
    description: "Does",
    input: z.object({}),
    policy: "needs-approval",
    execute: () => "done it",
  });
  const replies = () => [{ calls: [{ name: "guarded" }] }, "ended"];

  /** Two runs that wait: the first cannot be read by the application that began the second. */
  async function twoRuns(t: TestContext) {
    const path = join(temporaryFolder(t), "runs.db");
    const before = desk(replies(), [guarded], { app: { engine: sqlite(path, { codec: xor(1) }) } });
    const hidden = await before.app.run(before.agent, "a secret");
    await before.app.close();
    const now = desk(replies(), [guarded], { app: { engine: sqlite(path, { codec: xor(2) }) } });
    const seen = await now.app.run(now.agent, "go");
    return { app: now.app, hidden, seen };
  }

  const messageOf = (runId: string): string => `the run \`${runId}\` cannot be read: a stored value is not JSON`;

  it("is listed with the others, with its state and an error", async (t) => {
    const { app, hidden, seen } = await twoRuns(t);
    const error = { message: messageOf(hidden.runId), code: "engine.unreadable" };
    assert.deepEqual(
      (await app.runs()).map((run) => [run.runId, run.state, run.error]),
      [
        [seen.runId, "waiting", undefined],
        [hidden.runId, "waiting", error],
      ],
    );
    const approvals = await app.approvals();
    assert.deepEqual(
      approvals.map(({ pauseId, runId, state, value, error: why }) => [pauseId, runId, state, value.tool, why]),
      [
        [hidden.pending[0]?.pauseId, hidden.runId, "waiting", "?", error],
        [seen.pending[0]?.pauseId, seen.runId, "waiting", "guarded", undefined],
      ],
    );
    await app.close();
  });

  it("is named where it alone is asked for or answered, and nothing of it is quoted", async (t) => {
    const { app, hidden } = await twoRuns(t);
    const [{ pauseId = "" } = {}] = hidden.pending;
    for (const ask of [
      () => app.inspect(hidden.runId),
      () => Promise.resolve(app.attach(hidden.runId)),
      () => app.answer({ pauseId, decision: "approve" }, { operator: "anna" }),
    ])
      await assert.rejects(ask, (error: Error & { readonly code?: string }) => {
        assert.deepEqual([error.code, error.message], ["engine.unreadable", messageOf(hidden.runId)]);
        assert.equal(error.cause, undefined);
        assert.ok(!inspect(error).includes("SyntaxError"));
        return true;
      });
    await app.close();
  });
});
