// What a running tool holds of its run. Made for each execution, so it must cost next to nothing until read.
// It lives as long as the execution: after that its signal never fires and its notes go nowhere.

import type { Spend, Usage } from "../core/budget.ts";
import type { ToolContext, ToolModels, User } from "../core/context.ts";
import { ToolpostError } from "../core/errors.ts";
import { LazyAbort } from "../std/abort.ts";
import type { Json } from "../std/json.ts";
import type { CallScope } from "./call-scope.ts";
import { toolModels } from "./tool-models.ts";

/** Takes what a tool leaves behind beside its return value. */
export interface CallNotes {
  /** Whether what they hold has become the call's result. */
  readonly isSettled: boolean;
  meta: { [key: string]: Json } | undefined;
  spend: Spend[] | undefined;
  stop(): void;
  abortRun(reason: unknown): void;
  showProgress(data: unknown): void;
}

export interface Reentry {
  readonly answer: Json;
  readonly state: Json | undefined;
}

/** Functions are getters of closures, so that taking a context apart (`{ signal, progress }`) works. */
export class CallContext implements ToolContext {
  readonly callId: string;
  readonly #scope: CallScope;
  readonly #notes: CallNotes | undefined;
  readonly #reentry: Reentry | undefined;
  /** Made when somebody has read the signal or it has fired. */
  #abort: LazyAbort | undefined = undefined;
  #letGo: (() => void) | undefined = undefined;
  isOver = false;

  constructor(callId: string, scope: CallScope, notes?: CallNotes, reentry?: Reentry) {
    this.callId = callId;
    this.#scope = scope;
    this.#notes = notes;
    this.#reentry = reentry;
  }

  get runId(): string {
    return this.#scope.runId;
  }
  get threadId(): string | undefined {
    return this.#scope.threadId;
  }
  get ownerId(): string | undefined {
    return this.#scope.ownerId;
  }
  get tenant(): string | undefined {
    return this.#scope.tenant;
  }
  get user(): User | undefined {
    return this.#scope.user;
  }
  get workflow(): string | undefined {
    return undefined;
  }
  get data(): unknown {
    return this.#scope.data;
  }
  get state(): unknown {
    return undefined;
  }
  get signal(): AbortSignal {
    if (this.#abort === undefined) {
      this.#abort = new LazyAbort();
      if (!this.isOver) this.#letGo = this.#scope.abort.onAbort((reason) => this.cancel(reason));
    }
    return this.#abort.signal;
  }
  get idempotencyKey(): string {
    if (this.callId === "")
      throw new ToolpostError("context.none", "`idempotencyKey` was read between calls: a call has one");
    return `${this.#scope.runId}:${this.#scope.nodeId}:${this.#scope.visit}:${this.callId}`;
  }
  get answer(): Json | undefined {
    return this.#reentry?.answer;
  }
  get askState(): Json | undefined {
    return this.#reentry?.state;
  }
  get usage(): () => Usage {
    return () => this.#scope.usage();
  }
  get abort(): (reason?: unknown) => void {
    // After its execution no entry of the call is to tell of it.
    return (reason) =>
      this.#notes === undefined || this.isOver ? this.#scope.abort.abort(reason) : this.#notes.abortRun(reason);
  }
  get stop(): () => void {
    return () => {
      // Nothing would tell of it on replay.
      if (!this.isOver) (this.#notes ?? this.#scope).stop();
    };
  }
  get onDispose(): (dispose: () => void | Promise<void>) => void {
    return (dispose) => this.#scope.onDispose(dispose);
  }
  get meta(): (data: { readonly [key: string]: Json }) => void {
    return (data) => {
      if (this.#notes !== undefined && !this.isOver) this.#notes.meta = { ...this.#notes.meta, ...data };
    };
  }
  get progress(): (data: unknown) => void {
    return (data) => {
      if (!this.isOver) this.#notes?.showProgress(data);
    };
  }
  get spend(): (spend: Spend) => void {
    return (spend) => {
      const notes = this.#notes;
      if (notes === undefined || notes.isSettled) return this.#scope.spendLate(spend);
      count(spend, this.#scope);
      (notes.spend ??= []).push(spend);
    };
  }

  get models(): ToolModels {
    return toolModels(this, this.#scope);
  }

  /** Fires the signal, unless the execution is over. */
  cancel(reason: unknown): void {
    if (this.isOver) return;
    this.#abort ??= new LazyAbort();
    this.#abort.abort(reason);
  }

  end(): void {
    this.isOver = true;
    // A run has many calls: what is over must not stay with it until its end.
    this.#letGo?.();
  }
}

/** Takes what a tool paid for into its run's account. */
export function count(spend: Spend, scope: CallScope): void {
  scope.budget.spend(spend);
  if (spend.usage !== undefined) scope.noteUsed({ usage: spend.usage, usd: 0, calls: 0 });
}

/** What code of a run outside of its calls sees: no `callId`, and notes that go nowhere. */
export function runContext(scope: CallScope): ToolContext {
  return new CallContext("", scope);
}
