// A run as it was ordered: what it is started with and what is done with its end, in one object for each run.
// It holds and tells; the application knows how a run is prepared and where its messages go.

import type { Agent } from "../agent/define-agent.ts";
import type { LiveRun, RunPlan, RunSetup } from "../agent/live-run.ts";
import type { RunStart } from "../agent/prepared-agent.ts";
import type { UserContent } from "../agent/user-message.ts";
import { userMessage } from "../agent/user-message.ts";
import type { AnyClass } from "../author/classes/class-notes.ts";
import type { Message } from "../core/message.ts";
import type { ThreadKey } from "../core/thread.ts";
import type { Clock } from "../std/clock.ts";
import type { Soon } from "../std/soon.ts";
import type { RunInput, RunOptions } from "./run-options.ts";
import { takeRunOptions } from "./start-options.ts";

/** Who an order is given to. */
export interface RunSupplier {
  readonly clock: Clock;
  prepare(order: OrderedRun): Soon<RunSetup>;
  keep(thread: ThreadKey, messages: readonly Message[]): Promise<void>;
  forget(run: LiveRun): void;
}

export class OrderedRun implements RunPlan, RunStart {
  readonly runId: string;
  readonly agent: Agent<unknown> | AnyClass | string;
  readonly options: RunOptions;
  /** Messages of the conversation so far; there once the run is prepared. */
  history: readonly Message[] = noHistory;
  readonly #input: RunInput;
  readonly #supplier: RunSupplier;
  #problem: { readonly error: unknown } | undefined = undefined;
  #message: Message | undefined = undefined;

  constructor(
    runId: string,
    order: { readonly agent: OrderedRun["agent"]; readonly input: RunInput; readonly options: RunOptions },
    supplier: RunSupplier,
  ) {
    this.runId = runId;
    this.agent = order.agent;
    let options = noOptions;
    try {
      options = takeRunOptions(order.options);
    } catch (error) {
      this.#problem = { error };
    }
    this.options = options;
    this.#input = order.input;
    this.#supplier = supplier;
  }

  get clock(): Clock {
    return this.#supplier.clock;
  }
  get message(): Message {
    this.#message ??= userMessage(contentOf(this.#input));
    return this.#message;
  }
  get threadId(): string | undefined {
    return this.options.threadId;
  }
  get ownerId(): string | undefined {
    return this.options.user?.id;
  }
  get tenant(): string | undefined {
    return this.options.tenant;
  }
  get user(): RunOptions["user"] {
    return this.options.user;
  }
  get data(): unknown {
    return this.options.data;
  }
  get isStreaming(): boolean {
    return this.options.stream !== false;
  }
  get signal(): AbortSignal | undefined {
    return this.options.signal;
  }
  get timeout(): number | undefined {
    return this.options.timeout?.ms;
  }
  get thread(): ThreadKey | undefined {
    const { threadId, ownerId } = this;
    return threadId === undefined ? undefined : { threadId, ownerId };
  }
  get isKept(): boolean {
    return this.threadId !== undefined;
  }

  /** Throws `run.invalid-input` for a message or an option that cannot be. */
  prepare(): Soon<RunSetup> {
    if (this.#problem !== undefined) throw this.#problem.error;
    void this.message;
    return this.#supplier.prepare(this);
  }

  async save(messages: readonly Message[]): Promise<void> {
    if (this.thread !== undefined) await this.#supplier.keep(this.thread, messages);
  }

  onEnd(run: LiveRun): void {
    this.#supplier.forget(run);
  }
}

function contentOf(input: RunInput): UserContent {
  return typeof input === "object" && input !== null ? input.message : input;
}

const noOptions: RunOptions = Object.freeze({});
const noHistory: readonly Message[] = Object.freeze([]);
