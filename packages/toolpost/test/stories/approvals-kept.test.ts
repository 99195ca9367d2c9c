// Approvals in a file: asked by one process, answered by another, found by a third; as applications on one SQLite file.
// What is closed or left standing here is what a deploy or a crash leaves.

import assert from "node:assert/strict";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { z } from "zod";
import { defineAgent } from "../../src/agent/define-agent.ts";
import type { AppOptions } from "../../src/app/app-options.ts";
import type { App } from "../../src/app/create-app.ts";
import { createApp } from "../../src/app/create-app.ts";
import { defineTool } from "../../src/author/define-tool.ts";
import type { Ask, Channel, ChannelAnswer } from "../../src/core/approval.ts";
import { awaitReply, decided } from "../../src/core/approval.ts";
import type { AnyTool } from "../../src/core/tool.ts";
import { sqlite } from "../../src/durable/sqlite/sqlite-engine.ts";
import { scriptedModel } from "../../src/models/scripted-model.ts";
import { hours, minutes, seconds } from "../../src/std/units.ts";
import type { FakeClock } from "../../src/testing/fake-clock.ts";
import { fakeClock } from "../../src/testing/fake-clock.ts";
import { temporaryFolder } from "../lib/temporary-tree.ts";
import { until } from "./support.ts";

const owner = { ownerId: "u-1" };
const user = { id: "u-1" };

/** One process: an application on the file, with what its tool did. */
interface Office {
  readonly app: App;
  readonly refunded: unknown[];
  readonly policyAsked: unknown[];
  readonly clock: FakeClock;
}

interface OfficeOptions {
  readonly calls?: readonly object[];
  readonly description?: string;
  readonly approvals?: AppOptions["approvals"];
  readonly clock?: FakeClock;
  readonly tool?: object;
}

/** Opens applications on one file; each has its own tools and its own model, which says the same in each. */
function building(t: TestContext): (options?: OfficeOptions) => Office {
  const path = join(temporaryFolder(t), "runs.db");
  const startedAt = Date.UTC(2026, 0, 1);
  return ({ calls = [{ cents: 5 }], description = "Refunds", approvals, clock = fakeClock(startedAt), tool } = {}) => {
    const [refunded, policyAsked]: [unknown[], unknown[]] = [[], []];
    const refund = defineTool({
      name: "refund",
      description,
      input: z.object({ cents: z.number(), note: z.string().optional() }),
      policy: ({ input }) => {
        policyAsked.push(input.cents);
        return "needs-approval";
      },
      execute: (input) => {
        refunded.push(input);
        return `refunded ${input.cents}`;
      },
      ...tool,
    }) as AnyTool;
    const model = scriptedModel(({ lastResults }) =>
      lastResults.length === 0 ? { calls: calls.map((input) => ({ name: "refund", input })) } : "done",
    );
    const agent = defineAgent({ name: "office", description: "Refunds", model, tools: [refund] });
    const app = createApp({
      agents: [agent],
      engine: sqlite(path),
      clock,
      log: () => undefined,
      ...(approvals && { approvals }),
    });
    t.after(() => app.close());
    return { app, refunded, policyAsked, clock };
  };
}

/** The ids of what waits, once the run has come to wait. */
async function waitingIds({ app }: Office): Promise<readonly string[]> {
  assert.equal((await app.run("office", "go", { user })).status, "waiting");
  return (await app.approvals()).map(({ pauseId }) => pauseId);
}

for (const first of ["approve", "decline"] as const) {
  test(`${first} first, and the other at once from another process: one wins, the other is told so`, async (t) => {
    const open = building(t);
    const [here, there] = [open(), open()];
    const [pauseId = ""] = await waitingIds(here);
    const [{ runId } = { runId: "" }] = await here.app.approvals();
    const second = first === "approve" ? "decline" : "approve";
    const given = await Promise.allSettled([
      there.app.answer({ pauseId, decision: first }, owner),
      here.app.answer({ pauseId, decision: second }, { operator: "ops" }),
    ]);
    const codes = given.map((each) => (each.status === "fulfilled" ? "accepted" : each.reason.code));
    assert.deepEqual(codes.toSorted(), ["accepted", "approval.already-answered"]);
    const [decision, by] = codes[0] === "accepted" ? [first, owner] : [second, { operator: "ops" }];
    // Whoever awaits the run in one process learns of another's answer when the run goes on.
    await until(async () => ((await here.app.inspect(runId))?.state === "done" ? true : undefined));
    assert.deepEqual([...here.refunded, ...there.refunded], decision === "approve" ? [{ cents: 5 }] : []);
    const [record] = await there.app.approvals({ answered: true, pauseId });
    const told = [record?.state, record?.answer, record?.answeredBy];
    assert.deepEqual(told, ["answered", { type: "answer", value: { decision } }, by]);
    await assert.rejects(there.app.answer({ pauseId, decision: second }, owner), { code: "approval.already-answered" });
  });
}

test("an approval that expired with nobody alive is refused, and the call has not run when the run goes on", async (t) => {
  const open = building(t);
  const approvals = { expireAfter: hours(8) };
  const before = open({ approvals });
  const [pauseId = ""] = await waitingIds(before);
  const [{ runId } = { runId: "" }] = await before.app.approvals();
  await before.app.close();
  const clock = fakeClock(before.clock.now());
  const after = open({ approvals, clock });
  await clock.advance(hours(8));
  assert.deepEqual(await after.app.approvals(), []);
  await assert.rejects(after.app.answer({ pauseId, decision: "approve" }, owner), { code: "approval.expired" });
  await after.app.start();
  const { calls, text } = await after.app.attach(runId);
  assert.deepEqual(
    calls.map((call) => [call.status, call.errorCode, call.text]),
    [["declined", "approval.expired", "Tool error: nobody approved the call in time"]],
  );
  assert.deepEqual([text, after.refunded], ["done", []]);
  const [record] = await after.app.approvals({ answered: true });
  // Whoever came too late did not answer it.
  assert.deepEqual([record?.state, record?.answeredBy], ["expired", undefined]);
});

test("an answer to a pause of a megabyte lands after a restart, edit and all", async (t) => {
  const note = "n".repeat(1_024 * 1_024);
  for (const [edit, expected] of [
    [undefined, { cents: 5, note }],
    [
      { cents: 6, note: `${note}!` },
      { cents: 6, note: `${note}!` },
    ],
  ] as const) {
    const open = building(t);
    const calls = [{ cents: 5, note }];
    const before = open({ calls });
    const [pauseId = ""] = await waitingIds(before);
    await before.app.close();
    const after = open({ calls });
    const [record] = await after.app.approvals();
    assert.deepEqual(record?.value.kind === "approval" && record.value.arguments, { cents: 5, note });
    const answer = { pauseId, decision: "approve", ...(edit && { arguments: edit }) } as const;
    const { text } = await after.app.resume(answer, owner);
    assert.deepEqual([text, before.refunded, after.refunded], ["done", [], [expected]]);
  }
});

for (const [what, change] of [
  ["description", { description: "Refunds, and tells the press" }],
  [
    "input schema",
    {
      tool: {
        input: z.object({ cents: z.number(), note: z.string().optional(), currency: z.string().default("EUR") }),
      },
    },
  ],
] as const) {
  test(`a tool whose ${what} changed between ask and answer is asked about anew`, async (t) => {
    const open = building(t);
    const before = open();
    const [old = ""] = await waitingIds(before);
    await before.app.close();
    const after = open(change);
    const second = await after.app.resume({ pauseId: old, decision: "approve" }, owner);
    assert.deepEqual([second.status, after.refunded], ["waiting", []]);
    const [pause] = second.pending;
    assert.notEqual(pause?.pauseId, old);
    assert.equal(
      pause?.value.kind === "approval" && pause.value.description,
      "description" in change ? change.description : "Refunds",
    );
    await assert.rejects(after.app.answer({ pauseId: old, decision: "approve" }, owner), {
      code: "approval.already-answered",
    });
    const last = await after.app.resume({ pauseId: pause?.pauseId ?? "", decision: "approve" }, owner);
    assert.deepEqual([last.text, after.refunded.length], ["done", 1]);
    assert.deepEqual(
      (await after.app.approvals({ answered: true })).map(({ state, pauseId }) => [state, pauseId]),
      [
        ["answered", old],
        ["answered", pause?.pauseId],
      ],
    );
  });
}

test("what a channel decided is decided anew where the tool changed before it ran", async (t) => {
  const open = building(t);
  const asks: Ask[] = [];
  const calls = [{ cents: 5 }, { cents: 6 }];
  const clerk: Channel = {
    name: "clerk",
    send: (asked) => {
      asks.push(asked);
      return asked.value.kind === "approval" && (asked.value.arguments as { cents: number }).cents === 5
        ? decided({ decision: "approve" })
        : awaitReply();
    },
  };
  const before = open({ calls, approvals: { channel: clerk } });
  await waitingIds(before);
  assert.deepEqual([before.refunded, asks.length], [[{ cents: 5 }], 2]);
  await before.app.close();
  const after = open({ calls, approvals: { channel: clerk }, description: "Refunds, and tells the press" });
  const pauseId = asks[1]?.pauseId ?? "";
  const second = await after.app.resume({ pauseId, decision: "approve" }, { answeredBy: "m-1" });
  // What ran has run; what had not is asked about as it is now.
  assert.deepEqual([second.status, after.refunded, asks.length], ["waiting", [], 3]);
  assert.equal(asks[2]?.value.kind === "approval" && asks[2].value.description, "Refunds, and tells the press");
});

test("an approval given while nobody was alive is used once, and neither person nor policy is asked again", async (t) => {
  const open = building(t);
  const before = open({ calls: [{ cents: 5 }, { cents: 6 }] });
  const [first = "", second = ""] = await waitingIds(before);
  const [{ runId } = { runId: "" }] = await before.app.approvals();
  assert.deepEqual(before.policyAsked, [5, 6]);
  await before.app.close();
  const between = open({ calls: [{ cents: 5 }, { cents: 6 }] });
  await between.app.answer({ pauseId: first, decision: "approve" }, owner);
  await between.app.answer({ pauseId: second, decision: "approve" }, { operator: "ops" });
  await between.app.close();
  assert.deepEqual(between.refunded, []);
  const after = open({ calls: [{ cents: 5 }, { cents: 6 }] });
  await after.app.start();
  const { text, status } = await after.app.attach(runId);
  assert.deepEqual([status, text, after.policyAsked], ["done", "done", []]);
  assert.deepEqual(after.refunded, [{ cents: 5 }, { cents: 6 }]);
  assert.deepEqual(
    (await after.app.inspect(runId))?.approvals.map(({ answeredBy }) => answeredBy),
    [owner, { operator: "ops" }],
  );
});

test("what a channel decided stays on record after the run, for every process", async (t) => {
  const open = building(t);
  const clerk: Channel = { name: "clerk", send: () => decided({ decision: "approve", comment: "small" }) };
  const before = open({ approvals: { channel: clerk } });
  const { runId, text } = await before.app.run("office", "go", { user });
  assert.deepEqual([text, before.refunded], ["done", [{ cents: 5 }]]);
  await before.app.close();
  const after = open();
  const [record, ...more] = await after.app.approvals({ answered: true, under: runId });
  assert.deepEqual(more, []);
  assert.deepEqual(
    [record?.state, record?.answer, record?.answeredAt, record?.answeredBy, record?.isChannelAsked],
    [
      "answered",
      { type: "answer", value: { decision: "approve", comment: "small" } },
      before.clock.now(),
      { channel: "clerk" },
      true,
    ],
  );
});

test("a question that a crash cut off is sent again with the same id, and the late word of the first counts for nothing", async (t) => {
  const open = building(t);
  const first = Promise.withResolvers<ChannelAnswer>();
  const asks: Ask[] = [];
  const channel = (answer: (asked: Ask) => ChannelAnswer | Promise<ChannelAnswer>): Channel => ({
    name: "post",
    send: (asked) => {
      asks.push(asked);
      return answer(asked);
    },
  });
  const sent = Promise.withResolvers<void>();
  const before = open({
    approvals: {
      channel: channel(() => {
        sent.resolve();
        return first.promise;
      }),
    },
  });
  const run = before.app.run("office", "go", { user });
  const lost = assert.rejects(Promise.resolve(run), { code: "run.lease-lost" });
  await sent.promise;
  // As on another machine, after the lease of the first, which does not know yet.
  const clock = fakeClock(before.clock.now() + minutes(1).ms);
  const after = open({ clock, approvals: { channel: channel(() => awaitReply()) } });
  await after.app.start();
  const { pending } = await after.app.attach(run.runId);
  assert.deepEqual([pending.length, asks.length], [1, 2]);
  assert.equal(asks[1]?.pauseId, asks[0]?.pauseId);
  assert.deepEqual(asks[1]?.value, asks[0]?.value);
  first.resolve(decided({ decision: "approve" }));
  await before.clock.advance(seconds(31));
  await lost;
  assert.equal((await after.app.approvals())[0]?.state, "waiting");
  const answer = { pauseId: asks[0]?.pauseId ?? "", decision: "decline" } as const;
  await after.app.resume(answer, { answeredBy: "m-1" });
  assert.deepEqual([before.refunded, after.refunded], [[], []]);
});
