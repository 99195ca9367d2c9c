// The state of one run: what it has used, said and called, and what its calls share. One per run.
// It holds and answers; the loop moves it. Listeners cannot harm it: their throws are logged once.

import type { Budget, Spend, Usage } from "../core/budget.ts";
import { noUsage } from "../core/budget.ts";
import type { Used } from "../core/child-run.ts";
import type { AgentEvent } from "../core/event.ts";
import type { Message } from "../core/message.ts";
import type { ModelDelta, ModelReply, ModelRequest } from "../core/model.ts";
import type { PolicyRun } from "../core/policy.ts";
import type { ToolResult } from "../core/result.ts";
import type { Run } from "../core/run.ts";
import type { PartialRun } from "../core/run-errors.ts";
import { RunCancelledError } from "../core/run-errors.ts";
import type { AnyTool } from "../core/tool.ts";
import { countingBudget, createBudget, usdOf } from "../pipeline/budget-meter.ts";
import { count } from "../pipeline/call-context.ts";
import type { CallSlots } from "../pipeline/call-scope.ts";
import { Disposal } from "../pipeline/disposal.ts";
import { abortText, LazyAbort } from "../std/abort.ts";
import type { Broadcast } from "../std/async.ts";
import { Gate } from "../std/async.ts";
import type { Json } from "../std/json.ts";
import { toJson } from "../std/json.ts";
import { isPromiseLike } from "../std/soon.ts";
import { askTool } from "./ask-tool.ts";
import type { TextDelta } from "./delta-log.ts";
import { DeltaLog } from "./delta-log.ts";
import type { SettledCall } from "./executed-names.ts";
import { withExecuted } from "./executed-names.ts";
import type { PreparedAgent, RunStart } from "./prepared-agent.ts";
import type { WaveScope } from "./waves.ts";

const ENDED = "the run ended with an error";

/** What moves a run, and who hears of it. */
export interface RunPlace {
  readonly run: Run;
  readonly abort: LazyAbort;
  /**
   * Aborted by who cancels the run from outside, where the run keeps a journal: nothing is journaled from then on. All else
   * that aborts the run counts once an entry tells of it.
   */
  readonly cancel?: LazyAbort;
  readonly events: Broadcast<AgentEvent>;
  /** Gives the run up, to be tried again. Only where it is kept. */
  readonly leave?: (reason: unknown) => void;
}

export class AgentRun implements WaveScope {
  readonly agentSetup: PreparedAgent;
  readonly start: RunStart;
  readonly abort: LazyAbort;
  readonly #cancel: LazyAbort;
  readonly budget: Budget;
  readonly run: Run;
  readonly events: Broadcast<AgentEvent>;
  /** System prompt, thread and run in one array that only grows. */
  prompt: Message[] = [];
  readonly executed: string[] = [];
  readonly calls: ToolResult[] = [];
  /** The last request; good for the next turn where nothing of it has changed. */
  request: ModelRequest | undefined = undefined;
  /** Of the model, for what it makes of the prompt. */
  readonly memo: { made: unknown } = { made: undefined };
  visit = 0;
  started = 0;
  steps = 0;
  text = "";
  /** Said in replies that the provider paused: what comes next goes on with it. */
  #pausedText = "";
  /** Of the reply under way, as far as it was streamed. */
  arriving = "";
  failuresInARow = 0;
  /** Of the last reply: what the next one costs at least. */
  lastTokens = 0;
  isStopAsked = false;
  /** What the step under way took into the account. */
  lateSpend: readonly Spend[] | undefined = undefined;
  failure: { readonly error: unknown; readonly abort: boolean } | undefined = undefined;
  #usage: Usage = noUsage;
  #late: Spend[] | undefined = undefined;
  #time: number | undefined = undefined;
  #waits: LazyAbort | undefined = undefined;
  #isEndTold = false;
  #isCancelTold = false;
  #ofThisTurn: SettledCall[] = [];
  #gate: Gate | undefined = undefined;
  #deltas: DeltaLog | undefined = undefined;
  #ownFrom = 0;
  /** Made when first asked for: a run with calls in one turn only never does. */
  #usedIds: Set<string> | undefined = undefined;
  /** Messages of the prompt whose calls are in it. */
  #idsNoted = 0;
  #disposal: Disposal | undefined = undefined;
  readonly #leave: RunPlace["leave"];

  constructor(agentSetup: PreparedAgent, start: RunStart, { run, abort, cancel = abort, events, leave }: RunPlace) {
    this.agentSetup = agentSetup;
    this.start = start;
    this.run = run;
    this.abort = abort;
    this.#cancel = cancel;
    this.events = events;
    this.#leave = leave;
    this.budget = budgetOf(agentSetup, start);
    if (start.above?.asksNobody === true) this.endWaits(false);
  }

  /** Begins the conversation, after what was said before the run. */
  open(history: readonly Message[]): void {
    const { message } = this.start;
    const { system } = this.agentSetup;
    this.prompt =
      system === undefined ? [...history, message] : [{ role: "system", content: system }, ...history, message];
    this.#ownFrom = this.prompt.length - 1;
  }

  get slots(): CallSlots {
    return this.agentSetup.slots;
  }
  get runId(): string {
    return this.start.runId;
  }
  get threadId(): string | undefined {
    return this.start.threadId;
  }
  get ownerId(): string | undefined {
    return this.start.ownerId;
  }
  get tenant(): string | undefined {
    return this.start.tenant;
  }
  get user(): RunStart["user"] {
    return this.start.user;
  }
  get data(): unknown {
    return this.start.data;
  }
  get agent(): string {
    return this.agentSetup.name;
  }
  get nodeId(): string {
    return this.agentSetup.name;
  }

  /** Ids of all calls in the history. */
  get usedIds(): ReadonlySet<string> {
    while (this.#idsNoted < this.prompt.length) {
      const message = this.prompt[this.#idsNoted++];
      if (message?.role !== "assistant") continue;
      for (const part of message.content)
        if (part.type === "tool-call") (this.#usedIds ??= new Set()).add(part.toolCallId);
    }
    return this.#usedIds ?? noIds;
  }

  get gate(): Gate {
    this.#gate ??= new Gate(this.agentSetup.maxConcurrency);
    return this.#gate;
  }

  get waits(): LazyAbort {
    this.#waits ??= new LazyAbort();
    return this.#waits;
  }

  /** Every call that has a result, those of the turn under way last. */
  get settledCalls(): readonly ToolResult[] {
    return [...this.calls, ...this.#ofThisTurn.map(({ result }) => result)];
  }

  /** The messages this run added. */
  get messages(): readonly Message[] {
    return this.prompt.slice(this.#ownFrom);
  }

  usage(): Usage {
    return this.#usage;
  }

  partial(): PartialRun {
    return { text: this.text, messages: this.messages, usage: this.#usage, calls: this.calls };
  }

  get now(): number {
    this.#time ??= this.agentSetup.eventTime.read();
    return this.#time;
  }

  timePassed(): void {
    this.#time = undefined;
  }

  emit(event: AgentEvent): void {
    this.events.push(event);
    this.#tell(event);
  }

  /** Of the run itself, unless an attempt before may have told of it. */
  tell(event: AgentEvent): void {
    if (!this.run.isReplaying) this.emit(event);
  }

  /** A part of the reply that arrives. Where nobody listens, no event is made of one that another can take in. */
  emitDelta(delta: ModelDelta): void {
    const { type } = delta;
    if (type !== "text-delta" && type !== "reasoning-delta") return;
    if (type === "text-delta") this.arriving += delta.text;
    this.#deltas ??= new DeltaLog(this.events);
    const isTaken = this.#deltas.grow(delta, this.visit);
    if (isTaken && this.agentSetup.listeners.length === 0) return;
    const { runId, visit: step } = this;
    const event: TextDelta = {
      type,
      step,
      id: delta.id,
      text: delta.text,
      runId,
      at: this.agentSetup.eventTime.ofTurn(),
    };
    if (!isTaken) this.#deltas.add(event);
    this.#tell(event);
  }

  #tell(event: AgentEvent): void {
    for (const listener of this.agentSetup.listeners) {
      try {
        const answer = listener(event);
        if (isPromiseLike(answer))
          Promise.resolve(answer).catch((error: unknown) => this.#logListener(listener, error));
      } catch (error) {
        this.#logListener(listener, error);
      }
    }
  }

  stop(): void {
    this.isStopAsked = true;
  }

  fail(error: unknown, abort: boolean): void {
    this.failure ??= { error, abort };
    if (abort) this.abort.abort(ENDED);
  }

  onDispose(dispose: () => void | Promise<void>): void {
    this.#disposal ??= new Disposal();
    this.#disposal.add(dispose);
  }

  childOrder(tool: AnyTool, input: unknown): Json {
    const { tenant, user, data, isStreaming, above } = this.start;
    const { money, tokens, calls, time } = this.budget.left();
    return toJson({
      agent: tool.flow,
      message: [{ type: "text", text: (input as { readonly message: string }).message }],
      tenant,
      user,
      data,
      stream: isStreaming,
      above: {
        ...(this.waits.aborted ? { asksNobody: true } : {}),
        depth: (above?.depth ?? 0) + 1,
        limits: { money: money?.usd, tokens, calls, time: time?.ms },
      },
    });
  }

  noteUsed(used: Used): void {
    this.#usage = sumOf(this.#usage, used.usage);
    this.budget.addUsed(used);
  }

  /** Counts with the run's next step, whose entry tells of it: a replay is not at the same place in the middle of one. */
  spendLate(spend: Spend): void {
    usdOf(spend);
    this.#late ??= [];
    this.#late.push(spend);
  }

  /** Takes what was spent late into the run's account. */
  takeLate(): readonly Spend[] | undefined {
    const late = this.#late;
    this.#late = undefined;
    for (const spend of late ?? []) count(spend, this);
    return late;
  }

  /** For the account of a run above. */
  get used(): Used {
    return { usage: this.#usage, ...this.budget.used() };
  }

  untilToolsAreBack(): Promise<never> | undefined {
    const [missing] = this.agentSetup.missing;
    if (missing === undefined || this.#leave === undefined) return undefined;
    this.#leave(missing);
    return new Promise(() => undefined);
  }

  counts(tool: AnyTool): boolean {
    return tool !== this.agentSetup.answerTool && tool !== askTool;
  }

  noteResult(result: ToolResult, position: number): void {
    this.#ofThisTurn.push({ result, position });
  }

  policyRun(position: number): PolicyRun {
    const { runId, threadId, tenant, data } = this.start;
    if (this.executed.length === 0 && this.#ofThisTurn.length === 0)
      return { runId, threadId, tenant, data, executed: noNames };
    const run = { runId, threadId, tenant, data };
    withExecuted(run, {
      earlier: this.executed,
      earlierLength: this.executed.length,
      ofThisTurn: this.#ofThisTurn,
      ofThisTurnLength: this.#ofThisTurn.length,
      position,
    });
    return run as PolicyRun;
  }

  endWaits(isCancelled: boolean): void {
    if (isCancelled) this.#isCancelTold = true;
    this.waits.abort(ENDED);
  }

  get isCancelled(): boolean {
    return this.#isCancelTold || this.#cancel.aborted;
  }

  noteEndTold(): void {
    this.#isEndTold = true;
  }

  /** For the last step: people may be asked again. */
  reopenWaits(): void {
    this.#waits = undefined;
  }

  noteReply(reply: ModelReply, text: string): void {
    this.steps++;
    this.lastTokens = reply.usage.totalTokens;
    this.#usage = sumOf(this.#usage, reply.usage);
    this.budget.addUsage(reply.usage, this.agentSetup.costOf(reply.usage));
    this.arriving = "";
    const whole = this.#pausedText + text;
    if (whole !== "") this.text = whole;
    this.#pausedText = reply.isPaused === true ? whole : "";
  }

  /** Takes the results of a turn into the run's account, in the model's order. */
  noteTurn(results: readonly ToolResult[]): void {
    this.#ofThisTurn = [];
    for (const result of results) {
      this.calls.push(result);
      if (result.status === "ok") {
        this.executed.push(result.tool);
        this.failuresInARow = 0;
      } else if (result.status === "failed" || result.status === "timed-out" || result.status === "unknown") {
        this.failuresInARow++;
      }
    }
  }

  /** A step is over: no more deltas belong to it. */
  joinDeltas(): void {
    this.#deltas?.join();
  }

  /**
   * Throws what ends the run by rejecting, if anything does. What no entry tells of yet, as time ran out while one was
   * written, is told by the next request, which fails by it: a replay takes this way, too.
   */
  throwIfOver(): void {
    if (this.#isEndTold || this.#cancel.aborted) this.throwIfEnded();
  }

  /** The same within a step, which tells of it. */
  throwIfEnded(): void {
    if (this.failure !== undefined) throw this.failure.error;
    if (this.abort.aborted) throw new RunCancelledError(this.abort.reason, abortText(this.abort.reason));
  }

  /** `undefined` where nothing is to be disposed of. */
  dispose(): Promise<void> | undefined {
    return this.#disposal?.run(this.slots.log, this.slots.clock);
  }

  #logListener(listener: object, error: unknown): void {
    this.slots.logOnce(listener, { level: "error", message: "an event listener threw; the run goes on", error });
  }
}

function sumOf(sum: Usage, more: Usage): Usage {
  return {
    inputTokens: sum.inputTokens + more.inputTokens,
    outputTokens: sum.outputTokens + more.outputTokens,
    totalTokens: sum.totalTokens + more.totalTokens,
    reasoningTokens: sum.reasoningTokens + more.reasoningTokens,
    cachedInputTokens: sum.cachedInputTokens + more.cachedInputTokens,
  };
}

/** A run below another has what is left above it, and no more than its own. */
function budgetOf({ budget, slots }: PreparedAgent, { above }: RunStart): Budget {
  if (above === undefined) return createBudget(budget, slots.clock);
  const { money, tokens, calls, time } = above.limits;
  const limits = {
    ...(money === undefined ? {} : { money: { kind: "money" as const, usd: money } }),
    ...(tokens === undefined ? {} : { tokens }),
    ...(calls === undefined ? {} : { calls }),
    ...(time === undefined ? {} : { time: { kind: "duration" as const, ms: time } }),
  };
  return countingBudget(limits, slots.clock).child(budget);
}

const noIds: ReadonlySet<string> = new Set();
const noNames: readonly string[] = Object.freeze([]);
