// A governed call under way: what its steps hand on to each other. One object for all of them, as a closure for each
// step of each call would cost more than the steps.

import type { ToolCall } from "../core/call.ts";
import type { Catalog } from "../core/catalog.ts";
import type { AgentEvent } from "../core/event.ts";
import type { Run } from "../core/run.ts";
import type { AnyTool } from "../core/tool.ts";
import type { Json } from "../std/json.ts";
import type { Soon } from "../std/soon.ts";
import { isPromiseLike } from "../std/soon.ts";
import type { Admission, AdmittedCall } from "./admit-call.ts";
import type { CallNotes, Reentry } from "./call-context.ts";
import { CallContext } from "./call-context.ts";
import { showProgress } from "./call-progress.ts";
import type { CallScope } from "./call-scope.ts";
import type { ActEnd, Outcome } from "./ending.ts";

/** An approval as it was given: to these arguments, or to an edit of them. */
export interface ApprovedCall {
  readonly admitted: AdmittedCall;
  readonly edit: Json | undefined;
  /** Of what was shown. */
  readonly binding: string;
}

export class LiveCall implements CallNotes {
  /** The branch that is the call's own. */
  readonly run: Run;
  readonly call: ToolCall;
  readonly view: Catalog;
  readonly scope: CallScope;
  /** What its code sees of it: until the tool is called its policy and hooks, then the tool. */
  context: CallContext;
  /** Undefined for a call of a tool there is not. */
  tool: AnyTool | undefined = undefined;
  /** As the handler gets it; of a refused call as far as it could be read. */
  input: unknown = undefined;
  /** What was decided in this process, with all that a journal cannot hold. */
  admission: Admission | undefined = undefined;
  /** What a run below came to, until it is read. */
  outcome: Outcome | undefined = undefined;
  /** What the tool came to in this process, with all that a journal cannot hold. */
  end: ActEnd | undefined = undefined;
  /** Whether the tool has been entered, here or by an attempt before. */
  hasStarted = false;
  /** That the run ends, by this call or with it: with its other calls cancelled, or not. */
  runEnd: "failed" | "cancelled" | undefined = undefined;
  isStopAsked = false;
  isSettled = false;
  /** It was admitted by an attempt before, and its validator no longer takes it. */
  isRefusedNow = false;
  /** What a person agreed to, while that is looked at again. */
  approved: ApprovedCall | undefined = undefined;
  /** The answer the tool is entered again with. */
  reentry: Reentry | undefined = undefined;
  /** What the tool returned, for hooks. */
  output: unknown = undefined;
  meta: CallNotes["meta"] = undefined;
  spend: CallNotes["spend"] = undefined;
  /** Time of the executions, without waiting for a slot or for people. */
  executionMs = 0;

  constructor(run: Run, call: ToolCall, view: Catalog, scope: CallScope) {
    this.run = run;
    this.call = call;
    this.view = view;
    this.scope = scope;
    this.context = new CallContext(call.callId, scope, this);
  }

  take(admission: Admission): void {
    this.tool = admission.tool;
    this.input = admission.input;
    this.isRefusedNow = admission.kind === "admitted" && admission.refusal !== undefined;
  }

  /** Counts it among the calls that were started. */
  start(): void {
    this.hasStarted = true;
    this.scope.started++;
    this.scope.budget.startCall();
  }

  /** Makes the run reject with `error`, and again where the call is only read from a journal. */
  fail(error: unknown, abort: boolean): void {
    this.noteEnd(abort);
    this.scope.fail(error, abort);
  }

  noteEnd(isCancelled: boolean): void {
    if (this.runEnd !== "cancelled") this.runEnd = isCancelled ? "cancelled" : "failed";
    this.scope.noteEndTold();
  }

  abortRun(reason: unknown): void {
    this.noteEnd(true);
    this.scope.abort.abort(reason);
  }

  /** Whether the run was cancelled, as far as the journal tells by now. */
  get isCancelled(): boolean {
    return this.runEnd === "cancelled" || this.scope.isCancelled;
  }

  stop(): void {
    this.isStopAsked = true;
    this.scope.stop();
  }

  /** Tells of what happened, unless an attempt before may have told of it. */
  emit(event: AgentEvent): void {
    if (!this.run.isReplaying) this.scope.emit(event);
  }

  showProgress(data: unknown): void {
    if (this.tool !== undefined) showProgress(data, this.call, this.tool, this.scope);
  }
}

/** A call of a tool there is. */
export type AdmittedLiveCall = LiveCall & { readonly tool: AnyTool };

/** `andThen` for the steps of a call: what was waited for took time. */
export function nextInCall<T, R, Call extends LiveCall>(
  value: Soon<T>,
  next: (value: T, live: Call) => Soon<R>,
  live: Call,
): Soon<R> {
  if (!isPromiseLike(value)) return next(value, live);
  return value.then((settled) => {
    live.scope.timePassed();
    return next(settled, live);
  });
}
