import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { assignCallIds, type CallPlace } from "./call-ids.ts";

const place = (visit = 0, ...used: string[]): { runId: string; visit: number; usedIds: Set<string> } => ({
  runId: "run_x",
  visit,
  usedIds: new Set(used),
});

function idsFor(given: readonly (string | undefined)[], at: CallPlace): string[] {
  return assignCallIds(
    given.map((toolCallId) => ({ toolCallId })),
    at,
  );
}

describe("assignCallIds", () => {
  it("keeps ids that are given once and new", () => {
    assert.deepEqual(idsFor(["a", "b"], place()), ["a", "b"]);
  });

  it("gives repeated ids their position", () => {
    assert.deepEqual(idsFor(["call_0", "x", "call_0"], place()), ["call_0:0", "x", "call_0:2"]);
  });

  it("never meets an id that the provider gave", () => {
    const ids = idsFor(["1", "1", "1:0", "1:1"], place());
    assert.equal(new Set(ids).size, 4);
    assert.deepEqual(ids.slice(2), ["1:0", "1:1"]);
  });

  it("makes an id of run, turn and position where there is none, the same each time", () => {
    const ids = idsFor([undefined, "", " ", "a"], place(3));
    assert.deepEqual(ids, idsFor([undefined, "", " ", "a"], place(3)));
    assert.match(ids[0] ?? "", /^call_[0-9a-f]{8}_3_0$/);
    assert.equal(new Set(ids).size, 4);
    assert.notDeepEqual(ids, idsFor([undefined, "", " ", "a"], { ...place(3), runId: "run_y" }));
  });

  it("marks ids of an earlier turn with the turn", () => {
    assert.deepEqual(idsFor(["call_0"], place(2, "call_0")), ["call_0:v2"]);
    const ids = idsFor(["call_0", "call_0:v2"], place(2, "call_0"));
    assert.equal(new Set([...ids, "call_0"]).size, 3);
  });
});
