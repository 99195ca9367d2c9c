// What is told of a run's journal, where a whole run would come to it by chance only.
import assert from "node:assert/strict";
import { test } from "node:test";
import type { RunInspection } from "../../src/app/app-runs.ts";
import { storyOf } from "../../src/cli/run-story.ts";

test("a call that nobody was asked about, as its tool was gone, is not told to wait for anybody", () => {
  const asked = (value: object) => ({ seq: 1, key: "call:0:0/approval:ask", kind: "step", at: 2, value }) as const;
  const run = (value: object): RunInspection => ({
    runId: "run_1",
    agent: "desk",
    state: "running",
    createdAt: 1,
    input: { message: "go" },
    approvals: [],
    journal: [asked({ ok: true, value }) as never],
  });
  const told = (value: object) => storyOf(run(value)).map(({ text }) => text);
  assert.deepEqual(told({ pauseId: "", isGone: true }), ["started by: go"]);
  assert.deepEqual(told({ pauseId: "pause_1" }), ["started by: go", "a call: a person is to be asked"]);
});
