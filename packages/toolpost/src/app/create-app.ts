// Puts agents, tools, sources and rules together and runs agents.
// The only place where runs start; what a run does is the loop's.

import type { Agent, AssembledAgent } from "../agent/define-agent.ts";
import type { RunSetup } from "../agent/live-run.ts";
import { LiveRun } from "../agent/live-run.ts";
import type { PreparedAgent, RunStart } from "../agent/prepared-agent.ts";
import { checkAnswer } from "../approvals/check-answer.ts";
import type { AnyClass } from "../author/classes/class-notes.ts";
import type { Channel } from "../core/approval.ts";
import { ToolpostError } from "../core/errors.ts";
import type { Log } from "../core/govern.ts";
import type { RunHandle } from "../core/run-handle.ts";
import type { SourceStatus, ToolSource } from "../core/source.ts";
import type { AnyTool } from "../core/tool.ts";
import type { PausedAsk } from "../pipeline/ask-person.ts";
import { systemClock } from "../std/clock.ts";
import { randomId } from "../std/id.ts";
import type { Json } from "../std/json.ts";
import { toJson } from "../std/json.ts";
import { append, Link, membersOf, unlink } from "../std/links.ts";
import type { Soon } from "../std/soon.ts";
import { isPromiseLike, swallow } from "../std/soon.ts";
import { memoryThreads } from "../threads/memory-threads.ts";
import type { AppOptions, AssembledOptions } from "./app-options.ts";
import { lend, needsOf, withNeeds, writtenTools } from "./app-tools.ts";
import type { Assembly } from "./assemble.ts";
import { assemble, disposeAll } from "./assemble.ts";
import { checkDefinitions, isToolSource } from "./check-definitions.ts";
import { closeAll } from "./close-all.ts";
import { createToolkit } from "./create-toolkit.ts";
import type { Description } from "./description.ts";
import type { OpenSources } from "./open-sources.ts";
import type { RunSupplier } from "./ordered-run.ts";
import { OrderedRun } from "./ordered-run.ts";
import type { AgentPreparation } from "./prepare-agent.ts";
import type { RunInput, RunOptions } from "./run-options.ts";
import type { WireSchemas } from "./schema-losses.ts";
import type { AppTool } from "./tool-slices.ts";
import { ToolSlices } from "./tool-slices.ts";
import type { Toolkit } from "./toolkit.ts";

/** The answer to a pause: a decision on an approval, or a reply to a question. */
export type PauseAnswer =
  | {
      readonly pauseId: string;
      readonly decision: "approve" | "decline";
      readonly arguments?: Json;
      readonly comment?: string;
    }
  | { readonly pauseId: string; readonly reply: Json };

/** Who answers: the owner of the run, or whoever a channel asked, by any name to put on record. */
export type PauseAnswerer = { readonly ownerId?: string } | { readonly answeredBy: string };

export interface AppToolkitOptions {
  /** Name of an agent: its tools only. Default: the tools of the application and of all its agents. */
  readonly agent?: string;
  /** Asks for approval where the application has no channel of its own. */
  readonly channel?: Channel;
}

export interface App {
  readonly agents: readonly Agent[];
  /** Starts a run and gives its handle at once; what cannot start rejects through the handle. */
  run<Output>(agent: Agent<Output> | AnyClass | string, input: RunInput, options?: RunOptions): RunHandle<Output>;
  /** Answers a pause of a run of this process and gives the run's handle; throws where the answer does not fit. */
  resume(answer: PauseAnswer, by: PauseAnswerer): RunHandle;
  /**
   * The tools to call one by one, under all that governs them in runs: rules, hooks and masking of the application, and
   * the approvals and `requires` of each agent that has the tool. Connects the sources; they stay open until the
   * application closes, as does the toolkit. Rejects with `agent.unknown`, and with `tool.duplicate-name` where agents
   * have different tools of one name: then choose one by `agent`.
   */
  toolkit(options?: AppToolkitOptions): Promise<Toolkit>;
  /** One tool to call alone, by its name, its class or itself. */
  tool<T extends AnyTool | AnyClass | string>(tool: T): AppTool<T>;
  /**
   * What it is made of: agents, tools, sources, names of environment variables, each bound with where it comes from.
   * Plain data. Reads the MCP configuration and connects nothing; rejects with `config.*` where that cannot be used.
   */
  describe(): Promise<Description>;
  /** State of each MCP server and other source of the application. */
  status(): Promise<readonly SourceStatus[]>;
  /** Cancels runs under way, waits for them, closes sources. */
  close(): Promise<void>;
  [Symbol.asyncDispose](): Promise<void>;
}

/**
 * Creates an application. Throws `AssemblyError` with all problems of its definitions; connects nothing until the
 * first run.
 * @example const app = createApp({ agents: [support] }); const { text } = await app.run(support, "Where is my order?");
 */
export function createApp(options: AppOptions): App {
  const assembly = assemble(options);
  checkDefinitions(options, assembly);
  return new Application(assembly);
}

class Application implements App {
  readonly agents: readonly AssembledAgent[];
  readonly #options: AssembledOptions;
  readonly #assembly: Assembly;
  readonly #threads: NonNullable<AssembledOptions["threads"]>;
  readonly #preparations = new Map<AssembledAgent, AgentPreparation>();
  /** Those that go on. A list and no set, as a set would have to number each run. */
  readonly #runs = new Link();
  readonly #supplier: RunSupplier;
  readonly #answered = new Set<string>();
  readonly #toolkits: Toolkit[] = [];
  readonly #lent = new Set<ToolSource>();
  #sources: Promise<OpenSources> | undefined;
  #schemas: Promise<WireSchemas> | undefined;
  readonly #slices: ToolSlices;
  #isClosed = false;

  constructor(assembly: Assembly) {
    const { options } = assembly;
    this.#assembly = assembly;
    this.#options = options;
    this.#slices = new ToolSlices(assembly, (agent) => this.toolkit(agent === undefined ? {} : { agent }));
    this.agents = options.agents ?? [];
    this.#threads = options.threads ?? memoryThreads();
    this.#supplier = {
      clock: options.clock ?? systemClock,
      prepare: (order) => this.#prepare(order),
      keep: (thread, messages) => this.#threads.append(thread, messages),
      forget: unlink,
    };
    if (this.agents.length > 0) swallow(this.#openSchemas());
  }

  run<Output>(agent: Agent<Output> | AnyClass | string, input: RunInput, options: RunOptions = {}): RunHandle<Output> {
    const live = new LiveRun(new OrderedRun(randomId("run_"), { agent, input, options }, this.#supplier));
    append(this.#runs, live);
    return live.handle as RunHandle<Output>;
  }

  resume(answer: PauseAnswer, by: PauseAnswerer): RunHandle {
    const { pauseId, ...given } = answer;
    if (this.#answered.has(pauseId)) {
      throw new ToolpostError("approval.already-answered", `the pause \`${pauseId}\` is already answered`);
    }
    const { run, pause } = this.#findPause(pauseId);
    checkAnswerer(run, pause, by);
    const checked = checkAnswer(given, pause.value.kind);
    if (!checked.ok) {
      const message = `the answer to \`${pauseId}\` cannot be used: ${checked.problem}`;
      throw new ToolpostError("approval.invalid-answer", message);
    }
    this.#answered.add(pauseId);
    run.answer(pauseId, { type: "answer", value: toJson(checked.answer) });
    return run.handle;
  }

  async toolkit({ agent, channel }: AppToolkitOptions = {}): Promise<Toolkit> {
    if (this.#isClosed) throw new ToolpostError("app.closed", "the application is closed; no call can start");
    const { tools = [], approvals, defaults } = this.#options;
    const agents = agent === undefined ? this.agents : [this.#find(agent)];
    const needs = needsOf(agents);
    const own = agents.flatMap((each) => each.tools.filter(isToolSource));
    for (const source of own) this.#lent.add(source);
    const sources = new Set([...(await this.#openSources()).sources, ...own]);
    const floors = [approvals, ...agents.map((each) => each.approvals)];
    const toolErrors = (agent === undefined ? undefined : agents[0]?.toolErrors) ?? defaults?.tools?.toolErrors;
    const { agents: _agents, listeners: _listeners, threads: _threads, prices: _prices, ...shared } = this.#options;
    const toolkit = await createToolkit({
      ...shared,
      tools: writtenTools(agents, tools, agent === undefined).map((tool) => withNeeds(tool, needs)),
      sources: [...sources].map((source) => lend(source, needs)),
      mcp: undefined,
      approvals: {
        ...approvals,
        names: floors.flatMap((floor) => floor?.names ?? []),
        tags: floors.flatMap((floor) => floor?.tags ?? []),
        channel: approvals?.channel ?? channel,
      },
      defaults: { ...defaults, tools: { ...defaults?.tools, ...(toolErrors && { toolErrors }) } },
    });
    this.#toolkits.push(toolkit);
    // Closed while the sources were connecting: then nobody else closes it any more.
    if (this.#isClosed) await this.close();
    return toolkit;
  }

  tool<T extends AnyTool | AnyClass | string>(tool: T): AppTool<T> {
    return this.#slices.tool(tool);
  }

  async describe(): Promise<Description> {
    const { describeApp } = await import("./describe.ts");
    return describeApp(this.#options, (await this.#openSources()).sources);
  }

  async status(): Promise<readonly SourceStatus[]> {
    return (await this.#openSources()).status();
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    const runs = membersOf<LiveRun>(this.#runs);
    for (const run of runs) run.abort("the application was closed");
    const log = await this.#openLog();
    await closeAll(this.#toolkits, log);
    await Promise.all(runs.map(({ ended }) => ended));
    await closeAll([...this.#lent, ...this.#preparations.values()], log);
    // What is told of schemas is told before the end.
    await this.#schemas?.catch(() => undefined);
    // Sources that could not be opened have nothing to close; whoever asked for them was told.
    const sources = await this.#sources?.catch(() => undefined);
    await sources?.close();
    await disposeAll(this.#assembly.container, log);
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  /** At once where agent, sources and model are as for the run before, and there is no conversation to read. */
  #prepare(order: OrderedRun): Soon<RunSetup> {
    const preparation = this.#preparation(order.agent);
    if (order.isKept || isPromiseLike(preparation)) return this.#prepareSlowly(preparation, order);
    return prepared(preparation.prepare(order.options.model), preparation, order);
  }

  async #prepareSlowly(preparation: Soon<AgentPreparation>, order: OrderedRun): Promise<RunSetup> {
    const ready = await preparation;
    const setup = await ready.prepare(order.options.model);
    if (order.thread !== undefined) order.history = await this.#threads.read(order.thread);
    return prepared(setup, ready, order);
  }

  #findPause(pauseId: string): { run: LiveRun; pause: PausedAsk } {
    for (const run of membersOf<LiveRun>(this.#runs)) {
      const pause = run.pauses.find((candidate) => candidate.pauseId === pauseId);
      if (pause !== undefined) return { run, pause };
    }
    throw unknownPause(pauseId);
  }

  #preparation(agent: Agent<unknown> | AnyClass | string): Soon<AgentPreparation> {
    if (this.#isClosed) throw new ToolpostError("app.closed", "the application is closed; no run can start");
    const found = this.#find(agent);
    this.#assembly.construct(found);
    return this.#preparations.get(found) ?? this.#firstPreparation(found);
  }

  async #firstPreparation(found: AssembledAgent): Promise<AgentPreparation> {
    const { AgentPreparation } = await import("./prepare-agent.ts");
    const sources = await this.#openSources();
    const supply = { sources, schemas: await this.#openSchemas() };
    const preparation = this.#preparations.get(found) ?? new AgentPreparation(found, this.#options, supply);
    this.#preparations.set(found, preparation);
    return preparation;
  }

  #find(agent: Agent<unknown> | AnyClass | string): AssembledAgent {
    const found =
      typeof agent === "string" ? this.agents.find(({ name }) => name === agent) : this.#assembly.agentOf(agent);
    if (found !== undefined) return found;
    const name = typeof agent === "string" ? agent : agent.name;
    const known = this.agents.map((candidate) => `\`${candidate.name}\``).join(", ");
    throw new ToolpostError(
      "agent.unknown",
      `there is no agent \`${name}\`; the application has ${known === "" ? "none" : known}`,
    );
  }

  #openSources(): Promise<OpenSources> {
    this.#sources ??= this.#openSourcesOnce();
    return this.#sources;
  }

  async #openSourcesOnce(): Promise<OpenSources> {
    const { openSources } = await import("./open-sources.ts");
    return openSources(this.#options, await this.#openLog());
  }

  #openSchemas(): Promise<WireSchemas> {
    this.#schemas ??= this.#openSchemasOnce();
    return this.#schemas;
  }

  /** Made with the application, which needs nothing of it: what providers cannot be told is told at once. */
  async #openSchemasOnce(): Promise<WireSchemas> {
    const { tellLosses, wireSchemas } = await import("./schema-losses.ts");
    const schemas = wireSchemas(await this.#openLog());
    tellLosses(this.#options, schemas);
    return schemas;
  }

  /** Masked as results are, so it comes with what calls tools. */
  async #openLog(): Promise<Log> {
    const { createCallSlots } = await import("./call-slots.ts");
    return createCallSlots(this.#options).log;
  }
}

function prepared(setup: PreparedAgent, { motion }: AgentPreparation, start: RunStart): RunSetup;
function prepared(setup: Soon<PreparedAgent>, { motion }: AgentPreparation, start: RunStart): Soon<RunSetup>;
function prepared(setup: Soon<PreparedAgent>, { motion }: AgentPreparation, start: RunStart): Soon<RunSetup> {
  return isPromiseLike(setup) ? setup.then((ready) => ({ motion, setup: ready, start })) : { motion, setup, start };
}

/** A stranger to the run learns nothing of it: a pause that is not his reads as none. */
function checkAnswerer({ ownerId }: LiveRun, { pauseId, isChannelAsked }: PausedAsk, by: PauseAnswerer): void {
  if (isChannelAsked) {
    if ("answeredBy" in by && by.answeredBy !== "") return;
    throw new ToolpostError(
      "approval.wrong-answerer",
      `a channel asked for the pause \`${pauseId}\`: say who answers by \`answeredBy\``,
    );
  }
  if (!("answeredBy" in by) && (ownerId === undefined || ownerId === by.ownerId)) return;
  throw unknownPause(pauseId);
}

function unknownPause(pauseId: string): ToolpostError {
  return new ToolpostError("approval.unknown-pause", `there is no waiting pause \`${pauseId}\``);
}
