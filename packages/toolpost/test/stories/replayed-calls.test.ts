// Runs taken up from every entry of their journal, each time by an application made anew: what was done is not done again,
// what was told is not told again, and what a call did to its run besides its result is there as before.

import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { z } from "zod";
import { defineAgent } from "../../src/agent/define-agent.ts";
import { defineTool } from "../../src/author/define-tool.ts";
import type { Channel } from "../../src/core/approval.ts";
import { awaitReply } from "../../src/core/approval.ts";
import type { ToolContext } from "../../src/core/context.ts";
import { FatalToolError, ToolpostError } from "../../src/core/errors.ts";
import { failureOf } from "../../src/core/failure.ts";
import type { ToolResult } from "../../src/core/result.ts";
import { ask, ok } from "../../src/core/result.ts";
import type { RunResult } from "../../src/core/run-result.ts";
import type { AnyTool } from "../../src/core/tool.ts";
import { scriptedModel } from "../../src/models/scripted-model.ts";
import type { ScriptedReply } from "../../src/models/scripted-reply.ts";
import { systemClock } from "../../src/std/clock.ts";
import { milliseconds, seconds, usd } from "../../src/std/units.ts";
import type { FakeClock } from "../../src/testing/fake-clock.ts";
import { fakeClock } from "../../src/testing/fake-clock.ts";
import { memoryThreads } from "../../src/threads/memory-threads.ts";
import type { Attempted, AttemptOptions, Process } from "../lib/attempts.ts";
import { attempt } from "../lib/attempts.ts";
import type { ListKernel } from "../lib/list-kernel.ts";

/** What the tools and the model of one process did. */
interface Work {
  readonly done: string[];
  readonly process: Process;
}

type Execute = (input: never, ctx: ToolContext) => unknown;

/** A process whose model goes by how far the conversation is, as one that knows nothing of the processes before. */
function making(
  turns: readonly (string | ScriptedReply)[],
  tools: (tool: (name: string, execute: Execute, more?: object) => AnyTool) => readonly AnyTool[],
  more: { readonly agent?: object; readonly app?: Partial<Process> } = {},
): (clock?: FakeClock) => Work {
  return (clock = fakeClock()) => {
    const done: string[] = [];
    const model = scriptedModel(
      ({ prompt }) => {
        const turn = prompt.filter(({ role }) => role === "assistant").length;
        done.push(`model ${turn}`);
        return turns[turn] ?? assert.fail(`there is no turn ${turn}`);
      },
      { clock },
    );
    const tool = (name: string, execute: Execute, given: object = {}): AnyTool =>
      defineTool({
        name,
        description: "Does",
        input: z.object({}),
        annotations: { idempotent: true },
        ...given,
        execute: ((input: never, ctx: ToolContext) => {
          done.push(name);
          return execute(input, ctx);
        }) as never,
      }) as AnyTool;
    const agent = defineAgent({
      name: "desk",
      description: "Answers",
      model,
      tools: tools(tool),
      ...more.agent,
    });
    return { done, process: { agents: [agent], ...more.app } };
  };
}

interface Replay {
  readonly length: number;
  readonly done: readonly string[];
  readonly attempted: Attempted;
}

/** One whole attempt, and one from each entry of its journal on. */
async function attempts(make: () => Work, options: AttemptOptions = {}): Promise<{ whole: Replay; replays: Replay[] }> {
  const take = async (journal: Attempted["journal"]): Promise<Replay> => {
    const { done, process } = make();
    return { length: journal.length, done, attempted: await attempt(process, { ...options, journal }) };
  };
  const whole = await take([]);
  const replays: Replay[] = [];
  const { journal } = whole.attempted;
  for (let length = 1; length <= journal.length; length++) replays.push(await take(journal.slice(0, length)));
  return { whole, replays };
}

/** As `attempts`, of a run that takes the same path however its steps settle. */
async function attemptsAlike(make: () => Work, options: AttemptOptions = {}): ReturnType<typeof attempts> {
  const { whole, replays } = await attempts(make, options);
  const { journal } = whole.attempted;
  assert.deepEqual(
    replays.map(({ attempted }) => attempted.journal.map(({ key }) => key)),
    replays.map(() => journal.map(({ key }) => key)),
    "the journal comes to hold the same",
  );
  return { whole, replays };
}

/** What was done in an attempt is what the journal before it did not hold. */
function assertDoneOnce({ whole, replays }: { whole: Replay; replays: Replay[] }): void {
  for (const { done, length } of replays)
    assert.deepEqual(done, whole.done.slice(whole.done.length - done.length), `from entry ${length}`);
  assert.deepEqual(replays.at(-1)?.done, []);
}

const approving: NonNullable<AttemptOptions["settle"]> = () => ({ type: "answer", value: { decision: "approve" } });

/** Approves, and replies `blue`. */
const answering: typeof approving = (op) =>
  op.kind === "pause" && op.request.kind === "question" ? { type: "answer", value: { reply: "blue" } } : approving(op);

/** Told by work itself: where that is not in the journal, it is done anew. */
function isOfWork(what: string): boolean {
  return what === "text-delta" || what.startsWith("hook error");
}

describe("a run that is taken up from any entry of its journal", () => {
  const make = making(
    [
      { calls: [{ id: "call_0", name: "look" }] },
      { calls: [{ id: "", name: "shut" }] },
      { text: "hm", calls: [{ id: "call_0", name: "pay", input: { on: "2026-01-02" } }] },
      { calls: [{ id: "call_0", name: "paint" }] },
      { calls: [{ id: "", name: "broken" }] },
      "done",
    ],
    (tool) => [
      tool("look", () => "looked"),
      tool("shut", () => "never", { policy: () => ({ verdict: "deny", reason: "it is closed" }) }),
      tool("pay", ({ on, cents }: { on: Date; cents: number }, { idempotencyKey }) => [on, cents, idempotencyKey], {
        input: z.object({ on: z.coerce.date(), cents: z.number().default(5) }),
        policy: "needs-approval",
      }),
      tool("paint", (_input, { answer, askState, idempotencyKey }) =>
        answer === undefined ? ask({ question: "Which?", state: [1] }) : [answer, askState, idempotencyKey],
      ),
      tool("broken", () => Promise.reject(new Error("no luck"))),
    ],
  );

  it("comes to the same end, and does and tells nothing that was done and told before", async () => {
    const both = await attemptsAlike(make, { settle: answering });
    const { whole, replays } = both;
    const { result, told } = whole.attempted;
    assert.deepEqual(
      result?.calls.map(({ tool, status, text }) => [tool, status, text]),
      [
        ["look", "ok", "looked"],
        ["shut", "denied", "Tool error: it is closed"],
        ["pay", "ok", '["2026-01-02T00:00:00.000Z",5,"run_1:desk:2:call_0:v2"]'],
        ["paint", "ok", '["blue",[1],"run_1:desk:3:call_0:v3"]'],
        [
          "broken",
          "failed",
          "Tool error: code: tool.failed, status: 500, userMessage: The tool failed and the input was not the cause.",
        ],
      ],
    );
    assertDoneOnce(both);
    for (const { attempted, length } of replays) {
      assert.deepEqual(attempted.result, result, `from entry ${length}`);
      // The end itself is told once the engine has it.
      assert.deepEqual(
        attempted.told,
        told.filter(({ at, what }) => at > length || what === "run-end" || (at === length && isOfWork(what))),
        `from entry ${length}`,
      );
    }
  });

  it("begins with as much of its thread as it began with, though the thread has grown", async () => {
    const threads = memoryThreads();
    await threads.append(
      { threadId: "t", ownerId: undefined },
      [{ role: "user", content: [{ type: "text", text: "before" }] }],
      "run_0",
    );
    const asked: number[] = [];
    const turns = [{ calls: [{ name: "look" }] }, "done"];
    const made = making(turns, (tool) => [tool("look", () => "looked")], { app: { threads } });
    const both = await attemptsAlike(made, { order: { threadId: "t" } });
    assertDoneOnce(both);
    for (const { attempted } of [both.whole, ...both.replays]) {
      assert.equal(attempted.result?.text, "done");
      asked.push(attempted.result?.messages.length ?? 0);
    }
    assert.deepEqual([...new Set(asked)], [4]);
    assert.equal((await threads.read({ threadId: "t", ownerId: undefined })).length, 5);
  });

  it("logs what went wrong once", async () => {
    const { whole, replays } = await attemptsAlike(make, { settle: answering });
    const place = whole.attempted.journal.findIndex(({ key }) => key === "call:4:0/act");
    for (const { attempted, length } of replays)
      assert.deepEqual(
        attempted.log.map(({ message }) => message),
        length > place ? [] : ["`broken` threw"],
      );
  });
});

describe("what is journaled of a call", () => {
  it("makes its arguments again as the tool gets them, frozen", async () => {
    const seen: unknown[] = [];
    const make = making(
      [{ calls: [{ name: "pay", input: { on: "2026-01-02", to: { name: "Ada" } } }] }, "done"],
      (tool) => [
        tool(
          "pay",
          (input: { on: Date; to: object }) => {
            seen.push([input, Object.isFrozen(input), Object.isFrozen(input.to)]);
            return "paid";
          },
          {
            input: z.object({ on: z.coerce.date(), to: z.object({ name: z.string() }) }),
            policy: "needs-approval",
          },
        ),
      ],
    );
    await attemptsAlike(make, { settle: approving });
    const [first, ...others] = seen;
    assert.deepEqual(first, [{ on: new Date("2026-01-02"), to: { name: "Ada" } }, true, true]);
    assert.ok(others.length > 3);
    for (const other of others) assert.deepEqual(other, first);
  });

  it("makes arguments that hold an instance of a class again, frozen", async () => {
    class Cents {
      readonly value: number;
      constructor(value: number) {
        this.value = value;
      }
    }
    const seen: unknown[] = [];
    const make = making([{ calls: [{ name: "pay", input: { cents: 5 } }] }, "done"], (tool) => [
      tool("pay", (input: { cents: Cents }) => seen.push([input.cents instanceof Cents, Object.isFrozen(input)]), {
        input: z.object({ cents: z.number().transform((value) => new Cents(value)) }),
        policy: "needs-approval",
      }),
    ]);
    await attemptsAlike(make, { settle: approving });
    assert.ok(seen.length > 3);
    for (const each of seen) assert.deepEqual(each, [true, true]);
  });

  it("holds arguments that a schema changed, which is not asked again", async () => {
    let counted = 0;
    const make = making([{ calls: [{ name: "pay", input: { cents: 5 } }] }, "done"], (tool) => [
      tool("pay", ({ cents }: { cents: number }) => cents, {
        input: z.object({ cents: z.number().transform((cents) => cents + ++counted / 100) }),
        policy: "needs-approval",
      }),
    ]);
    const { whole, replays } = await attemptsAlike(make, { settle: approving });
    assert.equal(whole.attempted.result?.text, "done");
    const decidedAt = whole.attempted.journal.findIndex(({ key }) => key === "call:0:0/decide");
    for (const { attempted } of replays.filter(({ length }) => length > decidedAt))
      assert.equal(attempted.result?.calls[0]?.text, "5.01");
  });

  it("holds arguments that are more than JSON as they were decided on, whatever the validator would say later", async () => {
    const seen: unknown[] = [];
    let made = 0;
    let isOpen = true;
    const input = z.object({
      on: z.coerce.date().refine(() => isOpen),
      ref: z.string().default(() => `ref ${++made}`),
    });
    const make = making([{ calls: [{ name: "pay", input: { on: "2026-01-02" } }] }, "done"], (tool) => [
      tool("pay", (given) => seen.push(given), { input, policy: "needs-approval" }),
    ]);
    const whole = await attempt(make().process, { settle: approving });
    isOpen = false;
    const { journal } = whole;
    const decidedAt = journal.findIndex(({ key }) => key === "call:0:0/decide");
    for (let length = decidedAt + 1; length <= journal.length; length++) {
      const { result } = await attempt(make().process, { settle: approving, journal: journal.slice(0, length) });
      assert.deepEqual([result?.status, result?.calls[0]?.status], ["done", "ok"]);
    }
    assert.ok(seen.length > 3);
    assert.deepEqual((seen[0] as { readonly on: Date }).on, new Date("2026-01-02"));
    for (const each of seen) assert.deepEqual(each, seen[0]);
  });

  it("stays what it was where arguments of a class are no longer taken; what was not done yet is not done", async () => {
    class Order {
      readonly cents: number;
      constructor(cents: number) {
        this.cents = cents;
      }
    }
    let isOpen = true;
    const input = z
      .object({ cents: z.number() })
      .refine(() => isOpen, "it has shipped")
      .transform(({ cents }) => new Order(cents));
    const turns = [{ calls: [{ name: "pay", input: { cents: 5 } }] }, "done"];
    const comesTo = async (policy: string): Promise<unknown[][]> => {
      isOpen = true;
      const make = making(turns, (tool) => [tool("pay", ({ cents }: Order) => `paid ${cents}`, { input, policy })]);
      const { journal } = await attempt(make().process, { settle: approving });
      isOpen = false;
      const ends: unknown[][] = [];
      for (
        let length = journal.findIndex(({ key }) => key === "call:0:0/decide") + 1;
        length <= journal.length;
        length++
      ) {
        const { done, process } = make();
        const { result } = await attempt(process, { settle: approving, journal: journal.slice(0, length) });
        assert.ok(!done.includes("pay"));
        ends.push([journal[length - 1]?.key, result?.calls[0]?.status, result?.calls[0]?.text]);
      }
      return ends;
    };
    const unknown = ["unknown", "Tool error: the outcome is unknown: the call may have had its effect"];
    const refused = ["failed", "Tool error: invalid input: it has shipped"];
    assert.deepEqual(await comesTo("allow"), [
      ["call:0:0/decide", ...unknown],
      ["call:0:0/act", "ok", "paid 5"],
      ["model:1", "ok", "paid 5"],
    ]);
    assert.deepEqual(await comesTo("needs-approval"), [
      ["call:0:0/decide", ...refused],
      ["call:0:0/approval:ask", ...refused],
      ["call:0:0/approval:shown", ...refused],
      ["call:0:0/approval", ...refused],
      ["call:0:0/recheck", ...unknown],
      ["call:0:0/act", "ok", "paid 5"],
      ["model:1", "ok", "paid 5"],
    ]);
  });

  it("asks what became of an interrupted call also where its tool is gone", async () => {
    const turns = [{ calls: [{ name: "pay" }] }, "done"];
    const more = { annotations: {}, onUnknown: "ask" };
    const { journal } = await attempt(making(turns, (tool) => [tool("pay", () => "paid", more)])().process);
    const begun = journal.slice(0, journal.findIndex(({ key }) => key.endsWith(":intent")) + 1);
    assert.equal(begun.length, 4);
    const settle: typeof approving = () => ({ type: "answer", value: { reply: "it happened" } });
    const gone = await attempt(making(turns, () => [])().process, { journal: begun, settle });
    assert.equal(gone.result?.calls[0]?.status, "unknown");
    // By one who has the tool, then by one who does not have it any more.
    const asking = await attempt(making(turns, (tool) => [tool("pay", () => "paid", more)])().process, {
      journal: begun,
      settle,
    });
    assert.equal(asking.result?.calls[0]?.status, "ok");
    for (let length = begun.length; length <= asking.journal.length; length++) {
      const again = await attempt(making(turns, () => [])().process, {
        journal: asking.journal.slice(0, length),
        settle,
      });
      assert.equal(again.result?.status, "done", asking.journal[length - 1]?.key);
    }
  });

  it("refuses in words where the tool is gone", async () => {
    const turns = [{ calls: [{ name: "pay" }] }, "done"];
    const policy = "needs-approval";
    const { whole } = await attemptsAlike(
      making(turns, (tool) => [tool("pay", () => "paid", { policy })]),
      { settle: approving },
    );
    const { journal } = whole.attempted;
    const asked = journal.slice(0, journal.findIndex(({ key }) => key === "call:0:0/decide") + 1);
    const { result } = await attempt(making(turns, () => [])().process, { journal: asked });
    assert.deepEqual([result?.calls[0]?.status, result?.calls[0]?.text], ["failed", "Tool error: unknown tool: pay"]);
  });

  it("is told with its data as the tool gave it where this process ran it, and as JSON where another did", async () => {
    const at = new Date(0);
    const make = making([{ calls: [{ name: "look" }] }, "done"], (tool) => [tool("look", () => ok("looked", { at }))]);
    const { whole, replays } = await attemptsAlike(make);
    assert.deepEqual(whole.attempted.result?.calls[0]?.data, { at });
    assert.deepEqual(replays.at(-1)?.attempted.result?.calls[0]?.data, { at: "1970-01-01T00:00:00.000Z" });
  });

  it("gives a structured answer as its class has it", async () => {
    const make = making([{ calls: [{ name: "answer-desk", input: { on: "2026-01-02" } }] }], () => [], {
      agent: { output: z.object({ on: z.coerce.date() }) },
    });
    const { whole, replays } = await attemptsAlike(make);
    assert.deepEqual(whole.attempted.result?.output, { on: new Date("2026-01-02") });
    for (const { attempted } of replays) assert.deepEqual(attempted.result?.output, { on: new Date("2026-01-02") });
  });
});

describe("what a call did to its run", () => {
  it("is done again: calls that were started count", async () => {
    const make = making(
      [{ calls: [{ name: "look" }] }, { calls: [{ name: "look" }] }],
      (tool) => [tool("look", () => "looked")],
      { agent: { maxToolCalls: 1 } },
    );
    const both = await attemptsAlike(make);
    assertDoneOnce(both);
    for (const { attempted } of [both.whole, ...both.replays]) {
      const error = attempted.error as { code: string; data: unknown; partial: { calls: { status: string }[] } };
      assert.deepEqual(
        [error.code, error.data, error.partial.calls.map(({ status }) => status)],
        ["limit.tool-calls", { limit: 1 }, ["ok", "not-started"]],
      );
    }
  });

  it("is done again: calls that were started count in budgets, too", async () => {
    const make = making(
      [{ calls: [{ name: "look" }] }, { calls: [{ name: "look" }] }],
      (tool) => [tool("look", () => "looked")],
      { agent: { budget: { calls: 1 } } },
    );
    const both = await attemptsAlike(make);
    assertDoneOnce(both);
    for (const { attempted } of [both.whole, ...both.replays]) {
      const { code, data } = attempted.error as { code: string; data: unknown };
      assert.deepEqual([code, data], ["budget.exceeded", { kind: "calls", limit: 1, used: 2 }]);
    }
  });

  it("is done again: it took the run's time, before any timer told of it", async () => {
    const make = (): Work => {
      const clock = fakeClock(1_000);
      let passed = 0;
      return making([{ calls: [{ name: "look" }] }, "over"], (tool) => [tool("look", () => void (passed += 6_000))], {
        agent: { budget: { time: seconds(5) } },
        app: { clock: { now: () => clock.now() + passed, schedule: clock.schedule.bind(clock) } },
      })();
    };
    const { whole, replays } = await attempts(make, { order: { threadId: "t" } });
    assert.equal(whole.attempted.journal.at(-1)?.key, "save");
    // Before that the time of an attempt counts anew.
    for (const { attempted } of [whole, ...replays.slice(-2)]) {
      const { code, data } = attempted.error as { readonly code: string; readonly data: unknown };
      assert.deepEqual([code, data], ["budget.exceeded", { kind: "time", limit: 5_000, used: 6_000 }]);
    }
  });

  it("is done again: it asked the run to stop", async () => {
    const make = making([{ calls: [{ name: "halt" }] }], (tool) => [
      tool("halt", (_input, ctx) => {
        ctx.stop();
        return "halting";
      }),
    ]);
    const both = await attemptsAlike(make);
    assertDoneOnce(both);
    for (const { attempted } of [both.whole, ...both.replays])
      assert.deepEqual([attempted.result?.status, attempted.result?.stoppedBy], ["stopped", "stop"]);
  });

  it("is done again: it ended the run by a tool that ends it", async () => {
    const make = making([{ calls: [{ name: "hand_over" }] }, "handed over"], (tool) => [
      tool("hand_over", () => "over", { endsRun: true }),
    ]);
    const both = await attemptsAlike(make);
    assertDoneOnce(both);
    for (const { attempted } of [both.whole, ...both.replays])
      assert.deepEqual([attempted.result?.endedByTool, attempted.result?.text], ["hand_over", "handed over"]);
  });

  for (const [how, execute, more, expected] of [
    [
      "a fatal error, of which a journal holds nothing",
      () => {
        throw new FatalToolError("the vault is open");
      },
      {},
      ["tool.fatal", "a tool ended the run"],
    ],
    [
      "an error under `toolErrors: throw`",
      () => {
        throw new Error("no luck");
      },
      { toolErrors: "throw" },
      [undefined, "no luck"],
    ],
  ] as const)
    it(`is done again: it ended the run with ${how}`, async () => {
      const make = making([{ calls: [{ name: "end" }] }], (tool) => [tool("end", execute, more)], {
        agent: { history: { turns: 3 } },
      });
      const both = await attemptsAlike(make, { order: { threadId: "t" } });
      assertDoneOnce(both);
      const { replays } = both;
      const actAt = both.whole.attempted.journal.findIndex(({ key }) => key === "call:0:0/act");
      assert.ok(replays.length > actAt + 1, "the journal goes on after the act");
      assert.ok(!JSON.stringify(both.whole.attempted.journal).includes("vault"));
      for (const { attempted } of replays.filter(({ length }) => length > actAt)) {
        const { code, message } = attempted.error as { code?: string; message: string };
        assert.deepEqual([code, message], expected);
        assert.equal(attempted.result, undefined);
      }
    });

  it("is done again: a hook that threw before it ended the run", async () => {
    let asked = 0;
    const hooks = [
      {
        beforeTool: () => {
          asked++;
          throw new Error("not today");
        },
      },
    ];
    const make = making([{ calls: [{ name: "look" }] }], (tool) => [tool("look", () => "looked")], { app: { hooks } });
    const both = await attemptsAlike(make);
    const decidedAt = both.whole.attempted.journal.findIndex(({ key }) => key === "call:0:0/decide");
    assert.equal(asked, 1 + both.replays.filter(({ length }) => length <= decidedAt).length);
    for (const { attempted, done } of [both.whole, ...both.replays]) {
      assert.equal((attempted.error as Error).message, "not today");
      assert.ok(!done.includes("look"));
    }
  });
});

describe("an agent below that ends by what nobody may try again", () => {
  for (const code of ["tool.outcome-unknown", "run.replay-mismatch"])
    it(`ends the run above as well, from every entry on: ${code}`, async () => {
      const below = defineAgent({ name: "helper", description: "Helps", model: scriptedModel([]), tools: [] }) as never;
      const make = making([{ calls: [{ name: "helper", input: { message: "pay" } }] }], () => [below]);
      const settle: typeof approving = () => ({ ok: false, error: { message: "so it is", code } });
      const { whole, replays } = await attemptsAlike(make, { settle, order: { threadId: "t" } });
      for (const { attempted } of [whole, ...replays])
        assert.deepEqual(
          [(attempted.error as { code: string }).code, (attempted.error as Error).message],
          [code, "so it is"],
        );
    });
});

describe("a call that ended its run beside others", () => {
  interface End {
    readonly execute?: (ctx: ToolContext, clock: FakeClock) => unknown;
    readonly tool?: object;
    readonly agent?: object;
    /** Thrown by `beforeTool`. */
    readonly thrown?: Error;
    readonly comesTo: string;
  }

  const ends: Readonly<Record<string, End>> = {
    "a limit": { agent: { maxToolCalls: 1 }, comesTo: "limit.tool-calls" },
    "a budget": { agent: { budget: { calls: 1 } }, comesTo: "budget.exceeded" },
    "a budget of time": {
      agent: { budget: { time: seconds(5) } },
      execute: (_ctx, clock) => clock.advance(seconds(6)),
      comesTo: "budget.exceeded",
    },
    "a fatal error": { execute: () => Promise.reject(new FatalToolError("it is open")), comesTo: "tool.fatal" },
    "an error that is thrown on": {
      execute: () => Promise.reject(new ToolpostError("source.failed", "no luck")),
      tool: { toolErrors: "throw" },
      comesTo: "source.failed",
    },
    "a cancel": { execute: (ctx) => ctx.abort("enough"), comesTo: "run.cancelled" },
    "a tool that ends it": { tool: { endsRun: true }, comesTo: "done" },
    "a hook": { thrown: new ToolpostError("app.closed", "not today"), comesTo: "app.closed" },
  };

  const called = ["slow", "end", "pay", "paint", "sell"];
  /** Never comes back. */
  const deaf: Channel = { name: "deaf", send: () => new Promise(() => undefined) };

  /** `pay` waits for approval, `paint` and `sell` for an answer; the others go on for so many turns of the microtask queue. */
  function beside(end: End, slowFor: number, endAfter: number): () => Work {
    const pass = async (turns: number): Promise<void> => {
      for (let turn = 0; turn < turns; turn++) await undefined;
    };
    return () => {
      const clock = fakeClock(1_000);
      const beforeTool = async ({ tool }: { readonly tool: string }): Promise<void> => {
        if (tool !== "end") return;
        await pass(endAfter);
        throw end.thrown;
      };
      return making(
        [{ calls: called.map((name) => ({ name })) }, "over"],
        (tool) => [
          tool("slow", () => pass(slowFor)),
          tool("end", (_input, ctx) => pass(endAfter).then(() => end.execute?.(ctx, clock)), end.tool),
          tool("pay", () => "paid", { policy: "needs-approval" }),
          tool("paint", () => ask({ question: "Which?" })),
          tool("sell", () => ask({ question: "To whom?" }), { channel: "deaf" }),
        ],
        {
          agent: { history: { turns: 3 }, ...end.agent },
          app: { clock, approvals: { channels: [deaf] }, hooks: end.thrown === undefined ? [] : [{ beforeTool }] },
        },
      )();
    };
  }

  for (const [name, end] of Object.entries(ends))
    it(`ends it the same way from every entry on, whatever settles first: ${name}`, async () => {
      for (const slowFor of [0, 12, 60])
        for (const endAfter of [0, 3, 60]) {
          const { whole, replays } = await attempts(beside(end, slowFor, endAfter), { order: { threadId: "t" } });
          for (const { attempted, done } of [whole, ...replays]) {
            const { result, error } = attempted;
            const of = `${slowFor} ${endAfter} ${attempted.journal.map(({ key }) => key).join()}`;
            assert.equal(result?.status ?? (error as { readonly code?: string }).code, end.comesTo, of);
            assert.ok(!done.includes("pay"), of);
            const calls = result?.calls ?? (error as { readonly partial: RunResult }).partial.calls;
            assert.deepEqual(
              calls.map(({ tool }) => tool),
              called,
              of,
            );
          }
        }
    });
});

describe("a run that ended in the middle of what its journal tells", () => {
  const pass = async (turns: number): Promise<void> => {
    for (let turn = 0; turn < turns; turn++) await undefined;
  };

  /** One whole attempt, and one from all of its journal, which comes to the same end. */
  async function endsAlike(make: () => Work, options: AttemptOptions = {}): Promise<Attempted> {
    const whole = await attempt(make().process, options);
    const { done, process } = make();
    const again = await attempt(process, { ...options, journal: whole.journal });
    assert.deepEqual(again.journal, whole.journal);
    assert.deepEqual(done, []);
    assert.deepEqual([again.result, failureOf(again.error)], [whole.result, failureOf(whole.error)]);
    assert.deepEqual(callsOf(again), callsOf(whole));
    return whole;
  }

  function callsOf({ result, error }: Attempted): readonly ToolResult[] {
    return result?.calls ?? (error as { readonly partial: RunResult }).partial.calls;
  }

  it("tells what a call came to by what the journal tells, though another has cancelled the run meanwhile", async () => {
    let hasEnded = false;
    let halt = (): void => undefined;
    const calls = ["paint", "pay", "end", "halt"].map((name) => ({ name }));
    const make = making([{ calls }, "over"], (tool) => [
      tool("paint", () => ask({ question: "Which?" })),
      tool("pay", () => "paid", { policy: "needs-approval" }),
      tool("end", () => pass(200).then(() => (hasEnded = true)), { endsRun: true }),
      tool("halt", (_input, ctx) => new Promise(() => (halt = () => ctx.abort("enough")))),
    ]);
    // While the entry of `end` is written.
    const moved = (kernel: ListKernel): void => {
      kernel.pace = async () => void (hasEnded && halt());
    };
    const whole = await endsAlike(make, { moved });
    assert.equal((whole.error as { readonly code: string }).code, "run.cancelled");
    assert.deepEqual(
      callsOf(whole).map(({ tool, status }) => [tool, status]),
      [
        ["paint", "declined"],
        ["pay", "declined"],
        ["end", "ok"],
        ["halt", "unknown"],
      ],
    );
  });

  it("is told of both where it failed first and was cancelled then", async () => {
    let hasAsked = false;
    let halt = (): void => undefined;
    const calls = ["paint", "halt", "slow"].map((name) => ({ name }));
    const make = making(
      [{ calls }],
      (tool) => [
        tool("paint", async () => {
          await pass(400);
          hasAsked = true;
          return ask({ question: "Which?" });
        }),
        tool("halt", async (_input, ctx) => {
          await new Promise<void>((resolve) => (halt = resolve));
          ctx.abort("enough");
        }),
        tool("slow", () => "never"),
      ],
      { agent: { maxToolCalls: 2 } },
    );
    // While the entry of `paint` is written: that of `halt` comes before word of whether anybody is asked.
    const moved = (kernel: ListKernel): void => {
      kernel.pace = async () => {
        if (hasAsked) halt();
        await pass(20);
      };
    };
    const whole = await endsAlike(make, { moved });
    assert.equal((whole.error as { readonly code: string }).code, "limit.tool-calls");
    assert.deepEqual(
      callsOf(whole).map(({ tool, status, text }) => [tool, status, text]),
      [
        ["paint", "cancelled", "Tool error: enough"],
        ["halt", "cancelled", "Tool error: enough"],
        ["slow", "not-started", "Tool error: the call was not started: the run has no calls left"],
      ],
    );
  });

  const timeRuns = (_ctx: ToolContext, clock: FakeClock): Promise<void> => clock.advance(seconds(6));
  for (const [what, execute, amid, expected] of [
    ["its time ran out", () => "looked", timeRuns, ["budget.exceeded", ["model:1", "save"]]],
    ["it was cancelled", () => "looked", (ctx: ToolContext) => ctx.abort(), ["run.cancelled", ["model:1", "save"]]],
    [
      "its time ran out after a cancel",
      (_input: never, ctx: ToolContext) => ctx.abort(),
      timeRuns,
      ["run.cancelled", ["save"]],
    ],
  ] as const)
    it(`ends by what an entry tells of, where ${what} while the last one was written`, async () => {
      let context: ToolContext | undefined;
      let clock = fakeClock(1_000);
      const make = (): Work => {
        clock = fakeClock(1_000);
        const look: Execute = (input, ctx) => execute(input, (context = ctx));
        const more = { agent: { budget: { time: seconds(5) } }, app: { clock } };
        return making([{ calls: [{ name: "look" }] }, "done"], (tool) => [tool("look", look)], more)();
      };
      let entries = 0;
      const moved = (kernel: ListKernel): void => {
        kernel.pace = async () => {
          // begin, model:0, call:0:0/decide, call:0:0/act
          if (++entries === 4) await amid(context as ToolContext, clock);
        };
      };
      const { journal, error } = await endsAlike(make, { order: { threadId: "t" }, moved });
      const keys = journal.slice(4).map(({ key }) => key);
      assert.deepEqual([(error as { readonly code: string }).code, keys], expected);
    });

  const late = (word: "abort" | "stop", turns: readonly (string | ScriptedReply)[]) => (): Work => {
    const clock = fakeClock(1_000);
    const wait = (ms: number): Promise<void> => new Promise((resolve) => clock.schedule(ms, resolve));
    return making(
      turns,
      (tool) => [
        tool("late", (_input, ctx) => wait(2_000).then(() => ctx[word]("too late")), { timeout: seconds(1) }),
        tool("slow", () => wait(3_000)),
      ],
      { app: { clock, hooks: [{ onToolStart: () => void clock.advance(seconds(9)) }] } },
    )(clock);
  };

  for (const [what, word, turns, expected] of [
    ["an abort", "abort", [{ calls: [{ name: "late" }, { name: "slow" }] }, "done"], ["run.cancelled", "too late"]],
    [
      "an abort amid a request",
      "abort",
      [{ calls: [{ name: "late" }] }, { text: "done", delayMs: 3_000 }],
      ["run.cancelled", "too late"],
    ],
    ["a stop", "stop", [{ calls: [{ name: "late" }, { name: "slow" }] }, "done"], [undefined, "done"]],
  ] as const)
    it(`takes ${what} of a call that had timed out before as a replay does`, async () => {
      const { result, error } = await endsAlike(late(word, turns), { order: { threadId: "t" } });
      const { code, message } = (error ?? {}) as { readonly code?: string; readonly message?: string };
      assert.deepEqual([code, message ?? result?.text], expected);
    });
});

describe("what a call spent", () => {
  const spending = (text: string, more: object = {}) =>
    making(
      [{ calls: [{ name: "buy" }] }, { calls: [{ name: "buy" }] }, { calls: [{ name: "buy" }] }],
      (tool) => [
        tool("buy", (_input, ctx) => {
          ctx.spend({ service: "shop", cost: usd(0.4) });
          if (text === "throws") throw new Error("sold out");
          return text;
        }),
      ],
      { agent: { budget: { money: usd(0.8) }, ...more } },
    );

  for (const text of ["bought", "throws"])
    it(`counts once, before and after a replay, also where the call ${text}`, async () => {
      const both = await attemptsAlike(spending(text));
      assertDoneOnce(both);
      assert.equal(both.whole.done.filter((what) => what === "buy").length, 2);
      for (const { attempted } of [both.whole, ...both.replays]) {
        const { code, data, partial } = attempted.error as {
          code: string;
          data: unknown;
          partial: { calls: { spend: unknown }[] };
        };
        assert.deepEqual([code, data], ["budget.exceeded", { kind: "money", limit: 0.8, used: 0.8 }]);
        assert.deepEqual(
          partial.calls.map(({ spend }) => spend),
          [[{ service: "shop", cost: usd(0.4) }], [{ service: "shop", cost: usd(0.4) }]],
        );
      }
    });

  it("counts where the call timed out, too", async () => {
    const make = making(
      [{ calls: [{ name: "buy" }] }, { calls: [{ name: "buy" }] }, { calls: [{ name: "buy" }] }],
      (tool) => [
        tool(
          "buy",
          (_input, ctx) => {
            ctx.spend({ service: "shop", cost: usd(0.4) });
            return new Promise(() => undefined);
          },
          { timeout: milliseconds(1) },
        ),
      ],
      { agent: { budget: { money: usd(0.8) } }, app: { clock: systemClock } },
    );
    const both = await attemptsAlike(make);
    assertDoneOnce(both);
    for (const { attempted } of [both.whole, ...both.replays]) {
      const { data, partial } = attempted.error as { data: unknown; partial: { calls: { status: string }[] } };
      assert.deepEqual(data, { kind: "money", limit: 0.8, used: 0.8 });
      assert.deepEqual(
        partial.calls.map(({ status }) => status),
        ["timed-out", "timed-out"],
      );
    }
  });

  it("is kept over a question that the tool asks, with what it noted", async () => {
    const make = making([{ calls: [{ name: "buy" }] }, "done"], (tool) => [
      tool("buy", (_input, ctx) => {
        ctx.spend({ service: "shop", cost: usd(ctx.answer === undefined ? 0.25 : 0.5) });
        ctx.meta(ctx.answer === undefined ? { asked: true } : { bought: true });
        return ctx.answer === undefined ? ask({ question: "Which?" }) : "bought";
      }),
    ]);
    const { whole, replays } = await attemptsAlike(make, { settle: answering });
    for (const { attempted, length } of [whole, ...replays])
      assert.deepEqual(
        [attempted.result?.calls[0]?.spend, attempted.result?.calls[0]?.meta],
        [
          [
            { service: "shop", cost: usd(0.25) },
            { service: "shop", cost: usd(0.5) },
          ],
          { asked: true, bought: true },
        ],
        `from entry ${length}`,
      );
  });

  it("counts in the budget also where it was spent before a question", async () => {
    const make = making(
      [{ calls: [{ name: "buy" }] }, { calls: [{ name: "buy" }] }],
      (tool) => [
        tool("buy", (_input, ctx) => {
          ctx.spend({ service: "shop", cost: usd(ctx.answer === undefined ? 0.5 : 0.25) });
          return ctx.answer === undefined ? ask({ question: "Which?" }) : "bought";
        }),
      ],
      { agent: { budget: { money: usd(0.75) } } },
    );
    const { whole, replays } = await attemptsAlike(make, { settle: answering });
    for (const { attempted, length } of [whole, ...replays]) {
      const { data } = attempted.error as { data: unknown };
      assert.deepEqual(data, { kind: "money", limit: 0.75, used: 0.75 }, `from entry ${length}`);
    }
  });

  it("counts with the next step where it was paid after the call had settled, and from that entry on", async () => {
    const make = (): Work => {
      let late: ToolContext["spend"] | undefined;
      return making(
        [{ calls: [{ name: "buy" }] }, { calls: [{ name: "look" }] }, { calls: [{ name: "buy" }] }, "over"],
        (tool) => [
          tool("buy", (_input, ctx) => {
            late = ctx.spend;
            ctx.spend({ service: "shop", cost: usd(2) });
          }),
          tool("look", () => late?.({ service: "shop", cost: usd(1) })),
        ],
        { agent: { budget: { money: usd(5) } } },
      )();
    };
    const { whole, replays } = await attempts(make, { order: { threadId: "t" } });
    const keys = whole.attempted.journal.map(({ key }) => key);
    const told = replays.filter(({ length }) => length > keys.indexOf("model:2"));
    assert.ok(told.length > 3 && keys.at(-1) === "save");
    for (const { attempted, length } of [whole, ...told]) {
      const { data } = attempted.error as { data: unknown };
      assert.deepEqual(data, { kind: "money", limit: 5, used: 5 }, `from entry ${length}`);
    }
  });
});

describe("an approval", () => {
  const pays = [{ calls: [{ name: "pay" }] }, "done"];

  it("is asked for through a channel once, and the policy is asked once", async () => {
    const sent: string[] = [];
    let asked = 0;
    const channel: Channel = {
      name: "post",
      send: ({ pauseId }) => {
        sent.push(pauseId);
        return awaitReply();
      },
    };
    const policy = () => {
      asked++;
      return "needs-approval";
    };
    const make = making(pays, (tool) => [tool("pay", () => "paid", { policy })], {
      app: { approvals: { channel } },
    });
    const both = await attemptsAlike(make, { settle: approving });
    assertDoneOnce(both);
    const keys = both.whole.attempted.journal.map(({ key }) => key);
    const before = (key: string): number => 1 + keys.indexOf(`call:0:0/${key}`);
    assert.equal(sent.length, before("approval:send"));
    assert.equal(asked, before("decide"));
    // One question has one id, made before anybody hears of it.
    assert.equal(new Set(sent).size, before("approval:ask"));
  });

  it("is looked at by what is fixed once more, before the call runs", async () => {
    const allow = making(pays, (tool) => [tool("pay", () => "paid", { policy: "needs-approval" })]);
    const { whole } = await attemptsAlike(allow, { settle: approving });
    const { journal } = whole.attempted;
    const answered = journal.slice(0, 1 + journal.findIndex(({ key }) => key === "call:0:0/approval"));
    const deny = making(pays, (tool) => [tool("pay", () => "paid", { policy: "needs-approval" })], {
      app: { rules: [() => ({ verdict: "deny", reason: "the till is shut" })] },
    })();
    const { result } = await attempt(deny.process, { journal: answered });
    assert.deepEqual(
      [result?.calls[0]?.status, result?.calls[0]?.text, deny.done],
      ["denied", "Tool error: the till is shut", ["model 1"]],
    );
  });

  it("was given before a rule came that refuses: what had been looked at stands", async () => {
    const allow = making(pays, (tool) => [tool("pay", () => "paid", { policy: "needs-approval" })]);
    const { whole } = await attemptsAlike(allow, { settle: approving });
    const { journal } = whole.attempted;
    const checked = journal.slice(0, 1 + journal.findIndex(({ key }) => key === "call:0:0/recheck"));
    const deny = making(pays, (tool) => [tool("pay", () => "paid", { policy: "needs-approval" })], {
      app: { rules: [() => "deny"] },
    })();
    const { result } = await attempt(deny.process, { journal: checked });
    assert.deepEqual([result?.calls[0]?.status, deny.done], ["ok", ["pay", "model 1"]]);
  });

  for (const [how, answer] of [
    ["", { decision: "approve" }],
    [", also with an edit", { decision: "approve", arguments: { cents: 1 } }],
  ] as const)
    it(`is asked for anew where the tool was changed, five times at most${how}`, async () => {
      let version = 0;
      const changing = (done: string[]): AnyTool =>
        ({
          name: "pay",
          get description() {
            return `Pays, version ${++version}`;
          },
          inputSchema: { type: "object" },
          source: "custom",
          policy: "needs-approval",
          execute: () => done.push("paid"),
        }) as never;
      const done: string[] = [];
      let asked = 0;
      const make = making(pays, () => [changing(done)]);
      const { result } = await attempt(make().process, {
        settle: () => {
          asked++;
          return { type: "answer", value: { ...answer } };
        },
      });
      assert.deepEqual(
        [asked, done, result?.calls[0]?.status, result?.calls[0]?.text],
        [
          5,
          [],
          "declined",
          "Tool error: the call was declined: the tool changed each time somebody had approved the call",
        ],
      );
    });
});
