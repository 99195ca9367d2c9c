// What a class can have injected to learn of the call it works for. One instance serves every call: each read looks up
// the call under way. They must keep nothing of a call themselves.

import type { Json } from "../std/json.ts";
import type { Spend, Usage } from "./budget.ts";
import type { ToolContext, ToolModels, User } from "./context.ts";
import { currentContext } from "./current-context.ts";

/**
 * The context of the current call, by injection: `deps: [ExecutionContext]`. Every read throws `ToolpostError`
 * (`context.none`) outside of a run, so read it in methods, not in the constructor.
 */
export class ExecutionContext implements ToolContext {
  get runId(): string {
    return currentContext().runId;
  }
  get threadId(): string | undefined {
    return currentContext().threadId;
  }
  get ownerId(): string | undefined {
    return currentContext().ownerId;
  }
  get tenant(): string | undefined {
    return currentContext().tenant;
  }
  get user(): User | undefined {
    return currentContext().user;
  }
  get workflow(): string | undefined {
    return currentContext().workflow;
  }
  get data(): unknown {
    return currentContext().data;
  }
  get state(): unknown {
    return currentContext().state;
  }
  get signal(): AbortSignal {
    return currentContext().signal;
  }
  get callId(): string {
    return currentContext().callId;
  }
  get idempotencyKey(): string {
    return currentContext().idempotencyKey;
  }
  get answer(): Json | undefined {
    return currentContext().answer;
  }
  get askState(): Json | undefined {
    return currentContext().askState;
  }
  usage(): Usage {
    return currentContext().usage();
  }
  abort(reason?: unknown): void {
    currentContext().abort(reason);
  }
  stop(): void {
    currentContext().stop();
  }
  onDispose(dispose: () => void | Promise<void>): void {
    currentContext().onDispose(dispose);
  }
  meta(data: { readonly [key: string]: Json }): void {
    currentContext().meta(data);
  }
  progress(data: unknown): void {
    currentContext().progress(data);
  }
  spend(spend: Spend): void {
    currentContext().spend(spend);
  }
  get models(): ToolModels {
    return currentContext().models;
  }
}

/** Records what the current call paid for, by injection: `deps: [SpendRecorder]`. It counts in the money budget. */
export class SpendRecorder {
  /** @example this.spend.record({ service: "maps-api", cost: usd(0.005) }); */
  record(spend: Spend): void {
    currentContext().spend(spend);
  }
}
