// A run as it was ordered: what it is started with and what is done with its end, in one object for each run.
// It holds and tells; the application knows how a run is prepared and where its messages go.

import type { Agent } from "../agent/define-agent.ts";
import type { RunPlan, RunSetup } from "../agent/live-run.ts";
import type { RunStart } from "../agent/prepared-agent.ts";
import type { UserContent } from "../agent/user-message.ts";
import { userMessage } from "../agent/user-message.ts";
import type { AnyClass } from "../author/classes/class-notes.ts";
import type { RunAbove } from "../core/child-run.ts";
import { ToolpostError } from "../core/errors.ts";
import type { Message } from "../core/message.ts";
import type { ThreadKey } from "../core/thread.ts";
import type { StartChild } from "../durable/inline-run.ts";
import type { Clock } from "../std/clock.ts";
import type { Json } from "../std/json.ts";
import { toJson } from "../std/json.ts";
import type { Soon } from "../std/soon.ts";
import type { RunInput, RunOptions } from "./run-options.ts";
import { takeRunOptions } from "./start-options.ts";

/** Who an order is given to. */
export interface RunSupplier {
  readonly clock: Clock;
  prepare(order: OrderedRun): Soon<RunSetup>;
  /** Both read as nothing done where the store keeps no summaries, or fails. */
  summaries(thread: ThreadKey): Promise<ReadonlyMap<number, string>>;
  keepSummary(thread: ThreadKey, turn: number, text: string): Promise<void>;
  /** Starts a run below one that is kept in memory. */
  readonly startChild: StartChild;
  /** The name of an agent of the application. Throws `agent.unknown`. */
  nameOf(agent: OrderedRun["agent"]): string;
  keep(thread: ThreadKey, messages: readonly Message[], runId: string): Promise<void>;
}

export interface RunOrdering {
  readonly agent: OrderedRun["agent"];
  readonly input: RunInput;
  readonly options: RunOptions;
  readonly above?: RunAbove | undefined;
}

export class OrderedRun implements RunPlan, RunStart {
  readonly runId: string;
  readonly agent: Agent<unknown> | AnyClass | string;
  readonly options: RunOptions;
  readonly above: RunAbove | undefined;
  readonly startedAt: number;
  /** Messages of the conversation so far; there once the run is prepared. */
  history: readonly Message[] = noHistory;
  /** Comes when the run may begin; at once without one. */
  turn: Promise<unknown> | undefined = undefined;
  readonly #input: RunInput;
  readonly #supplier: RunSupplier;
  #problem: { readonly error: unknown } | undefined = undefined;
  #message: Message | undefined = undefined;

  constructor(runId: string, order: RunOrdering, supplier: RunSupplier) {
    this.runId = runId;
    this.agent = order.agent;
    this.above = order.above;
    let options = noOptions;
    try {
      options = takeRunOptions(order.options);
    } catch (error) {
      this.#problem = { error };
    }
    this.options = options;
    this.#input = order.input;
    this.#supplier = supplier;
    this.startedAt = supplier.clock.now();
  }

  get agentName(): string {
    const { agent } = this;
    return typeof agent === "string" ? agent : agent.name;
  }

  /** As an engine keeps it, with the name of its agent. Throws what `prepare` would throw of it. */
  toStored(agent: string): Json {
    if (this.#problem !== undefined) throw this.#problem.error;
    const { threadId, user, tenant, data, model, stream } = this.options;
    if (model !== undefined && typeof model !== "string")
      throw unstorable("`model` must be a text such as `openai:gpt-5.2`: a model object ends with its process");
    return toJson({
      agent,
      message: this.message.content,
      ...pruned({ threadId, tenant, model, stream }),
      ...(user === undefined ? {} : { user: stored(user, "user") }),
      ...(data === undefined ? {} : { data: stored(data, "data") }),
    });
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
  async summaries(): Promise<ReadonlyMap<number, string>> {
    return this.thread === undefined ? new Map() : this.#supplier.summaries(this.thread);
  }
  async keepSummary(turn: number, text: string): Promise<void> {
    if (this.thread !== undefined) await this.#supplier.keepSummary(this.thread, turn, text);
  }
  get startChild(): StartChild {
    return this.#supplier.startChild;
  }
  get thread(): ThreadKey | undefined {
    const { threadId, ownerId } = this;
    return threadId === undefined ? undefined : { threadId, ownerId };
  }
  get isKept(): boolean {
    return this.threadId !== undefined;
  }

  /** What its runs share their turns by; `undefined` where it has no thread. */
  get lane(): string | undefined {
    return this.threadId === undefined ? undefined : JSON.stringify([this.threadId, this.ownerId ?? null]);
  }

  /** Throws `run.invalid-input` for a message or an option that cannot be. */
  prepare(): Soon<RunSetup> {
    if (this.#problem !== undefined) throw this.#problem.error;
    void this.message;
    if (this.turn === undefined) return this.#supplier.prepare(this);
    return this.turn.then(() => this.#supplier.prepare(this));
  }

  async save(messages: readonly Message[]): Promise<void> {
    if (this.thread !== undefined) await this.#supplier.keep(this.thread, messages, this.runId);
  }
}

/** What `toStored` gave, as it was ordered. */
export function orderOf(stored: Json): RunOrdering & { readonly agent: string } {
  const { agent, message, above, ...options } = stored as unknown as RunOptions & {
    readonly agent: string;
    readonly message: UserContent;
    readonly above?: RunAbove;
  };
  return { agent, input: { message }, options, above };
}

function pruned(fields: Readonly<Record<string, unknown>>): object {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
}

function stored(value: unknown, name: string): Json {
  if (toJson(value) === value) return value as Json;
  throw unstorable(`\`${name}\` must be JSON data: plain objects, lists, texts, numbers, true, false, null`);
}

function unstorable(problem: string): ToolpostError {
  return new ToolpostError("run.invalid-input", `${problem}; this application keeps its runs in an engine`);
}

function contentOf(input: RunInput): UserContent {
  return typeof input === "object" && input !== null ? input.message : input;
}

const noOptions: RunOptions = Object.freeze({});
const noHistory: readonly Message[] = Object.freeze([]);
