// One governed call made by code, in a run of its own: the same path as a model's call.
// It gives a result where a run would go on, and rejects only where a run would.

import type { Channel } from "../core/approval.ts";
import type { Budget, Spend } from "../core/budget.ts";
import { noUsage } from "../core/budget.ts";
import type { Catalog } from "../core/catalog.ts";
import type { User } from "../core/context.ts";
import { ToolpostError } from "../core/errors.ts";
import type { AgentEvent, EventListener } from "../core/event.ts";
import type { PolicyRun } from "../core/policy.ts";
import type { ToolResult } from "../core/result.ts";
import type { AnyTool } from "../core/tool.ts";
import { InlineRun } from "../durable/inline-run.ts";
import type { PausedAsk } from "../pipeline/ask-person.ts";
import { pendingPause } from "../pipeline/ask-person.ts";
import type { CallScope, CallSlots } from "../pipeline/call-scope.ts";
import { callTool } from "../pipeline/call-tool.ts";
import { Disposal } from "../pipeline/disposal.ts";
import { follow, LazyAbort } from "../std/abort.ts";
import type { Gate } from "../std/async.ts";
import { randomId } from "../std/id.ts";
import type { Soon } from "../std/soon.ts";
import { isPromiseLike } from "../std/soon.ts";
import type { DirectCallOptions, SliceOptions } from "./call-options.ts";
import { sliceRunId } from "./call-options.ts";
import { senderThrough } from "./call-slots.ts";
import { takeCallOptions } from "./start-options.ts";

export interface DirectCallPlace {
  readonly slots: CallSlots;
  readonly catalog: Catalog;
  readonly gate: Gate;
  /** Fires when no call may start or go on any more. */
  readonly closing: LazyAbort;
  readonly executed: Executed;
  /** A single call has no limits, so one serves all. */
  readonly budget: Budget;
}

/** Names of tools that a toolkit's calls succeeded with, each once, however many calls there were. */
export interface Executed {
  names: readonly string[];
}

/** Calls a tool by name. Rejects with a `FatalToolError`, a throwing `beforeTool`, an error under `toolErrors: "throw"`. */
export function callDirectly(
  place: DirectCallPlace,
  name: string,
  input: unknown,
  options: DirectCallOptions,
): Promise<ToolResult> {
  try {
    if (place.closing.aborted) throw new ToolpostError("app.closed", "the toolkit is closed; no call can start");
    const taken = takeCallOptions(options);
    const scope = new DirectScope(taken.channel === undefined ? place : withChannel(place, taken.channel), taken);
    const call = {
      callId: scope.callId,
      tool: name,
      input: typeof input === "string" ? input : { json: input },
      position: 0,
    };
    const view = place.catalog.at(0, place.executed.names);
    if (taken.signal !== undefined) scope.followSignal(taken.signal);
    const outcome = callTool(scope.inline.run, call, view, scope);
    if (isPromiseLike(outcome) || scope.holdsDisposals) {
      scope.follow(place.closing);
      return endOf(outcome, call.tool, view, scope);
    }
    scope.letGo();
    return Promise.resolve(ended(outcome, scope));
  } catch (error) {
    return Promise.reject(error);
  }
}

/** The call's end, or that it waits. */
async function endOf(outcome: Soon<ToolResult>, name: string, view: Catalog, scope: DirectScope): Promise<ToolResult> {
  try {
    const first = isPromiseLike(outcome) ? await settledOrWaiting(outcome, scope) : outcome;
    if (first !== "waiting") return ended(first, scope);
    const waiting = waitingResult(scope.callId, name, view, scope);
    scope.mute();
    scope.abort.abort("nobody waits for this call any more");
    return ended(waiting, scope);
  } finally {
    scope.letGo();
    await scope.dispose();
  }
}

function ended(result: ToolResult, { failure, executed }: DirectScope): ToolResult {
  if (failure !== undefined) throw failure.error;
  if (result.status === "ok") noteExecuted(executed, result.tool);
  return result;
}

function settledOrWaiting(call: PromiseLike<ToolResult>, scope: DirectScope): Promise<ToolResult | "waiting"> {
  const waiting = new Promise<"waiting">((resolve) => {
    scope.inline.watcher = { onWaiting: () => resolve("waiting") };
  });
  return Promise.race([call, waiting]);
}

function noteExecuted(executed: Executed, name: string): void {
  if (!executed.names.includes(name)) executed.names = Object.freeze([...executed.names, name]);
}

function withChannel(place: DirectCallPlace, channel: Channel): DirectCallPlace {
  const { slots } = place;
  return { ...place, slots: { ...slots, senderFor: (tool) => slots.senderFor(tool) ?? senderThrough(channel) } };
}

function waitingResult(callId: string, name: string, view: Catalog, scope: DirectScope): ToolResult {
  const tool = view.find(name);
  const paused = scope.inline.pauses[0]?.request.data as unknown as PausedAsk | undefined;
  const pause = paused === undefined ? undefined : pendingPause(paused);
  return {
    callId,
    tool: name,
    source: tool?.source ?? "unknown",
    status: "waiting",
    isError: false,
    text: "",
    durationMs: 0,
    size: { total: 0, kept: 0, isTruncated: false },
    ...(pause?.pauseId === undefined ? {} : { pauseId: pause.pauseId }),
  };
}

class DirectScope implements CallScope {
  readonly callId: string;
  readonly runId: string;
  readonly abort: LazyAbort;
  readonly inline: InlineRun;
  started = 0;
  failure: { readonly error: unknown; readonly abort: boolean } | undefined = undefined;
  #isMuted = false;
  #letGoOfSignal: (() => void) | undefined = undefined;
  #letGoOfClosing: (() => void) | undefined = undefined;
  #time: number | undefined = undefined;
  #disposal: Disposal | undefined = undefined;
  readonly user: User | undefined;
  readonly tenant: string | undefined;
  readonly data: unknown;
  readonly #onEvent: EventListener | undefined;
  readonly #place: DirectCallPlace;

  constructor(place: DirectCallPlace, options: SliceOptions) {
    const { user, tenant, data, onEvent, callId } = options;
    this.user = user;
    this.tenant = tenant;
    this.data = data;
    this.#onEvent = onEvent;
    this.#place = place;
    this.abort = new LazyAbort(place.closing);
    // The caller's id stands for the execution: the same id is the same act, also in another process. One that is
    // made up is new each time, for the run and its only call alike.
    const id = callId ?? randomId("");
    this.callId = callId ?? `call_${id}`;
    this.runId = options[sliceRunId] ?? (callId === undefined ? `run_${id}` : `call_${callId}`);
    this.inline = new InlineRun(this.runId, this.abort, place.slots.clock);
  }

  // Getters, as a field costs each call, and most of these are read once or not at all.
  get slots(): CallSlots {
    return this.#place.slots;
  }
  get gate(): Gate {
    return this.#place.gate;
  }
  get budget(): Budget {
    return this.#place.budget;
  }
  get executed(): Executed {
    return this.#place.executed;
  }
  get ownerId(): string | undefined {
    return this.user?.id;
  }
  get threadId(): undefined {
    return undefined;
  }
  get agent(): undefined {
    return undefined;
  }
  get nodeId(): "direct" {
    return "direct";
  }
  get visit(): number {
    return 0;
  }
  /** One call alone: only its cancel ends its waits. */
  get waits(): LazyAbort {
    return this.abort;
  }

  endWaits(): void {
    // Nobody else waits.
  }

  get isCancelled(): boolean {
    return this.abort.aborted;
  }

  noteEndTold(): void {
    // No journal is kept.
  }

  /** The caller's signal cancels the call, also while it is decided. */
  followSignal(signal: AbortSignal): void {
    this.#letGoOfSignal = follow(signal, (reason) => this.abort.abort(reason));
  }

  /** The end of the toolkit cancels a call that goes on. */
  follow(closing: LazyAbort): void {
    this.#letGoOfClosing = closing.onAbort((reason) => this.abort.abort(reason));
  }

  letGo(): void {
    this.#letGoOfSignal?.();
    this.#letGoOfClosing?.();
  }

  /** No run can start below a single call. */
  childOrder(): undefined {
    return undefined;
  }

  noteUsed(): void {
    // A single call has no account.
  }

  spendLate(spend: Spend): void {
    this.budget.spend(spend);
  }

  untilToolsAreBack(): undefined {
    return undefined;
  }

  counts(_tool: AnyTool): boolean {
    return true;
  }

  policyRun(): PolicyRun {
    const { runId, threadId, tenant, data } = this;
    return { runId, threadId, tenant, data, executed: this.executed.names };
  }

  usage(): typeof noUsage {
    return noUsage;
  }

  /** What happens after the caller was told that the call waits is nobody's doing. */
  mute(): void {
    this.#isMuted = true;
  }

  get now(): number {
    this.#time ??= this.slots.clock.now();
    return this.#time;
  }

  timePassed(): void {
    this.#time = undefined;
  }

  emit(event: AgentEvent): void {
    if (this.#onEvent === undefined || this.#isMuted) return;
    try {
      const answer = this.#onEvent(event);
      if (isPromiseLike(answer)) Promise.resolve(answer).catch((error: unknown) => this.#logListener(error));
    } catch (error) {
      this.#logListener(error);
    }
  }

  stop(): void {
    // A single call has no next turn to keep from happening.
  }

  fail(error: unknown, abort: boolean): void {
    this.failure ??= { error, abort };
    if (abort) this.abort.abort("the run ended with an error");
  }

  onDispose(dispose: () => void | Promise<void>): void {
    this.#disposal ??= new Disposal();
    this.#disposal.add(dispose);
  }

  get holdsDisposals(): boolean {
    return this.#disposal !== undefined;
  }

  async dispose(): Promise<void> {
    await this.#disposal?.run(this.slots.log, this.slots.clock);
  }

  #logListener(error: unknown): void {
    if (this.#onEvent !== undefined)
      this.slots.logOnce(this.#onEvent, {
        level: "error",
        message: "an event listener threw; the call goes on",
        error,
      });
  }
}
