// What a tool's `execute` is given beside its input.
// The live context is made by the pipeline; `createToolContext` makes one for direct calls.

import { LazyAbort } from "../std/abort.ts";
import { randomId } from "../std/id.ts";
import type { Json } from "../std/json.ts";
import type { Spend, Usage } from "./budget.ts";
import { noUsage } from "./budget.ts";
import { ToolpostError } from "./errors.ts";
import type { Message } from "./message.ts";
import type { LanguageModel, Model } from "./model.ts";

/** Who a run is for. Fields beside `id` are the application's own. */
export interface User {
  readonly id: string;
  readonly [key: string]: unknown;
}

/** What a tool may say beside the prompt when it asks a model. */
export interface ModelAskOptions {
  /** Instructions, as a system message. */
  readonly system?: string;
  readonly maxOutputTokens?: number;
  readonly temperature?: number;
}

/** Models for use inside a tool: what they cost is the tool's spend. */
export interface ToolModels {
  /**
   * Asks a model once, without tools, under the call's signal. Its price (of the application's `prices`) counts in the money
   * budget, its tokens in the run's usage, also where the call fails afterwards. Rejects with `ModelError`, and with
   * `model.no-price` where a budget of money would not see the cost.
   * @param prompt the user's message, or a whole conversation
   */
  ask(
    model: string | LanguageModel | Model,
    prompt: string | readonly Message[],
    options?: ModelAskOptions,
  ): Promise<{ readonly text: string; readonly usage: Usage }>;
}

/** One call's view of its run. Getters are cheap; `signal` is made when first read. */
export interface ToolContext {
  readonly runId: string;
  readonly threadId: string | undefined;
  readonly ownerId: string | undefined;
  readonly tenant: string | undefined;
  readonly user: User | undefined;
  /** Name of the workflow the call runs in, if any. */
  readonly workflow: string | undefined;
  /** Per-run data the model never sees, as given to `app.run(…, { data })`. */
  readonly data: unknown;
  /** The workflow's state, if any. */
  readonly state: unknown;
  /** Fires at the call's deadline or when the run is cancelled; never after the call settled. */
  readonly signal: AbortSignal;
  /** Unique per call, the same after a crash or resume. */
  readonly callId: string;
  /** Unique per call in the world, the same after a crash or resume: pass it to payment services and the like. */
  readonly idempotencyKey: string;
  /** The person's answer when the call asked and is entered again, else `undefined`. */
  readonly answer: Json | undefined;
  /** The `state` that was given to `ask`, else `undefined`. */
  readonly askState: Json | undefined;
  /** Tokens the run used so far. */
  usage(): Usage;
  /** Cancels the whole run. */
  abort(reason?: unknown): void;
  /** Ends the run after this turn, with `stoppedBy: "stop"`. */
  stop(): void;
  /** Runs when the run ends, last registered first. A throw is logged. */
  onDispose(dispose: () => void | Promise<void>): void;
  /** Notes plain data on the call's result, for events and the report. */
  meta(data: { readonly [key: string]: Json }): void;
  /** Shows progress or a partial result in events: masked and bounded, never to the model. */
  progress(data: unknown): void;
  /** Models to ask inside the tool. */
  readonly models: ToolModels;
  /** Records something the tool paid for; counts in the money budget. */
  spend(spend: Spend): void;
}

/** A context for calling `tool.execute` directly, in scripts and tests. Every field can be given. */
export function createToolContext(given: Partial<ToolContext> = {}): ToolContext {
  const abort = new LazyAbort();
  const runId = given.runId ?? randomId("run_");
  const callId = given.callId ?? "direct";
  const context: ToolContext = {
    runId,
    threadId: undefined,
    ownerId: undefined,
    tenant: undefined,
    user: undefined,
    workflow: undefined,
    data: undefined,
    state: undefined,
    get signal() {
      return abort.signal;
    },
    callId,
    idempotencyKey: `${runId}:direct:0:${callId}`,
    answer: undefined,
    askState: undefined,
    usage: () => noUsage,
    abort: (reason) => abort.abort(reason),
    stop: () => undefined,
    onDispose: () => undefined,
    meta: () => undefined,
    progress: () => undefined,
    spend: () => undefined,
    models: {
      ask: async () => {
        throw new ToolpostError(
          "context.none",
          "`models` was used outside of a call of an application: give your own in `createToolContext({ models })`",
        );
      },
    },
  };
  return Object.defineProperties(context, Object.getOwnPropertyDescriptors(given));
}
