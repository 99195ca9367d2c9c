// Puts agents, tools, sources and rules together and runs agents.
// The only place where runs start; what a run does is the loop's.

import type { Agent, AssembledAgent } from "../agent/define-agent.ts";
import { GivenHandle } from "../agent/given-handle.ts";
import type { RunSetup } from "../agent/live-run.ts";
import type { PreparedAgent, RunStart } from "../agent/prepared-agent.ts";
import type { AnyClass } from "../author/classes/class-notes.ts";
import { ToolpostError } from "../core/errors.ts";
import type { RunHandle } from "../core/run-handle.ts";
import type { SourceStatus } from "../core/source.ts";
import type { AnyTool } from "../core/tool.ts";
import { systemClock } from "../std/clock.ts";
import { randomId } from "../std/id.ts";
import type { Soon } from "../std/soon.ts";
import { isPromiseLike, swallow } from "../std/soon.ts";
import type { Duration } from "../std/units.ts";
import { memoryThreads } from "../threads/memory-threads.ts";
import type { AppOptions, AssembledOptions } from "./app-options.ts";
import type { AppRuns, ApprovalRecord, ApprovalsFilter, RunInspection, RunSummary, RunsFilter } from "./app-runs.ts";
import type { AppToolkitOptions } from "./app-toolkits.ts";
import { AppToolkits } from "./app-toolkits.ts";
import type { Assembly } from "./assemble.ts";
import { assemble, disposeAll } from "./assemble.ts";
import { checkDefinitions } from "./check-definitions.ts";
import { checkApprovalsFilter, checkPruning, checkRunsFilter } from "./check-filters.ts";
import { closeAll } from "./close-all.ts";
import type { Description } from "./description.ts";
import { EngineRuns } from "./engine-runs.ts";
import { InlineRuns } from "./inline-runs.ts";
import { Openings } from "./openings.ts";
import type { RunSupplier } from "./ordered-run.ts";
import { OrderedRun } from "./ordered-run.ts";
import type { PauseAnswer, PauseAnswerer } from "./pause-answer.ts";
import type { AgentPreparation } from "./prepare-agent.ts";
import type { RunInput, RunOptions } from "./run-options.ts";
import type { AppTool } from "./tool-slices.ts";
import { ToolSlices } from "./tool-slices.ts";
import type { Toolkit } from "./toolkit.ts";

export interface App {
  readonly agents: readonly Agent[];
  /** Those that are only tools of others; each can be run by its name, as any other. */
  readonly agentsBelow: readonly Agent[];
  /** Whether its runs are kept by an engine: they outlive the process, and other processes see them. */
  readonly keepsRuns: boolean;
  /** Of its code: it moves stored runs of this version alone. */
  readonly version: string | undefined;
  /** Starts a run and gives its handle at once; what cannot start rejects through the handle. */
  run<Output>(agent: Agent<Output> | AnyClass | string, input: RunInput, options?: RunOptions): RunHandle<Output>;
  /**
   * Answers a pause and gives the run's handle, with which it goes on. What does not fit rejects through the handle, and
   * the pause stays: `approval.unknown-pause`, `approval.wrong-answerer`, `approval.invalid-answer`,
   * `approval.already-answered`, `approval.expired`.
   */
  resume(answer: PauseAnswer, by: PauseAnswerer): RunHandle;
  /** Puts an answer on record and leaves the run to whoever moves it. Rejects as `resume` does. */
  answer(answer: PauseAnswer, by: PauseAnswerer): Promise<void>;
  /**
   * Takes up runs that were left by a process that is gone, or started by another, until the application is closed, and
   * keeps the process alive for that. A process that only starts runs of its own need not call it.
   */
  start(): Promise<void>;
  /** The handle of a run of any process. Rejects through it with `run.unknown`. */
  attach(runId: string): RunHandle;
  /** Cancels a run of any process, and those below it; false where it has ended or never was. */
  cancel(runId: string, reason?: string): Promise<boolean>;
  /** For operators: runs, newest first. */
  runs(filter?: RunsFilter): Promise<readonly RunSummary[]>;
  /** For operators: all that is stored of a run; `undefined` where there is none. Journals hold what tools returned, unmasked. */
  inspect(runId: string): Promise<RunInspection | undefined>;
  /** For operators: what waits for people, oldest first, with the ids that answer it; on request what was answered too. */
  approvals(filter?: ApprovalsFilter): Promise<readonly ApprovalRecord[]>;
  /** Deletes what is stored of runs that ended that long ago; gives how many there were. */
  prune(options: { readonly olderThan: Duration }): Promise<number>;
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
  /**
   * Cancels runs under way, waits for them, closes sources. Runs that an engine keeps are not cancelled: what is under way
   * may settle, then they are left to the next process that serves them.
   */
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
  readonly agentsBelow: readonly AssembledAgent[];
  /** Those too that are tools of others. */
  readonly #everyAgent: readonly AssembledAgent[];
  readonly keepsRuns: boolean;
  readonly version: string | undefined;
  readonly #options: AssembledOptions;
  readonly #assembly: Assembly;
  readonly #threads: NonNullable<AssembledOptions["threads"]>;
  readonly #preparations = new Map<AssembledAgent, AgentPreparation>();
  readonly #runs: AppRuns;
  readonly #supplier: RunSupplier;
  readonly #openings: Openings;
  readonly #toolkits: AppToolkits;
  readonly #slices: ToolSlices;
  #isClosed = false;

  constructor(assembly: Assembly) {
    const { options } = assembly;
    this.#assembly = assembly;
    this.#options = options;
    this.#openings = new Openings(options);
    this.#toolkits = new AppToolkits(options);
    this.#slices = new ToolSlices(assembly, (agent) => this.toolkit(agent === undefined ? {} : { agent }));
    this.agents = options.agents ?? [];
    this.agentsBelow = assembly.agentsBelow;
    this.#everyAgent = [...this.agents, ...this.agentsBelow];
    const { engine, clock: given, version } = options;
    const clock = given ?? systemClock;
    this.keepsRuns = engine !== undefined;
    this.version = version;
    this.#threads = options.threads ?? engine?.threads ?? memoryThreads();
    const inline = new InlineRuns();
    this.#supplier = {
      clock,
      prepare: (order) => this.#prepare(order),
      summaries: async (thread) => (await this.#tolerated(this.#threads.summaries?.(thread))) ?? new Map(),
      keepSummary: (thread, turn, text) => this.#tolerated(this.#threads.keepSummary?.(thread, turn, text)),
      startChild: (runId, _agent, input) => inline.startChild(runId, input, this.#supplier),
      nameOf: (agent) => this.#find(agent).name,
      keep: (thread, messages, runId) => this.#threads.append(thread, messages, runId),
    };
    const agents = this.#everyAgent.map(({ name }) => name);
    this.#runs =
      engine === undefined
        ? inline
        : new EngineRuns({
            engine,
            supplier: this.#supplier,
            agents,
            version,
            clock: given,
            log: () => this.#openings.log(),
          });
    if (this.agents.length > 0) swallow(this.#openings.schemas());
  }

  run<Output>(agent: Agent<Output> | AnyClass | string, input: RunInput, options: RunOptions = {}): RunHandle<Output> {
    const order = new OrderedRun(randomId("run_"), { agent, input, options }, this.#supplier);
    return this.#runs.run(order) as RunHandle<Output>;
  }

  resume(answer: PauseAnswer, by: PauseAnswerer): RunHandle {
    return this.#isClosed ? this.#closedHandle() : this.#runs.resume(answer, by);
  }

  async answer(answer: PauseAnswer, by: PauseAnswerer): Promise<void> {
    return this.#open().answer(answer, by);
  }

  start(): Promise<void> {
    return this.#runs.start();
  }

  attach(runId: string): RunHandle {
    return this.#isClosed ? this.#closedHandle(runId) : this.#runs.attach(runId);
  }

  async cancel(runId: string, reason?: string): Promise<boolean> {
    return this.#open().cancel(runId, reason);
  }

  async runs(filter: RunsFilter = {}): Promise<readonly RunSummary[]> {
    checkRunsFilter(filter);
    return this.#open().list(filter);
  }

  async inspect(runId: string): Promise<RunInspection | undefined> {
    return this.#open().inspect(runId);
  }

  async approvals(filter: ApprovalsFilter = {}): Promise<readonly ApprovalRecord[]> {
    checkApprovalsFilter(filter);
    return this.#open().approvals(filter);
  }

  async prune(options: { readonly olderThan: Duration }): Promise<number> {
    checkPruning(options);
    return this.#open().prune(this.#supplier.clock.now() - options.olderThan.ms);
  }

  /** Where runs are looked at and answered: not by an application that is closed. */
  #open(): AppRuns {
    if (this.#isClosed) throw closed();
    return this.#runs;
  }

  #closedHandle(runId?: string): RunHandle {
    return new GivenHandle(Promise.reject(closed()), runId);
  }

  async toolkit({ agent, channel }: AppToolkitOptions = {}): Promise<Toolkit> {
    if (this.#isClosed) throw new ToolpostError("app.closed", "the application is closed; no call can start");
    const owners = {
      agents: agent === undefined ? this.agents : [this.#find(agent)],
      isOfOne: agent !== undefined,
      openSources: async () => (await this.#openings.sources()).sources,
    };
    const toolkit = await this.#toolkits.open(owners, channel);
    // Closed while the sources were connecting: then nobody else closes it any more.
    if (this.#isClosed) await this.close();
    return toolkit;
  }

  tool<T extends AnyTool | AnyClass | string>(tool: T): AppTool<T> {
    return this.#slices.tool(tool);
  }

  async describe(): Promise<Description> {
    const { describeApp } = await import("./describe.ts");
    return describeApp(this.#options, this.#everyAgent, (await this.#openings.sources()).sources);
  }

  async status(): Promise<readonly SourceStatus[]> {
    return (await this.#openings.sources()).status();
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    const ended = this.#runs.close();
    const log = await this.#openings.log();
    await this.#toolkits.close(log);
    await ended;
    await Promise.all([this.#toolkits.closeLent(log), closeAll([...this.#preparations.values()], log)]);
    await this.#openings.close();
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

  #preparation(agent: Agent<unknown> | AnyClass | string): Soon<AgentPreparation> {
    if (this.#isClosed) throw new ToolpostError("app.closed", "the application is closed; no run can start");
    const found = this.#find(agent);
    this.#assembly.construct(found);
    return this.#preparations.get(found) ?? this.#firstPreparation(found);
  }

  async #firstPreparation(found: AssembledAgent): Promise<AgentPreparation> {
    const { AgentPreparation } = await import("./prepare-agent.ts");
    const sources = await this.#openings.sources();
    const supply = { sources, schemas: await this.#openings.schemas() };
    const preparation = this.#preparations.get(found) ?? new AgentPreparation(found, this.#options, supply);
    this.#preparations.set(found, preparation);
    return preparation;
  }

  #find(agent: Agent<unknown> | AnyClass | string): AssembledAgent {
    const found =
      typeof agent === "string" ? this.#everyAgent.find(({ name }) => name === agent) : this.#assembly.agentOf(agent);
    if (found !== undefined) return found;
    const name = typeof agent === "string" ? agent : agent.name;
    const known = this.agents.map((candidate) => `\`${candidate.name}\``).join(", ");
    throw new ToolpostError(
      "agent.unknown",
      `there is no agent \`${name}\`; the application has ${known === "" ? "none" : known}`,
    );
  }

  /** A summary that cannot be read or kept is made again: no run fails of it. */
  async #tolerated<T>(work: Promise<T> | undefined): Promise<T | undefined> {
    try {
      return await work;
    } catch (error) {
      const log = await this.#openings.log();
      log({ level: "warn", message: "the summaries of a thread could not be read or kept", error });
      return undefined;
    }
  }
}

function closed(): ToolpostError {
  return new ToolpostError("app.closed", "the application is closed; it looks at no runs any more");
}

function prepared(setup: PreparedAgent, { motion }: AgentPreparation, start: RunStart): RunSetup;
function prepared(setup: Soon<PreparedAgent>, { motion }: AgentPreparation, start: RunStart): Soon<RunSetup>;
function prepared(setup: Soon<PreparedAgent>, { motion }: AgentPreparation, start: RunStart): Soon<RunSetup> {
  return isPromiseLike(setup) ? setup.then((ready) => ({ motion, setup: ready, start })) : { motion, setup, start };
}
