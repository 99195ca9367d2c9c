// A run made of a seed: an agent with tools of every kind of end, what its model says, and what people and time do to it.
// Each process of the run is made anew by `make`; what happens to it from outside may differ from one to the next.
import { z } from "zod";
import { defineAgent } from "../../src/agent/define-agent.ts";
import { defineTool } from "../../src/author/define-tool.ts";
import type { Channel, ChannelAnswer } from "../../src/core/approval.ts";
import { awaitReply, decided } from "../../src/core/approval.ts";
import type { ToolContext } from "../../src/core/context.ts";
import { FatalToolError } from "../../src/core/errors.ts";
import type { PolicyQuestion } from "../../src/core/policy.ts";
import { ask, error } from "../../src/core/result.ts";
import type { Leaf } from "../../src/core/run.ts";
import type { AnyTool } from "../../src/core/tool.ts";
import { scriptedModel } from "../../src/models/scripted-model.ts";
import type { ScriptedReply } from "../../src/models/scripted-reply.ts";
import type { Json } from "../../src/std/json.ts";
import { milliseconds, minutes, seconds, usd } from "../../src/std/units.ts";
import type { FakeClock } from "../../src/testing/fake-clock.ts";
import { fakeClock } from "../../src/testing/fake-clock.ts";
import { memoryThreads } from "../../src/threads/memory-threads.ts";
import type { Process } from "./attempts.ts";
import type { ListKernel } from "./list-kernel.ts";
import { after } from "./list-kernel.ts";
import { Random } from "./random.ts";

/** One process of the run. */
export interface RandomProcess {
  readonly process: Process;
  /** Calls whose tool was entered, turns the model was asked in, questions a channel carried, calls a policy was asked of. */
  readonly done: string[];
  readonly moved: (kernel: ListKernel) => void;
}

export interface RandomRun {
  readonly order: { readonly [option: string]: Json };
  /** `number` tells the processes apart: what happens to each is another matter. */
  readonly make: (number: number) => RandomProcess;
}

const ends = [
  "ok",
  "ok",
  "ok",
  "throws",
  "error",
  "fatal",
  "abort",
  "stop",
  "hangs",
  "late",
  "asks",
  "asks twice",
  "spends",
];
type End = (typeof ends)[number];

interface ToolPlan {
  readonly name: string;
  readonly end: End;
  /** Turns of the microtask queue; undefined for a synchronous tool. */
  readonly turns: number | undefined;
  readonly policy: "none" | "approval" | "executed" | "count" | "slow";
  readonly more: object;
  readonly hook: "none" | "slow" | "throws" | "changes";
}

function planTool(random: Random, index: number): ToolPlan {
  const maybe = (share: number, more: object): object => (random.chance(share) ? more : {});
  return {
    name: `t${index}`,
    end: random.of(ends),
    turns: random.chance(0.3) ? undefined : random.below(random.chance(0.5) ? 6 : 60),
    policy: random.of(["none", "none", "none", "approval", "approval", "executed", "count", "slow"]),
    hook: random.chance(0.85) ? "none" : random.of(["slow", "slow", "throws", "changes"]),
    more: {
      ...maybe(0.5, { annotations: { idempotent: true } }),
      ...maybe(0.5, { onUnknown: random.of(["ask", "tell-model", "fail"]) }),
      ...maybe(0.1, { endsRun: true }),
      ...maybe(0.15, { exclusive: true }),
      ...maybe(0.1, { toolErrors: "throw" }),
      ...maybe(0.4, { channel: random.of(["decides", "awaits", "hangs", "throws"]) }),
      ...maybe(0.3, { timeout: milliseconds(1 + random.below(5_000)) }),
    },
  };
}

/** Of `count` tools, called `t0` and so on; the agent below is `below`. */
function planReply(random: Random, turn: number, count: number, hasOutput: boolean): ScriptedReply {
  const calls = Array.from({ length: 1 + random.below(5) }, (_none, position) => {
    const id = `c${turn}_${position}`;
    if (random.chance(0.08)) return { id, name: "below", input: { message: "go" } };
    if (hasOutput && random.chance(0.15)) return { id, name: "answer-desk", input: { n: 1 } };
    if (random.chance(0.05)) return { id, name: "ask-user", input: { question: "Which?" } };
    if (random.chance(0.05)) return { id, name: random.of(["t0", "nobody"]), input: random.of(["{", '{"n":"x"}']) };
    return { id, name: `t${random.below(count)}`, input: random.chance(0.5) ? {} : { n: random.below(9) } };
  });
  return {
    calls,
    usage: { inputTokens: random.below(50), outputTokens: random.below(20) },
    ...(random.chance(0.2) ? { text: `said ${turn}` } : {}),
    ...(random.chance(0.03) ? { error: true as const } : {}),
    ...(random.chance(0.05) ? { delayMs: 1_000 } : {}),
  };
}

export function randomRun(seed: number): RandomRun {
  const random = new Random(seed);
  const maybe = (share: number, more: object): object => (random.chance(share) ? more : {});
  const hasOutput = random.chance(0.15);
  const tools = Array.from({ length: 1 + random.below(6) }, (_none, index) => planTool(random, index));
  const replies: ScriptedReply[] = Array.from({ length: 1 + random.below(4) }, (_none, turn) =>
    planReply(random, turn, tools.length, hasOutput),
  );
  const budget = {
    ...maybe(0.15, { calls: 1 + random.below(6) }),
    ...maybe(0.15, { tokens: 20 + random.below(200) }),
    ...maybe(0.15, { money: usd(0.5 + random.below(3)) }),
    ...maybe(0.15, { time: seconds(1 + random.below(9)) }),
  };
  const agent = {
    asks: true,
    ...(hasOutput ? { output: z.object({ n: z.number() }) } : {}),
    maxRetries: 0,
    budget,
    ...maybe(0.3, { maxToolCalls: 1 + random.below(8) }),
    ...maybe(0.2, { maxFailures: 1 + random.below(3) }),
    ...maybe(0.15, { maxSteps: 1 + random.below(3) }),
    ...maybe(0.3, { maxConcurrency: 1 + random.below(3) }),
    ...maybe(0.3, { history: { turns: 1, summaries: 1, summarise: () => "before" } }),
    ...maybe(tools.length > 1 ? 0.1 : 0, { requires: { t0: ["t1"] } }),
  };
  const approvals = {
    ...maybe(0.3, { expireAfter: minutes(1 + random.below(3)) }),
    ...maybe(0.2, { channel: random.of(["decides", "awaits", "hangs", "throws"]) }),
  };
  const order = { ...maybe(0.5, { threadId: "t" }), ...maybe(0.3, { stream: false }) } as RandomRun["order"];
  const make = (number: number): RandomProcess =>
    processOf({ tools, replies, agent, approvals }, new Random(seed * 1_000 + number), number);
  return { order, make };
}

interface RunPlan {
  readonly tools: readonly ToolPlan[];
  readonly replies: readonly ScriptedReply[];
  readonly agent: object;
  readonly approvals: { readonly channel?: string };
}

function processOf(plan: RunPlan, random: Random, number: number): RandomProcess {
  const done: string[] = [];
  // Each process begins later than the one before.
  const clock = fakeClock(1_000 + number * 60_000);
  const model = scriptedModel(
    ({ prompt }) => {
      const asked = prompt.findLastIndex(
        ({ role, content }) => role === "user" && JSON.stringify(content).includes('"go"'),
      );
      const turn = prompt.slice(asked).filter(({ role }) => role === "assistant").length;
      done.push(`model:${turn}`);
      return plan.replies[turn] ?? "done";
    },
    { clock },
  );
  const below = defineAgent({ name: "below", description: "Helps", model: scriptedModel([]), tools: [] });
  const desk = defineAgent({
    name: "desk",
    description: "Answers",
    model,
    tools: [...plan.tools.map((each) => toolOf(each, done, clock)), below],
    ...plan.agent,
  });
  const threads = memoryThreads();
  for (const text of ["first", "second", "third"])
    void threads.append(
      { threadId: "t", ownerId: undefined },
      [
        { role: "user", content: [{ type: "text", text }] },
        { role: "assistant", content: [{ type: "text", text }] },
      ],
      `before ${text}`,
    );
  const channels = ["decides", "awaits", "hangs", "throws"].map((name) => channelOf(name, done, clock));
  const { channel, ...approvals } = plan.approvals;
  const main = channels.find(({ name }) => name === channel);
  const hooks = plan.tools.flatMap(({ name, hook }) => (hook === "none" ? [] : [{ name, hook }]));
  const beforeTool = async ({ tool }: { readonly tool: string }) => {
    const hook = hooks.find(({ name }) => name === tool)?.hook;
    if (hook !== undefined) await pass(10);
    if (hook === "throws") throw new Error("not today");
    return hook === "changes" ? { input: { n: 7 } } : undefined;
  };
  return {
    done,
    moved: movedBy(random, clock),
    process: {
      agents: [desk, below],
      clock,
      threads,
      approvals: { ...approvals, channels, ...(main === undefined ? {} : { channel: main }) },
      hooks: hooks.length === 0 ? [] : [{ beforeTool, afterTool: () => pass(3) }],
    },
  };
}

async function pass(turns: number): Promise<void> {
  for (let turn = 0; turn < turns; turn++) await undefined;
}

function toolOf({ name, end, turns, policy, more }: ToolPlan, done: string[], clock: FakeClock): AnyTool {
  const policies = {
    none: undefined,
    approval: "needs-approval",
    executed: ({ run }: PolicyQuestion) => (run.executed.includes("t0") ? "deny" : "allow"),
    count: ({ run }: PolicyQuestion) => (run.executed.length % 2 === 0 ? "needs-approval" : "allow"),
    slow: ({ run }: PolicyQuestion) => pass(5).then(() => (run.executed.includes(name) ? "deny" : "allow")),
  };
  const own = policies[policy];
  const policyOf =
    typeof own === "function"
      ? (question: PolicyQuestion) => {
          done.push(`policy ${question.callId}`);
          return own(question);
        }
      : own;
  const execute = (input: Json, ctx: ToolContext): unknown => {
    done.push(`tool ${ctx.callId}`);
    const come = (): unknown => comeTo(end, input, ctx, clock);
    return turns === undefined ? come() : pass(turns).then(come);
  };
  return defineTool({
    name,
    description: "Does",
    input: z.object({ n: z.number().default(5) }),
    ...(policyOf === undefined ? {} : { policy: policyOf }),
    ...more,
    execute,
  } as never) as unknown as AnyTool;
}

function comeTo(end: End, input: Json, ctx: ToolContext, clock: FakeClock): unknown {
  switch (end) {
    case "throws":
      throw new Error("no luck");
    case "error":
      return error("not so");
    case "fatal":
      throw new FatalToolError("the vault is open");
    case "abort":
      ctx.abort("enough");
      return "never read";
    case "stop":
      ctx.stop();
      return "halting";
    case "hangs":
      return new Promise((resolve) => clock.schedule(20_000, () => resolve("at last")));
    case "late": {
      // It goes on when its call is settled.
      const late = [ctx.abort, ctx.stop, () => ctx.spend({ service: "shop", cost: usd(0.5) })][
        Number(ctx.callId.at(-1)) % 3
      ];
      return new Promise(() => clock.schedule(20_000, () => late?.("too late")));
    }
    case "asks":
    case "asks twice": {
      const round = ctx.askState === undefined ? 0 : (ctx.askState as number);
      ctx.spend({ service: "shop", cost: usd(0.25) });
      if (round < (end === "asks" ? 1 : 2)) return ask({ question: "Which?", state: round + 1 });
      return [ctx.answer, round];
    }
    case "spends":
      ctx.spend({ service: "shop", cost: usd(0.5) });
      ctx.meta({ bought: true });
      return "bought";
    default:
      return [input, ctx.idempotencyKey];
  }
}

function channelOf(name: string, done: string[], clock: FakeClock): Channel {
  return {
    name,
    send: async ({ pauseId, value }): Promise<ChannelAnswer> => {
      done.push(`send ${pauseId}`);
      await pass(name.length);
      if (name === "throws") throw new Error("no line");
      if (name === "hangs") await new Promise<void>((resolve) => clock.schedule(200_000, resolve));
      if (name !== "decides") return awaitReply();
      return decided(value.kind === "approval" ? { decision: "approve" } : { reply: value.choices?.[0] ?? "decided" });
    },
  };
}

/** What people and time do to a process. */
function movedBy(random: Random, clock: FakeClock): (kernel: ListKernel) => void {
  return (kernel) => {
    const longest = random.of([0, 1, 4, 12]);
    kernel.pace = () => pass(random.below(longest + 1));
    const settleOne = (open: readonly Leaf[]): boolean => {
      const leaves = kernel
        .waiting(open)
        .filter(({ op }) => op.kind !== "timer" || kernel.isIdle(open) || op.at <= clock.now());
      if (leaves.length === 0) return false;
      const leaf = random.of(leaves);
      kernel.settle(leaf.op.key, answerTo(leaf, kernel, random), open);
      return true;
    };
    kernel.onIdle = (open) => {
      if (!settleOne(open)) throw new Error(`nothing is to come of ${open.map(({ op }) => op.key).join()}`);
    };
    kernel.onOpen = (open) => {
      if (random.chance(0.15)) settleOne(open);
      else if (random.chance(0.05)) void clock.advance(seconds(1 + random.below(6)));
    };
    let stalls = 0;
    kernel.onBusy = async (open) => {
      const before = kernel.arrivals;
      await after(5);
      if (kernel.arrivals !== before) return;
      if (random.chance(0.4) && settleOne(open)) return;
      if (clock.pending === 0 && ++stalls > 50)
        throw new Error(`stands still at ${open.map(({ op }) => op.key).join()}`);
      await clock.advance(seconds(1 + random.below(random.chance(0.5) ? 10 : 100)));
    };
  };
}

function answerTo({ op }: Leaf, kernel: ListKernel, random: Random): Json {
  const closed = kernel.closedAs(op.key);
  if (closed !== undefined && random.chance(0.7)) return closed;
  if (op.kind === "timer") return null;
  if (op.kind === "child") return childEnd(random);
  const value =
    op.kind === "pause" ? (op.request.data as { value: { kind: string; choices?: string[] } }).value : undefined;
  if (value?.kind === "question") {
    const reply = value.choices === undefined ? "blue" : random.of(value.choices);
    return { type: "answer", value: { reply } };
  }
  const answers: Json[] = [
    { decision: "approve" },
    { decision: "approve" },
    { decision: "decline", comment: "no" },
    { decision: "approve", arguments: { n: 3 } },
    { decision: "approve", arguments: { n: "three" } },
  ];
  return { type: "answer", value: random.of(answers) };
}

function childEnd(random: Random): Json {
  const usage = { inputTokens: 5, outputTokens: 5, totalTokens: 10, reasoningTokens: 0, cachedInputTokens: 0 };
  const used = { usage, usd: 0.25, calls: 1 };
  const failed = (code: string): Json => ({ ok: false, error: { message: "no luck", code, data: { account: used } } });
  return random.of<Json>([
    { ok: true, value: { status: "done", text: "helped", used } },
    { ok: true, value: { status: "stopped", stoppedBy: "steps", text: "half", used } },
    failed("model.failed"),
    failed("run.cancelled"),
    { ok: false, error: { message: "a tool ended the run", code: "tool.fatal" } },
  ]);
}
