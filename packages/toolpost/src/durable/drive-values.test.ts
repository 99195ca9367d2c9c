// What a flow gets from its steps, branches and pauses, live and on replay: values of any kind, errors, whether it replays.
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { after, ListKernel, replaysAlike } from "../../test/lib/list-kernel.ts";
import { ToolpostError } from "../core/errors.ts";
import type { Flow, Leaf, Work } from "../core/run.ts";
import type { Json } from "../std/json.ts";
import { drive } from "./drive.ts";

describe("what a flow gets from its run", () => {
  it("keeps the code and the data of an error, and gives whoever did the work the very one that was thrown", async () => {
    const thrown = new ToolpostError("model.failed", "no answer", { data: { status: 503 } });
    const flow: Flow = async (run) => {
      const outcome = run.step("a", () => Promise.reject(thrown));
      return outcome.then(
        () => "not thrown",
        (error: ToolpostError) => [error.code, error.message, error.data, error === thrown] as Json,
      );
    };
    const live = new ListKernel();
    assert.deepEqual(await drive(live, flow, null), ["model.failed", "no answer", { status: 503 }, true]);
    assert.deepEqual(live.journal, [
      {
        key: "a",
        value: { ok: false, error: { message: "no answer", code: "model.failed", data: { status: 503 } } },
      },
    ]);
    assert.deepEqual(await drive(new ListKernel(live.journal), flow, null), [
      "model.failed",
      "no answer",
      { status: 503 },
      false,
    ]);
  });

  it("gives what a branch throws and returns as it is", async () => {
    const thrown = new RangeError("of the branch");
    const returned = new Map([[1, 2]]);
    const flow: Flow = async (run) => {
      const open = [run.branch("a", () => Promise.reject(thrown)), run.branch("b", () => returned)];
      const first = await run.next(open);
      return [
        first.ok ? first.value : first.error,
        await open[0]!.then(undefined, (error) => error === thrown),
        (await open[1]) === returned,
      ] as Json;
    };
    assert.deepEqual(await replaysAlike(flow), ["of the branch", true, true]);
  });

  it("does work whose value is more than JSON, and goes on with what was written", async () => {
    const reads: unknown[] = [];
    const work: Work<Map<string, number>, { readonly unit: number }> = {
      perform: async ({ unit }) => new Map([["a", unit]]),
      write: (map) => [...map],
      read: (written, { unit }, isReplayed) => {
        reads.push([unit, isReplayed]);
        return new Map(written as [string, number][]);
      },
    };
    const flow: Flow = async (run) => {
      const map = await run.perform("a", work, { unit: 3 });
      return [map instanceof Map, [...map]] as Json;
    };
    const live = new ListKernel();
    assert.deepEqual(await drive(live, flow, null), [true, [["a", 3]]]);
    assert.deepEqual(live.journal, [{ key: "a", value: { ok: true, value: [["a", 3]] } }]);
    assert.deepEqual(await drive(new ListKernel(live.journal), flow, null), [true, [["a", 3]]]);
    assert.deepEqual(reads, [
      [3, false],
      [3, true],
    ]);
  });

  it("makes work at most once where it says what stands for an unknown outcome", async () => {
    let done = 0;
    const work: Work<string, boolean> = {
      perform: () => `paid ${++done}`,
      interrupted: (isOnce) => (isOnce ? () => "unknown" : undefined),
    };
    const flow: Flow = async (run) => run.perform("pay", work, true);
    const foreign = new ListKernel([{ key: "pay:intent", value: "another process" }]);
    assert.equal(await drive(foreign, flow, null), "unknown");
    const again: Flow = async (run) => run.perform("pay", work, false);
    const live = new ListKernel();
    assert.equal(await drive(live, again, null), "paid 1");
    assert.deepEqual(
      live.journal.map(({ key }) => key),
      ["pay"],
    );
  });

  it("says in each branch whether what it waited for last came out of the journal", async () => {
    const told: unknown[] = [];
    const flow: Flow = async (run) => {
      told.push(["start", run.isReplaying]);
      await run.step("a", () => 1);
      told.push(["a", run.isReplaying]);
      const late = run.step("late", () => after(4));
      const branch = run.branch("b", async (own) => {
        told.push(["b", own.isReplaying]);
        await own.step("c", () => 2);
        told.push(["c", own.isReplaying]);
      });
      await late;
      told.push(["late", run.isReplaying]);
      // It settled before, and this branch went past it only now.
      await branch;
      told.push(["end", run.isReplaying]);
      return null;
    };
    const live = new ListKernel();
    await drive(live, flow, null);
    const names = told.splice(0).map((each) => (each as string[])[0]);
    assert.deepEqual(names, ["start", "a", "b", "c", "late", "end"]);
    for (let length = 0; length <= 3; length++) {
      await drive(new ListKernel(live.journal.slice(0, length)), flow, null);
      const replayed = told.splice(0).filter((each) => (each as unknown[])[1]);
      assert.deepEqual(
        replayed.map((each) => (each as string[])[0]),
        [[], ["start", "a", "b"], ["start", "a", "b", "c"], names][length],
      );
    }
  });

  it("closes every pause that still waits, and none that was answered", async () => {
    const flow: Flow = async (run) => {
      const asked = ["x", "y", "z"].map((name) =>
        run.branch(name, (own) => own.pause("ask", { kind: "question", data: name })),
      );
      await run.next(asked);
      await run.closePauses("close");
      await run.closePauses("none");
      return (await run.all(asked)) as never;
    };
    const idle = (kernel: ListKernel, open: readonly Leaf[]): void =>
      kernel.settle("y/ask", { type: "answer", value: 1 }, open);
    assert.deepEqual(await replaysAlike(flow, idle), [
      { type: "closed" },
      { type: "answer", value: 1 },
      { type: "closed" },
    ]);
    const kernel = new ListKernel();
    kernel.onIdle = (open) => idle(kernel, open);
    await drive(kernel, flow, null);
    assert.deepEqual(
      kernel.issued.filter((key) => key.startsWith("close")),
      ["close:x/ask", "close:z/ask"],
    );
  });

  it("hands the flow its attempt", async () => {
    const attempt = { runId: "run_1", signal: new AbortController().signal, onCancel() {}, onRest() {}, leave() {} };
    const flow: Flow = async (_run, input, own) => [input, own === attempt];
    assert.deepEqual(await drive(new ListKernel(), flow, 5, { attempt }), [5, true]);
  });
});
