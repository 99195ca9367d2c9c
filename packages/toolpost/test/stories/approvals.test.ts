// Approvals from the question to the answer: who may answer what, what an answer does, what is on record of it.
// In memory and on an engine it is the same.

import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { z } from "zod";
import type { Agent } from "../../src/agent/define-agent.ts";
import type { AppOptions } from "../../src/app/app-options.ts";
import type { ApprovalRecord } from "../../src/app/app-runs.ts";
import type { App } from "../../src/app/create-app.ts";
import type { PauseAnswer, PauseAnswerer } from "../../src/app/pause-answer.ts";
import { AutoApproveChannel } from "../../src/approvals/auto-approve-channel.ts";
import { AutoRejectChannel } from "../../src/approvals/auto-reject-channel.ts";
import { defineTool } from "../../src/author/define-tool.ts";
import type { Ask, Channel, ChannelAnswer } from "../../src/core/approval.ts";
import { awaitReply, decided } from "../../src/core/approval.ts";
import { ask } from "../../src/core/result.ts";
import type { Engine } from "../../src/core/run.ts";
import type { RunResult } from "../../src/core/run-result.ts";
import type { AnyTool } from "../../src/core/tool.ts";
import { memoryEngine } from "../../src/durable/sqlite/sqlite-engine.ts";
import { minutes } from "../../src/std/units.ts";
import { fakeClock } from "../../src/testing/fake-clock.ts";
import type { Replies } from "./support.ts";
import { desk, until } from "./support.ts";

const user = { id: "u-1" };
const owner = { ownerId: "u-1" };

interface Till {
  readonly refund: AnyTool;
  /** The amounts that were refunded, in order. */
  readonly refunded: number[];
}

function till(more: object = {}): Till {
  const refunded: number[] = [];
  const refund = defineTool({
    name: "refund",
    description: "Refunds",
    input: z.object({ cents: z.number().int().default(1) }),
    policy: "needs-approval",
    execute: ({ cents }) => {
      refunded.push(cents);
      return `refunded ${cents}`;
    },
    ...more,
  }) as AnyTool;
  return { refund, refunded };
}

/** A channel that passes questions on, and keeps them. */
class Post implements Channel {
  readonly name = "post";
  readonly asks: Ask[] = [];
  send(asked: Ask): ChannelAnswer {
    this.asks.push(asked);
    return awaitReply();
  }
}

const refunds = (...cents: readonly number[]): Replies => [
  { calls: cents.map((each) => ({ name: "refund", input: { cents: each } })) },
  "done",
];

for (const [where, engine] of [
  ["in memory", (): Engine | undefined => undefined],
  ["on an engine", (): Engine | undefined => memoryEngine()],
] as const) {
  describe(`approvals ${where}`, () => {
    /** An application, a run of it that has come to wait, and what waits. */
    const started = async (
      t: { after(fn: () => Promise<void>): void },
      replies: Replies,
      tools: readonly AnyTool[],
      options: Partial<AppOptions> = {},
    ): Promise<{ app: App; agent: Agent; first: RunResult; ids: readonly string[] }> => {
      const kept = engine();
      const { app, agent } = desk(replies, tools, { app: { ...(kept && { engine: kept }), ...options } });
      t.after(() => app.close());
      const first = await app.run(agent, "go", { user });
      return { app, agent, first, ids: (await app.approvals()).map(({ pauseId }) => pauseId) };
    };
    const texts = ({ calls }: RunResult): string[] => calls.map(({ text }) => text);
    const refused = async (app: App, answer: PauseAnswer, by: PauseAnswerer): Promise<string> => {
      const codes = new Set<string>();
      for (const attempt of [app.answer(answer, by), app.resume(answer, by)])
        await assert.rejects(
          Promise.resolve(attempt),
          (error: { code: string }) => codes.add(error.code) !== undefined,
        );
      assert.equal(codes.size, 1);
      return [...codes][0] ?? "";
    };
    const told = ({ state, answer, answeredBy, answeredAt }: ApprovalRecord): unknown[] => [
      state,
      answer?.type === "answer" ? answer.value : answer?.type,
      answeredBy,
      typeof answeredAt,
    ];

    it("are the owner's to give, and on record with who gave them", async (t) => {
      const { refund, refunded } = till();
      const { app, first, ids } = await started(t, refunds(5, 6), [refund]);
      assert.deepEqual(
        first.pending.map(({ pauseId, value }) => [pauseId, value.kind, value.kind === "approval" && value.arguments]),
        [
          [ids[0], "approval", { cents: 5 }],
          [ids[1], "approval", { cents: 6 }],
        ],
      );
      const pauseId = ids[0] ?? "";
      for (const [answer, by, code] of [
        [{ decision: "approve" }, { ownerId: "u-2" }, "approval.unknown-pause"],
        [{ decision: "approve" }, {}, "approval.unknown-pause"],
        [{ decision: "approve" }, { answeredBy: "m-1" }, "approval.unknown-pause"],
        [{ decision: "approve" }, { operator: "" }, "approval.wrong-answerer"],
        [{ reply: "yes" }, owner, "approval.invalid-answer"],
        [{ decision: "yes" }, owner, "approval.invalid-answer"],
      ] as const)
        assert.equal(await refused(app, { pauseId, ...answer } as PauseAnswer, by), code);
      assert.equal(await refused(app, { pauseId: "pause_x", decision: "approve" }, owner), "approval.unknown-pause");
      assert.deepEqual([refunded, (await app.approvals()).length], [[], 2]);
      const { status } = await app.resume({ pauseId, decision: "approve", comment: "fine" }, owner);
      assert.deepEqual([status, refunded], ["waiting", [5]]);
      const records = await app.approvals({ answered: true });
      assert.deepEqual(records.map(told), [
        ["answered", { decision: "approve", comment: "fine" }, { ownerId: "u-1" }, "number"],
        ["waiting", undefined, undefined, "undefined"],
      ]);
      assert.deepEqual((await app.inspect(first.runId))?.approvals, records);
      assert.deepEqual(await app.approvals({ answered: true, pauseId }), [records[0]]);
      assert.equal((await app.resume({ pauseId: ids[1] ?? "", decision: "approve" }, owner)).status, "done");
    });

    it("of a run without a user are nobody's who names an owner", async (t) => {
      const { refund, refunded } = till();
      const kept = engine();
      const { app, agent } = desk(refunds(5), [refund], { app: kept === undefined ? {} : { engine: kept } });
      t.after(() => app.close());
      const [pause] = (await app.run(agent, "go")).pending;
      const answer = { pauseId: pause?.pauseId ?? "", decision: "approve" } as const;
      assert.equal(await refused(app, answer, { ownerId: "eve" }), "approval.unknown-pause");
      assert.deepEqual([(await app.resume(answer, {})).status, refunded], ["done", [5]]);
    });

    it("that a channel asks for are given with the id, which it alone was told, and a name", async (t) => {
      const { refund, refunded } = till();
      const post = new Post();
      const { app, first } = await started(t, refunds(5, 6), [refund], { approvals: { channel: post } });
      assert.deepEqual(
        first.pending.map(({ pauseId }) => pauseId),
        [undefined, undefined],
      );
      const [{ pauseId } = { pauseId: "" }] = post.asks;
      for (const [answer, by, code] of [
        [{ decision: "approve" }, owner, "approval.wrong-answerer"],
        [{ decision: "approve" }, { answeredBy: "" }, "approval.wrong-answerer"],
        [{ reply: 1 }, { answeredBy: "m-1" }, "approval.invalid-answer"],
      ] as const)
        assert.equal(await refused(app, { pauseId, ...answer } as PauseAnswer, by), code);
      assert.deepEqual([refunded, (await app.approvals()).length], [[], 2]);
      await app.resume({ pauseId, decision: "decline" }, { answeredBy: "m-1" });
      assert.deepEqual((await app.approvals({ answered: true })).map(told), [
        ["answered", { decision: "decline" }, { answeredBy: "m-1" }, "number"],
        ["waiting", undefined, undefined, "undefined"],
      ]);
      assert.deepEqual(refunded, []);
    });

    it("may be given by an operator, whoever was asked", async (t) => {
      const { refund } = till();
      const letter = till({ name: "letter", channel: "post" }).refund;
      const calls = [{ name: "refund" }, { name: "letter" }, { name: "refund" }];
      const approvals = { channels: [new Post()] };
      const { app, ids } = await started(t, [{ calls }, "done"], [refund, letter], { approvals });
      // In the order of asking: the channel was asked behind the owner.
      for (const pauseId of ids.slice(0, 2)) await app.answer({ pauseId, decision: "decline" }, { operator: "ops" });
      const records = await app.approvals({ answered: true });
      assert.deepEqual(
        records.map(({ answeredBy }) => answeredBy),
        [{ operator: "ops" }, { operator: "ops" }, undefined],
      );
    });

    it("of two calls of one tool go each to its own call, in any order", async (t) => {
      for (const order of [
        [0, 1],
        [1, 0],
      ]) {
        const { refund, refunded } = till();
        const { app, ids } = await started(t, refunds(5, 6), [refund]);
        const answers = [
          { pauseId: ids[0] ?? "", decision: "approve", arguments: { cents: 4 } },
          { pauseId: ids[1] ?? "", decision: "decline", comment: "too much" },
        ] as const;
        let last: RunResult | undefined;
        for (const index of order) last = await app.resume(answers[index] as PauseAnswer, owner);
        assert.ok(last);
        assert.deepEqual(texts(last), ["refunded 4", "Tool error: the call was declined: too much"]);
        assert.deepEqual([last.status, refunded], ["done", [4]]);
      }
    });

    it("given to two of three let those two run, and the third waits on", async (t) => {
      const { refund, refunded } = till();
      const { app, first, ids } = await started(t, refunds(5, 6, 7), [refund]);
      await app.answer({ pauseId: ids[2] ?? "", decision: "approve" }, owner);
      const second = await app.resume({ pauseId: ids[0] ?? "", decision: "approve" }, owner);
      assert.deepEqual(
        [second.status, second.pending.map(({ pauseId }) => pauseId), second.steps],
        ["waiting", [ids[1]], 1],
      );
      assert.deepEqual(refunded.sort(), [5, 7]);
      const third = await app.resume({ pauseId: ids[1] ?? "", decision: "approve" }, owner);
      assert.deepEqual(texts(third), ["refunded 5", "refunded 6", "refunded 7"]);
      assert.equal(third.runId, first.runId);
    });

    it("count once: a second answer is told so, and the call runs once", async (t) => {
      const { refund, refunded } = till();
      const { app, ids } = await started(t, refunds(5, 6), [refund]);
      const pauseId = ids[0] ?? "";
      const given = await Promise.allSettled([
        app.answer({ pauseId, decision: "approve" }, owner),
        app.answer({ pauseId, decision: "decline" }, owner),
        app.answer({ pauseId, decision: "approve" }, { operator: "ops" }),
      ]);
      assert.deepEqual(
        given.map((each) => (each.status === "fulfilled" ? "accepted" : each.reason.code)),
        ["accepted", "approval.already-answered", "approval.already-answered"],
      );
      assert.equal(await refused(app, { pauseId, decision: "decline" }, owner), "approval.already-answered");
      // To a stranger there is still none.
      const stranger = { ownerId: "u-2" };
      assert.equal(await refused(app, { pauseId, decision: "approve" }, stranger), "approval.unknown-pause");
      const last = await app.resume({ pauseId: ids[1] ?? "", decision: "approve" }, owner);
      assert.deepEqual(
        [texts(last), refunded],
        [
          ["refunded 5", "refunded 6"],
          [5, 6],
        ],
      );
      assert.equal(await refused(app, { pauseId, decision: "approve" }, owner), "approval.already-answered");
    });

    it("without an edit run what was asked for; an edit, empty or not, is validated and decided again", async (t) => {
      const policy = ({ input }: { input: { cents: number } }) => (input.cents > 100 ? "deny" : "needs-approval");
      for (const [edit, text, ran] of [
        [undefined, "refunded 5", [5]],
        [{ arguments: undefined }, "refunded 5", [5]],
        [{ arguments: {} }, "refunded 1", [1]],
        [{ arguments: { cents: 7 } }, "refunded 7", [7]],
        [{ arguments: { cents: "7" } }, /^Tool error: invalid input: cents: /, []],
        [{ arguments: null }, /^Tool error: invalid input: /, []],
        [{ arguments: { cents: 101 } }, "Tool error: this call is not allowed", []],
      ] as const) {
        const { refund, refunded } = till({ policy });
        const { app, ids } = await started(t, refunds(5), [refund]);
        const answer = { pauseId: ids[0] ?? "", decision: "approve", ...edit } as PauseAnswer;
        const [said = ""] = texts(await app.resume(answer, owner));
        if (typeof text === "string") assert.equal(said, text);
        else assert.match(said, text);
        assert.deepEqual(refunded, ran);
      }
    });

    it("are consumed once: nobody is asked again, and the policy is not, about a call that was decided", async (t) => {
      const asked: number[] = [];
      const policy = ({ input }: { input: { cents: number } }): "needs-approval" => {
        asked.push(input.cents);
        return "needs-approval";
      };
      const { refund, refunded } = till({ policy });
      const call = (cents: number) => ({ calls: [{ name: "refund", input: { cents } }] });
      const { app, ids } = await started(t, [call(5), call(5), call(6), "done"], [refund]);
      let last = await app.resume({ pauseId: ids[0] ?? "", decision: "approve" }, owner);
      // The same call once more is another call.
      for (const cents of [5, 6]) {
        const [pause] = last.pending;
        assert.equal(last.pending.length, 1);
        assert.deepEqual(pause?.value.kind === "approval" && pause.value.arguments, { cents });
        last = await app.resume({ pauseId: pause?.pauseId ?? "", decision: "approve" }, owner);
      }
      assert.deepEqual([last.status, refunded, asked], ["done", [5, 5, 6], [5, 5, 6]]);
    });

    it("that came to nothing are stale: the model's next call is another pause, and runs nothing of the old one", async (t) => {
      const clock = fakeClock(1_000);
      const { refund, refunded } = till();
      const replies: Replies = [
        { calls: [{ name: "refund", input: { cents: 5 } }] },
        { calls: [{ name: "refund", input: { cents: 5 } }] },
        "done",
      ];
      const options = { clock, approvals: { expireAfter: minutes(5) } };
      const { app, agent, first, ids } = await started(t, replies, [refund], options);
      const old = ids[0] ?? "";
      await clock.advance(minutes(5));
      const [current] = await until(async () => {
        const waiting = await app.approvals();
        return waiting.length === 1 && waiting[0]?.pauseId !== old ? waiting : undefined;
      });
      assert.equal(await refused(app, { pauseId: old, decision: "approve" }, owner), "approval.expired");
      assert.deepEqual(refunded, []);
      const records = await app.approvals({ answered: true });
      assert.deepEqual(records.map(told), [
        ["expired", "expired", undefined, "number"],
        ["waiting", undefined, undefined, "undefined"],
      ]);
      assert.equal(records[0]?.answeredAt, 1_000 + minutes(5).ms);
      const last = await app.resume({ pauseId: current?.pauseId ?? "", decision: "approve" }, owner);
      assert.deepEqual(texts(last), ["Tool error: nobody approved the call in time", "refunded 5"]);
      assert.deepEqual([last.runId, refunded, agent.name], [first.runId, [5], "desk"]);
    });

    it("are over where a sibling ends the run: a late answer runs nothing", async (t) => {
      const { refund, refunded } = till();
      const handOver = till({ name: "hand_over", endsRun: true }).refund;
      const calls = [{ name: "refund" }, { name: "hand_over" }];
      const { app, ids } = await started(t, [{ calls }, "bye"], [refund, handOver]);
      const last = await app.resume({ pauseId: ids[1] ?? "", decision: "approve" }, owner);
      assert.deepEqual([last.status, last.endedByTool], ["done", "hand_over"]);
      assert.equal(await refused(app, { pauseId: ids[0] ?? "", decision: "approve" }, owner), "approval.unknown-pause");
      assert.deepEqual(refunded, []);
    });

    it("that are slow hold back no sibling, and show at once", async (t) => {
      const { refund, refunded } = till();
      const held = Promise.withResolvers<void>();
      const quick = defineTool({ name: "quick", description: "Q", input: z.object({}), execute: () => "quick" });
      const slow = defineTool({
        name: "slow",
        description: "S",
        input: z.object({}),
        execute: async () => {
          await held.promise;
          return "slow";
        },
      });
      const calls = [{ name: "refund" }, { name: "quick" }, { name: "slow" }];
      const kept = engine();
      const { app, agent } = desk([{ calls }, "done"], [refund, quick as AnyTool, slow as AnyTool], {
        app: kept && { engine: kept },
      });
      t.after(() => app.close());
      const run = app.run(agent, "go", { user });
      const ended: string[] = [];
      for await (const event of run.events) {
        if (event.type === "tool-call-end") ended.push(event.tool);
        // While its sibling is at work the pause stands, and can be answered.
        if (event.type === "approval-request") {
          const { pauseId = "" } = event.pause;
          assert.deepEqual(
            (await app.approvals()).map((each) => each.pauseId),
            [pauseId],
          );
          await app.answer({ pauseId, decision: "approve" }, owner);
        }
        if (event.type === "tool-call-end" && event.tool === "refund") held.resolve();
      }
      assert.deepEqual([ended.at(-1), ended.toSorted()], ["slow", ["quick", "refund", "slow"]]);
      assert.deepEqual([texts(await run), refunded], [["refunded 1", "quick", "slow"], [1]]);
    });

    it("that a channel decides are on record as answered by it, edit and comment included", async (t) => {
      const { refund, refunded } = till();
      const answers: ChannelAnswer[] = [
        decided({ decision: "approve", arguments: { cents: 4 }, comment: "a little less" }),
        decided({ decision: "decline", comment: "no" }),
        awaitReply(),
      ];
      const asks: Ask[] = [];
      const clerk: Channel = {
        name: "clerk",
        send: (asked) => {
          asks.push(asked);
          return answers[asks.length - 1] as ChannelAnswer;
        },
      };
      const clock = fakeClock(1_000);
      const options = { clock, approvals: { channel: clerk, expireAfter: minutes(5) } };
      const { app, first } = await started(t, refunds(5, 6, 7), [refund], options);
      assert.equal(first.pending.length, 1);
      const records = await app.approvals({ answered: true });
      assert.deepEqual(
        records.map(({ pauseId }) => pauseId),
        asks.map(({ pauseId }) => pauseId),
      );
      assert.deepEqual(records[0], {
        pauseId: asks[0]?.pauseId,
        runId: first.runId,
        state: "answered",
        value: JSON.parse(JSON.stringify(asks[0]?.value)),
        isChannelAsked: true,
        ownerId: "u-1",
        askedAt: 1_000,
        expiresAt: 1_000 + minutes(5).ms,
        answer: {
          type: "answer",
          value: { decision: "approve", arguments: { cents: 4 }, comment: "a little less" },
        },
        answeredAt: 1_000,
        answeredBy: { channel: "clerk" },
      });
      assert.deepEqual(records.slice(1).map(told), [
        ["answered", { decision: "decline", comment: "no" }, { channel: "clerk" }, "number"],
        ["waiting", undefined, undefined, "undefined"],
      ]);
      assert.deepEqual(refunded, [4]);
      const closed = asks[1]?.pauseId ?? "";
      const by = { answeredBy: "m-1" };
      assert.equal(await refused(app, { pauseId: closed, decision: "approve" }, by), "approval.already-answered");
      // A decision waits for nobody: when its time is over, nothing of it is.
      await app.resume({ pauseId: asks[2]?.pauseId ?? "", decision: "approve" }, by);
      assert.deepEqual(refunded, [4, 7]);
    });

    it("may be given by others while a channel is still asking, which then lets go", async (t) => {
      const { refund, refunded } = till();
      const asks: Ask[] = [];
      const reasons: unknown[] = [];
      const slow: Channel = {
        name: "slow",
        send: (asked, { signal }) => {
          asks.push(asked);
          return new Promise((_, reject) =>
            signal.addEventListener("abort", () => {
              reasons.push(signal.reason);
              reject(signal.reason);
            }),
          );
        },
      };
      const kept = engine();
      const { app, agent } = desk(refunds(5, 6), [refund], {
        app: { ...(kept && { engine: kept }), approvals: { channel: slow } },
      });
      t.after(() => app.close());
      const run = app.run(agent, "go", { user });
      const waiting = await until(async () => {
        const records = await app.approvals();
        return records.length === 2 && asks.length === 2 ? records : undefined;
      });
      assert.deepEqual(
        waiting.map(({ pauseId, isChannelAsked }) => [pauseId, isChannelAsked]),
        asks.map(({ pauseId }) => [pauseId, true]),
      );
      const [first, second] = waiting.map(({ pauseId }) => pauseId) as [string, string];
      assert.equal(await refused(app, { pauseId: first, decision: "approve" }, owner), "approval.wrong-answerer");
      await app.answer({ pauseId: first, decision: "approve" }, { operator: "anna" });
      await app.answer({ pauseId: second, decision: "decline" }, { answeredBy: "m-1" });
      const { status } = await run;
      assert.deepEqual([status, refunded, reasons.length], ["done", [5], 2]);
    });

    it("expire while a channel is still asking, on record, and are not taken any more", async (t) => {
      const { refund, refunded } = till();
      const clock = fakeClock(1_000);
      const asks: Ask[] = [];
      const deaf: Channel = {
        name: "deaf",
        send: (asked) => {
          asks.push(asked);
          return new Promise(() => undefined);
        },
      };
      const kept = engine();
      const approvals = { channel: deaf, expireAfter: minutes(5) };
      const other: Replies = [{ calls: [{ name: "refund" }] }, { calls: [{ name: "refund" }] }, "done"];
      const { app, agent } = desk(other, [refund], { app: { ...(kept && { engine: kept }), clock, approvals } });
      t.after(() => app.close());
      const run = app.run(agent, "go", { user });
      await until(async () => (asks.length === 1 ? true : undefined));
      await clock.advance(minutes(5));
      await until(async () => (asks.length === 2 ? true : undefined));
      const pauseId = asks[0]?.pauseId ?? "";
      assert.equal(await refused(app, { pauseId, decision: "approve" }, { operator: "anna" }), "approval.expired");
      const [record] = await app.approvals({ answered: true, pauseId });
      assert.deepEqual(told(record as ApprovalRecord), ["expired", "expired", undefined, "number"]);
      await clock.advance(minutes(5));
      assert.deepEqual([(await run).status, refunded], ["done", []]);
    });

    it("of the automatic channels are on record, too", async (t) => {
      for (const [channel, decision] of [
        [new AutoApproveChannel(), "approve"],
        [new AutoRejectChannel(), "decline"],
      ] as const) {
        const { refund } = till();
        const letter = till({ name: "letter", channel: "post" }).refund;
        const calls = [{ name: "refund" }, { name: "letter" }];
        const approvals = { channel, channels: [new Post()] };
        const { app } = await started(t, [{ calls }, "done"], [refund, letter], { approvals });
        assert.deepEqual(told((await app.approvals({ answered: true }))[0] as ApprovalRecord), [
          "answered",
          { decision },
          { channel: channel.name },
          "number",
        ]);
      }
    });

    it("fail the call where `send` returns anything else or throws, and nobody can answer any more", async (t) => {
      const answers: unknown[] = [
        undefined,
        "approve",
        { decision: "approve" },
        { type: "decided" },
        decided({ reply: "yes" }),
        decided({ decision: "yes" } as never),
        "throws",
      ];
      let asked = 0;
      const send = async (): Promise<unknown> => {
        if (answers[asked] === "throws") throw new Error("the desk is closed");
        return answers[asked++];
      };
      const clerk = { name: "clerk", send } as Channel;
      const { refund, refunded } = till();
      const { app, first } = await started(t, refunds(...answers.map(() => 5)), [refund], {
        approvals: { channel: clerk },
      });
      assert.deepEqual(
        first.calls.map(({ status, errorCode }) => `${status} ${errorCode}`),
        answers.map(() => "failed tool.failed"),
      );
      assert.deepEqual([first.status, refunded, await app.approvals()], ["done", [], []]);
      for (const { state } of await app.approvals({ answered: true })) assert.equal(state, "closed");
    });

    it("are no answers to what a tool asks, which has its own", async (t) => {
      const entered: unknown[] = [];
      const paint = defineTool({
        name: "paint",
        description: "Paints",
        input: z.object({ wall: z.string() }),
        execute: ({ wall }, ctx) => {
          entered.push([ctx.answer, ctx.askState]);
          if (ctx.answer !== undefined) return `${wall}: ${JSON.stringify(ctx.answer)}`;
          return ask({ question: `Which colour for the ${wall} wall?`, choices: ["red", "blue"], state: { tins: 2 } });
        },
      }) as AnyTool;
      const calls = ["north", "south"].map((wall) => ({ name: "paint", input: { wall } }));
      const { app, first, ids } = await started(t, [{ calls }, "done"], [paint]);
      assert.deepEqual(
        first.pending.map(({ value }) => value.kind === "question" && [value.question, value.choices]),
        [
          ["Which colour for the north wall?", ["red", "blue"]],
          ["Which colour for the south wall?", ["red", "blue"]],
        ],
      );
      const [north = "", south = ""] = ids;
      assert.equal(await refused(app, { pauseId: north, decision: "approve" }, owner), "approval.invalid-answer");
      await app.answer({ pauseId: south, reply: "blue" }, owner);
      for (const reply of ["green", "Red", { other: "red" }])
        assert.equal(await refused(app, { pauseId: north, reply }, owner), "approval.invalid-answer");
      const last = await app.resume({ pauseId: north, reply: "red" }, owner);
      assert.deepEqual(texts(last), ['north: "red"', 'south: "blue"']);
      assert.deepEqual(entered.slice(2), [
        ["blue", { tins: 2 }],
        ["red", { tins: 2 }],
      ]);
    });

    it("and questions may be decided by a channel, which is on record as well", async (t) => {
      const entered: unknown[] = [];
      const quiz = defineTool({
        name: "quiz",
        description: "Asks twice",
        input: z.object({}),
        execute: (_input, ctx) => {
          entered.push(ctx.answer);
          return entered.length < 3 ? ask({ question: `Question ${entered.length}` }) : "thanks";
        },
      }) as AnyTool;
      const clerk: Channel = {
        name: "clerk",
        send: ({ value }) =>
          value.kind === "question" && value.question === "Question 1" ? decided({ reply: [1] }) : awaitReply(),
      };
      const options = { approvals: { channel: clerk } };
      const { app, ids } = await started(t, [{ calls: [{ name: "quiz" }] }, "done"], [quiz], options);
      assert.deepEqual((await app.approvals({ answered: true })).map(told), [
        ["answered", { reply: [1] }, { channel: "clerk" }, "number"],
        ["waiting", undefined, undefined, "undefined"],
      ]);
      const last = await app.resume({ pauseId: ids[0] ?? "", reply: null }, { answeredBy: "m-1" });
      assert.deepEqual([texts(last), entered], [["thanks"], [undefined, [1], null]]);
    });
  });
}
