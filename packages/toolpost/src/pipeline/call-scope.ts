// Everything a call shares with its run, and the slots an application fills.
// Types only: the pipeline reads them, the app makes them, nobody else needs them.

import type { Ask, ChannelAnswer } from "../core/approval.ts";
import type { Budget, Spend, Usage } from "../core/budget.ts";
import type { Used } from "../core/child-run.ts";
import type { User } from "../core/context.ts";
import type { AgentEvent } from "../core/event.ts";
import type { ArtefactStore, Hooks, Log, LogEntry, Redact } from "../core/govern.ts";
import type { LanguageModel, Model } from "../core/model.ts";
import type { NormalVerdict, PolicyQuestion, PolicyRun, ToolErrors, Verdict } from "../core/policy.ts";
import type { AnyTool } from "../core/tool.ts";
import type { LazyAbort } from "../std/abort.ts";
import type { Gate } from "../std/async.ts";
import type { Clock } from "../std/clock.ts";
import type { Json } from "../std/json.ts";

/** Rejects where the channel fails or gives an answer of another kind. */
export type SendAsk = (ask: Ask, signal: AbortSignal) => Promise<ChannelAnswer>;

/** A channel as a call has it. */
export interface Sender {
  /** Its name, for the record of what it decides. */
  readonly channel: string;
  readonly send: SendAsk;
}

/** What is the same for every call of an agent or toolkit. */
export interface CallSlots {
  readonly clock: Clock;
  readonly redact: Redact;
  readonly hooks: readonly Hooks[];
  /** Joins the tool's verdict with rules and floor. Never throws. */
  readonly decide: (
    question: PolicyQuestion & { readonly definition: AnyTool },
    toolVerdict: Verdict | undefined,
  ) => NormalVerdict;
  /**
   * How questions of a tool reach a person: passes one on and checks the answer. `undefined` where nobody carries
   * them: then they wait for the owner of the run.
   */
  readonly senderFor: (tool: AnyTool) => Sender | undefined;
  readonly log: Log;
  /** Logs at most one entry per key. */
  readonly logOnce: (key: object, entry: LogEntry) => void;
  readonly artefacts: ArtefactStore | undefined;
  /** What an approval of this call stands for, as a hash: the tool as it is defined, its arguments, the caller. */
  readonly bindingOf: (tool: AnyTool, input: Json, userId: string | undefined) => string;
  /** Opens a model that a tool asks, attended as those of agents are. */
  readonly openModel: (model: string | LanguageModel | Model) => Promise<Model>;
  /** Dollars a reply of the model cost; `undefined` where nobody gave its price and it may have one. */
  readonly costOf: (model: Model, usage: Usage) => number | undefined;
  /** How long an approval may wait, milliseconds; `undefined` for ever. */
  readonly approvalExpiry: number | undefined;
  readonly defaults: CallDefaults;
}

/** Used where a tool says nothing itself. */
export interface CallDefaults {
  /** Milliseconds; `undefined` for no deadline. */
  readonly timeout: number | undefined;
  /** Bytes. */
  readonly maxResultSize: number;
  readonly toolErrors: ToolErrors;
  readonly maxToolCalls: number;
}

/** One run's part: changes while the run goes on. */
export interface CallScope {
  readonly slots: CallSlots;
  readonly runId: string;
  readonly threadId: string | undefined;
  readonly ownerId: string | undefined;
  readonly tenant: string | undefined;
  readonly user: User | undefined;
  readonly data: unknown;
  readonly agent: string | undefined;
  /** Path of the agent or step the calls belong to. */
  readonly nodeId: string;
  readonly abort: LazyAbort;
  readonly gate: Gate;
  readonly budget: Budget;
  /** The model turn, from 0. */
  readonly visit: number;
  /** Calls that started so far. */
  started: number;
  /** The run as it stands for the policy of a call at a place of the turn under way: the turn's later calls are not in it. */
  policyRun(position: number): PolicyRun;
  /**
   * Aborted by `endWaits`. Code between the steps of a call goes by this, never by `abort` or `failure`: those change in
   * the middle of a step, where a replay would not see them at the same place.
   */
  readonly waits: LazyAbort;
  /**
   * Nobody of this turn may wait for a person any more: a call that has settled ended the run, or settled by its end.
   * `isCancelled` where the run was cancelled.
   */
  endWaits(isCancelled: boolean): void;
  /** Whether the run was cancelled, by a call that has settled or from outside. Between steps this stands for `abort`. */
  readonly isCancelled: boolean;
  /** An entry of a call tells what the run has ended by. */
  noteEndTold(): void;
  usage(): Usage;
  /** What a run of this tool below this one is started with, as JSON; `undefined` where none can start. */
  childOrder(tool: AnyTool, input: unknown): Json | undefined;
  /** Takes what a run below has used into the run's account. */
  noteUsed(used: Used): void;
  /** Takes what was paid for outside of any call under way. Throws `tool.invalid-setting` for what cannot be counted. */
  spendLate(spend: Spend): void;
  /**
   * For a call that was decided when its tool was there: where a source that cannot be asked now may bring it, gives the run
   * up to be tried again, and never resolves.
   */
  untilToolsAreBack(): Promise<never> | undefined;
  /** Whether a call of the tool counts against `maxToolCalls` and budgets: all but the framework's own do. */
  counts(tool: AnyTool): boolean;
  /** Milliseconds since the epoch, read once for all that follows without a wait. */
  readonly now: number;
  /** Something was waited for, or may have taken long: the time is read anew. */
  timePassed(): void;
  emit(event: AgentEvent): void;
  /** What makes the run reject, once anything does. */
  readonly failure: { readonly error: unknown; readonly abort: boolean } | undefined;
  /** Ends the run after this turn. */
  stop(): void;
  /**
   * Makes the run reject with `error`; the first one counts. With `abort` its other calls are cancelled at once, with
   * a reason that holds nothing of the error: it may be one that no model must read.
   */
  fail(error: unknown, abort: boolean): void;
  onDispose(dispose: () => void | Promise<void>): void;
}
