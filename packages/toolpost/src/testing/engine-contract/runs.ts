// An engine's runs: started once, ended with a value or an error, listed, deleted; children, lanes and versions.
// Each test says what it needs of the store, and nothing of how it is kept.

import assert from "node:assert/strict";
import { ToolpostError } from "../../core/errors.ts";
import type { LogEntry } from "../../core/govern.ts";
import type { Flow } from "../../core/run.ts";
import type { Json } from "../../std/json.ts";
import { hours, seconds } from "../../std/units.ts";
import type { Check } from "./fixture.ts";
import { ask, begin, Held, inState, paused, runOnce, turn, until } from "./fixture.ts";

export const ofRuns: Readonly<Record<string, Check>> = {
  async "a run is started once, however often it is tried"(fixture) {
    const engine = await fixture.open();
    const order = { flow: "flow", runId: "r", input: 1 };
    const both = await Promise.all([engine.start(order), engine.start({ ...order, input: 2 })]);
    assert.deepEqual(both, [{ fresh: true }, { fresh: false }]);
    assert.deepEqual(await engine.start(order), { fresh: false });
    assert.deepEqual(await engine.status("r"), {
      runId: "r",
      flow: "flow",
      state: "queued",
      input: 1,
      createdAt: fixture.clock.now(),
    });
  },

  async "a run ends with what its flow returned, as JSON"(fixture) {
    const engine = await fixture.open();
    const flow: Flow = async (run, input) => [input, run.id, await run.step("at", () => new Date(0))] as never;
    const record = await runOnce(engine, flow, { input: { a: [1, "\0 \u{1f9ea}"] }, lane: "l" });
    assert.deepEqual(record, {
      runId: "r",
      flow: "flow",
      state: "done",
      input: { a: [1, "\0 \u{1f9ea}"] },
      result: [{ a: [1, "\0 \u{1f9ea}"] }, "r", "1970-01-01T00:00:00.000Z"],
      lane: "l",
      createdAt: fixture.clock.now(),
      endedAt: fixture.clock.now(),
    });
    assert.deepEqual(await engine.status("r"), record);
  },

  async "a run fails with what its flow threw, code and data too"(fixture) {
    const engine = await fixture.open();
    const plain = await runOnce(engine, () => Promise.reject(new TypeError("of the flow")), { runId: "plain" });
    assert.deepEqual([plain.state, plain.error, plain.result], ["failed", { message: "of the flow" }, undefined]);
    const error = new ToolpostError("model.failed", "no answer", { data: { status: 503 } });
    const coded = await runOnce(engine, () => Promise.reject(error), { runId: "coded" });
    assert.deepEqual(coded.error, { message: "no answer", code: "model.failed", data: { status: 503 } });
  },

  async "a run that nobody started is unknown"(fixture) {
    const engine = await fixture.open();
    assert.equal(await engine.status("r"), undefined);
    assert.equal(await engine.cancel("r"), false);
    assert.deepEqual([await engine.journal("r"), await engine.list(), await engine.pauses()], [[], [], []]);
    await assert.rejects(engine.result("r"), { code: "run.unknown" });
  },

  async "whoever waits for a result lets go when told to"(fixture) {
    const engine = await fixture.open();
    await engine.start({ flow: "flow", runId: "r", input: null });
    const abort = new AbortController();
    const reason = new Error("not interested");
    const waiting = engine.result("r", abort.signal);
    const patient = engine.result("r");
    await turn();
    abort.abort(reason);
    await assert.rejects(waiting, reason);
    await assert.rejects(engine.result("r", abort.signal), reason);
    await engine.serve({ flow: async () => 5 });
    assert.equal((await patient).result, 5);
  },

  async "large values come back whole"(fixture) {
    const engine = await fixture.open();
    const large = { text: "é".repeat(100_000) };
    const flow: Flow = async (run, input) => [
      input,
      await run.step("a", () => large),
      await run.child("c", "child", large),
    ];
    await engine.serve({ child: async (_run, input) => input });
    const record = await runOnce(engine, flow, { input: large });
    assert.deepEqual([record.input, record.result], [large, [large, large, large]]);
    assert.deepEqual((await engine.journal("r"))[0]?.value, { ok: true, value: large });
  },

  async "a journal tells what settled, in order"(fixture) {
    const engine = await fixture.open();
    const flow: Flow = async (run) => {
      await run.step("a", () => 1);
      await run.step("b", () => assert.fail("no luck")).then(undefined, () => undefined);
      await run.sleep("nap", { at: 0 });
      return run.child("c", "child", null);
    };
    await engine.serve({ child: async () => 3 });
    await runOnce(engine, flow);
    const at = fixture.clock.now();
    assert.deepEqual(await engine.journal("r"), [
      { seq: 1, key: "a", kind: "step", at, value: { ok: true, value: 1 } },
      { seq: 2, key: "b", kind: "step", at, value: { ok: false, error: { message: "no luck" } } },
      { seq: 3, key: "nap", kind: "timer", at, value: null },
      { seq: 4, key: "c", kind: "child", at, value: { ok: true, value: 3 } },
    ]);
  },

  async "a sleep ends when its time has come, and not before"(fixture) {
    const engine = await fixture.open();
    const flow: Flow = async (run) => {
      await run.sleep("nap", { ms: 3_600_000 });
      return run.now("woke");
    };
    await begin(engine, flow);
    await inState(engine, "waiting");
    await fixture.clock.advance(seconds(3_599));
    await turn();
    assert.equal((await engine.status("r"))?.state, "waiting");
    const due = fixture.clock.now() + 1_000;
    await fixture.clock.advance(seconds(1));
    assert.equal((await engine.result("r")).result, due);
  },

  async "a child's value and failure reach its parent, which then goes on"(fixture) {
    const engine = await fixture.open();
    const error = new ToolpostError("model.failed", "no answer", { data: [1] });
    const flows: Record<string, Flow> = {
      good: async (run, input) => [run.id, input],
      bad: () => Promise.reject(error),
    };
    const flow: Flow = async (run) => {
      const caught = await run
        .child("b", "bad", null)
        .then(undefined, ({ message, code, data }) => [message, code, data]);
      return [await run.child("a", "good", 7), caught] as Json;
    };
    await engine.serve(flows);
    const record = await runOnce(engine, flow);
    assert.deepEqual(record.result, [
      ["r/a", 7],
      ["no answer", "model.failed", [1]],
    ]);
    const child = await engine.status("r/a");
    assert.deepEqual([child?.parent, child?.flow, child?.state], ["r", "good", "done"]);
  },

  async "children of one run go on side by side, and their steps are not those of the parent"(fixture) {
    const engine = await fixture.open();
    const held = [new Held(), new Held()];
    const child: Flow = async (run, input) => run.step("s", () => held[input as number]!.wait().then(() => input));
    const flow: Flow = async (run) =>
      run.all([run.child("0", "child", 0), run.child("1", "child", 1), run.step("s", () => 2)]) as unknown as Json;
    await engine.serve({ child });
    await begin(engine, flow);
    await Promise.all(held.map(({ begun }) => begun.promise));
    for (const each of held.toReversed()) each.release();
    assert.deepEqual((await engine.result("r")).result, [0, 1, 2]);
  },

  async "the end of a run cancels what it started and did not wait for"(fixture) {
    const engine = await fixture.open();
    const flow: Flow = async (run) => {
      run.child("c", "child", null);
      return run.step("s", () => "done");
    };
    await engine.serve({ child: async (run) => run.pause("ask", ask()) as never });
    assert.equal((await runOnce(engine, flow)).result, "done");
    assert.equal((await engine.result("r/c")).state, "cancelled");
    assert.deepEqual(await engine.pauses(), []);
  },

  async "runs of one lane go on one after the other, in the order they were started"(fixture) {
    const engine = await fixture.open();
    const order: string[] = [];
    const held = new Map(["1", "2", "3", "other"].map((id) => [id, new Held()]));
    const flow: Flow = async (run) => {
      await run.step("s", () => {
        order.push(`begin ${run.id}`);
        return held.get(run.id)!.wait();
      });
      const answer = await run.pause("ask", ask());
      order.push(`end ${run.id}`);
      return answer as never;
    };
    for (const runId of ["1", "2", "3"]) await engine.start({ flow: "flow", runId, input: null, lane: "l" });
    await engine.start({ flow: "flow", runId: "other", input: null, lane: "m" });
    await engine.serve({ flow });
    await held.get("other")!.begun.promise;
    assert.deepEqual(order, ["begin 1", "begin other"]);
    held.get("1")!.release();
    await paused(engine, 1, "1");
    assert.equal((await engine.status("2"))?.state, "queued");
    // One that is cancelled no longer holds up those behind it.
    assert.equal(await engine.cancel("2"), true);
    await engine.answer({ runId: "1", key: "ask" }, null);
    await held.get("3")!.begun.promise;
    assert.deepEqual(order, ["begin 1", "begin other", "end 1", "begin 3"]);
    assert.equal((await engine.status("2"))?.state, "cancelled");
  },

  async "an instance moves runs of its own version alone, and tells of others once"(fixture) {
    const engine = await fixture.open();
    const entries: LogEntry[] = [];
    const log = (entry: LogEntry) => void entries.push(entry);
    const flow = async (): Promise<Json> => "moved";
    for (const [runId, version] of [["none"], ["one", "1"], ["two", "2"], ["again", "1"], ["three", "3"]] as const) {
      await engine.start({ flow: "flow", runId, input: null, ...(version === undefined ? {} : { version }) });
    }
    await engine.serve({ flow }, { version: "2", log });
    assert.equal((await engine.result("two")).version, "2");
    await fixture.clock.advance(seconds(5));
    await engine.start({ flow: "flow", runId: "more", input: null, version: "2" });
    await engine.result("more");
    const states = await Promise.all(
      ["none", "one", "again", "three"].map(async (id) => (await engine.status(id))?.state),
    );
    assert.deepEqual(states, ["queued", "queued", "queued", "queued"]);
    assert.equal(entries.length, 3);
    const message = entries.map((entry) => entry.message).join("\n");
    assert.match(message, /version `1`/);
    assert.match(message, /serves `2`/);
    await engine.serve({ flow }, { version: "1", log });
    await engine.serve({ flow }, { log });
    for (const id of ["none", "one", "again"]) assert.equal((await engine.result(id)).state, "done");
  },

  async "runs of other versions that were cancelled are not told of"(fixture) {
    const engine = await fixture.open();
    const messages: string[] = [];
    for (const [runId, version] of [
      ["cancelled", "1"],
      ["left", "3"],
    ] as const)
      await engine.start({ flow: "flow", runId, input: null, version });
    await engine.cancel("cancelled");
    await engine.serve(
      { flow: async () => null },
      { version: "2", log: ({ message }: LogEntry) => void messages.push(message) },
    );
    await engine.start({ flow: "flow", runId: "r", input: null, version: "2" });
    await engine.result("r");
    assert.deepEqual(
      messages.map((message) => /version `(.)`/.exec(message)?.[1]),
      ["3"],
    );
  },

  async "a child is of its parent's version"(fixture) {
    const engine = await fixture.open();
    const flows: Record<string, Flow> = { flow: async (run) => run.child("c", "child", null), child: async () => 1 };
    await engine.serve(flows, { version: "7" });
    await engine.start({ flow: "flow", runId: "r", input: null, version: "7" });
    assert.equal((await engine.result("r")).result, 1);
    assert.equal((await engine.status("r/c"))?.version, "7");
  },

  async "runs are listed newest first, by state, flow, lane and what is above them"(fixture) {
    const engine = await fixture.open();
    const flow: Flow = async (run) => run.child("c", "child", null);
    await engine.serve({ child: async () => 1, other: async () => 2 });
    await runOnce(engine, flow, { runId: "a", lane: "l" });
    await runOnce(engine, flow, { runId: "ab" });
    await engine.start({ flow: "unserved", runId: "z", input: null, lane: "l" });
    const ids = async (filter: Parameters<typeof engine.list>[0]) =>
      (await engine.list(filter)).map(({ runId }) => runId);
    assert.deepEqual(await ids({}), ["z", "ab/c", "ab", "a/c", "a"]);
    assert.deepEqual(await ids({ limit: 2 }), ["z", "ab/c"]);
    assert.deepEqual(await ids({ under: "a" }), ["a/c", "a"]);
    assert.deepEqual(await ids({ prefix: "ab" }), ["ab/c", "ab"]);
    assert.deepEqual(await ids({ prefix: "a", states: ["done"], under: "a" }), ["a/c", "a"]);
    assert.deepEqual(await ids({ prefix: "b" }), []);
    assert.deepEqual(await ids({ lane: "l" }), ["z", "a"]);
    assert.deepEqual(await ids({ states: ["queued", "failed"] }), ["z"]);
    assert.deepEqual(await ids({ flow: "child", states: ["done"], under: "ab" }), ["ab/c"]);
    assert.deepEqual(await ids({ states: [] }), []);
  },

  async "old ended runs are deleted with all below them, others stay"(fixture) {
    const engine = await fixture.open();
    const large = "x".repeat(100_000);
    const flow: Flow = async (run) => run.child("c", "child", large);
    await engine.serve({ child: async (_run, input) => input });
    await runOnce(engine, flow, { runId: "old" });
    await begin(engine, async (run) => run.pause("ask", ask()) as never, { runId: "waits", flow: "waiting" });
    await paused(engine, 1, "waits");
    await fixture.clock.advance(hours(1));
    const endedBefore = fixture.clock.now();
    await runOnce(engine, flow, { runId: "new" });
    assert.equal(await engine.prune({ endedBefore }), 2);
    assert.equal(await engine.prune({ endedBefore }), 0);
    assert.deepEqual(
      (await engine.list()).map(({ runId }) => runId),
      ["new/c", "new", "waits"],
    );
    assert.deepEqual([await engine.status("old"), await engine.journal("old")], [undefined, []]);
    assert.equal((await engine.status("new"))?.result, large);
    assert.deepEqual(await engine.start({ flow: "flow", runId: "old", input: null }), { fresh: true });
  },

  async "an engine that is closed says so"(fixture) {
    const engine = await fixture.open();
    await engine.start({ flow: "flow", runId: "r", input: null });
    const waiting = engine.result("r");
    const told = assert.rejects(waiting, { code: "engine.closed" });
    await engine.close();
    await told;
    await engine.close();
    const uses = [
      () => engine.start({ flow: "flow", runId: "s", input: null }),
      () => engine.status("r"),
      () => engine.result("r"),
      () => engine.list(),
      () => engine.journal("r"),
      () => engine.pauses(),
      () => engine.answer({ runId: "r", key: "k" }, null),
      () => engine.cancel("r"),
      () => engine.prune({ endedBefore: 0 }),
      () => engine.serve({}),
    ];
    for (const use of uses) await assert.rejects(use(), { code: "engine.closed" });
  },

  async "every stored payload passes the codec, and one that cannot be decoded is refused in words"(fixture) {
    let isBroken = false;
    const flip = (bytes: Uint8Array): Uint8Array => bytes.map((byte) => byte ^ 0xff);
    const decode = (bytes: Uint8Array): Uint8Array => (isBroken ? bytes : flip(bytes));
    const engine = await fixture.open({ codec: { encode: flip, decode } });
    const large = "x".repeat(100_000);
    const flow: Flow = async (run, input) => {
      const answer = await run.pause("ask", ask(input));
      return [await run.step("s", () => large), answer] as Json;
    };
    await begin(engine, flow, { input: "in" });
    await paused(engine, 1);
    await engine.answer({ runId: "r", key: "ask" }, "yes", "me");
    assert.deepEqual((await engine.result("r")).result, [large, { type: "answer", value: "yes" }]);
    const [pause] = await engine.pauses({ answered: true });
    assert.deepEqual([pause?.request.data, pause?.answeredBy], ["in", "me"]);
    isBroken = true;
    await assert.rejects(engine.status("r"), { code: "engine.unreadable" });
    await assert.rejects(engine.journal("r"), { code: "engine.unreadable" });
    await until(() => true);
  },
};
