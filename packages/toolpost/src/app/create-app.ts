// Puts agents, tools, sources and rules together and runs agents.
// The only place where runs start; what a run does is the loop's.

import type { Agent } from "../agent/define-agent.ts";
import { LiveRun } from "../agent/live-run.ts";
import type { UserContent } from "../agent/messages.ts";
import { userMessage } from "../agent/messages.ts";
import { checkAnswer } from "../approvals/check-answer.ts";
import type { Channel, PendingPause } from "../core/approval.ts";
import type { User } from "../core/context.ts";
import { deriveTool } from "../core/derive-tool.ts";
import { ToolpostError } from "../core/errors.ts";
import type { LanguageModel, Model } from "../core/model.ts";
import type { RunHandle } from "../core/run-handle.ts";
import type { SourceStatus, ToolSource } from "../core/source.ts";
import type { ThreadKey } from "../core/thread.ts";
import type { AnyTool } from "../core/tool.ts";
import { systemClock } from "../std/clock.ts";
import { randomId } from "../std/id.ts";
import type { Json } from "../std/json.ts";
import { toJson } from "../std/json.ts";
import type { Duration } from "../std/units.ts";
import { memoryThreads } from "../threads/memory-threads.ts";
import type { AppOptions } from "./app-options.ts";
import { createCallSlots } from "./call-slots.ts";
import { checkDefinitions, isToolSource } from "./check-definitions.ts";
import type { Toolkit } from "./create-toolkit.ts";
import { createToolkit } from "./create-toolkit.ts";
import type { OpenSources } from "./open-sources.ts";
import { openSources } from "./open-sources.ts";
import { AgentPreparation } from "./prepare-agent.ts";

export interface RunOptions {
  /** Continues the conversation of that id; without one the run stands alone. */
  readonly threadId?: string;
  readonly user?: User;
  readonly tenant?: string;
  /** Data for tools and policies that the model never sees. */
  readonly data?: unknown;
  /** Aborting it cancels the run. */
  readonly signal?: AbortSignal;
  /** After this the run is cancelled. */
  readonly timeout?: Duration;
  /** In place of the agent's own. */
  readonly model?: string | LanguageModel | Model;
  /** Whether the model streams; default true. */
  readonly stream?: boolean;
}

export type RunInput = string | { readonly message: UserContent };

/** The answer to a pause: a decision on an approval, or a reply to a question. */
export type PauseAnswer =
  | {
      readonly pauseId: string;
      readonly decision: "approve" | "decline";
      readonly arguments?: Json;
      readonly comment?: string;
    }
  | { readonly pauseId: string; readonly reply: Json };

export interface AppToolkitOptions {
  /** Name of an agent: its tools only. Default: the tools of the application and of all its agents. */
  readonly agent?: string;
  /** Asks for approval where the application has no channel of its own. */
  readonly channel?: Channel;
}

export interface App {
  readonly agents: readonly Agent[];
  /** Whether the application asks people itself. Where it does, nobody else should answer for them. */
  readonly hasChannel: boolean;
  /** Starts a run and gives its handle at once; what cannot start rejects through the handle. */
  run<Output>(agent: Agent<Output> | string, input: RunInput, options?: RunOptions): RunHandle<Output>;
  /** Answers a pause of a run of this process and gives the run's handle; throws where the answer does not fit. */
  resume(answer: PauseAnswer, by: { readonly ownerId?: string }): RunHandle;
  /**
   * The tools to call one by one, under all that governs them in runs: rules, hooks and masking of the application, and
   * the approvals and `requires` of each agent that has the tool. Connects the sources; they stay open until the
   * application closes, as does the toolkit. Rejects with `agent.unknown`, and with `tool.duplicate-name` where agents
   * have different tools of one name: then choose one by `agent`.
   */
  toolkit(options?: AppToolkitOptions): Promise<Toolkit>;
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
  checkDefinitions(options);
  return new Application(options);
}

interface OwnedRun {
  readonly live: LiveRun;
  readonly ownerId: string | undefined;
}

class Application implements App {
  readonly agents: readonly Agent[];
  readonly #options: AppOptions;
  readonly #log: AppOptions["log"] & {};
  readonly #threads: NonNullable<AppOptions["threads"]>;
  readonly #preparations = new Map<Agent, AgentPreparation>();
  readonly #runs = new Set<OwnedRun>();
  readonly #answered = new Set<string>();
  readonly #toolkits: Toolkit[] = [];
  readonly #lent = new Set<ToolSource>();
  #sources: Promise<OpenSources> | undefined;
  #isClosed = false;

  constructor(options: AppOptions) {
    this.#options = options;
    this.agents = options.agents ?? [];
    this.#log = createCallSlots(options).log;
    this.#threads = options.threads ?? memoryThreads();
  }

  run<Output>(agent: Agent<Output> | string, input: RunInput, options: RunOptions = {}): RunHandle<Output> {
    const runId = randomId("run_");
    const ownerId = options.user?.id;
    const thread: ThreadKey | undefined =
      options.threadId === undefined ? undefined : { threadId: options.threadId, ownerId };
    const live = new LiveRun({
      runId,
      clock: this.#options.clock ?? systemClock,
      prepare: async () => {
        const setup = await (await this.#preparation(agent)).prepare(options.model);
        const history = thread === undefined ? [] : await this.#threads.read(thread);
        const { threadId, tenant, user, data } = options;
        const message = userMessage(typeof input === "string" ? input : input.message);
        return {
          setup,
          start: {
            runId,
            message,
            history,
            threadId,
            ownerId,
            tenant,
            user,
            data,
            isStreaming: options.stream !== false,
          },
        };
      },
      save: async (messages) => {
        if (thread !== undefined) await this.#threads.append(thread, messages);
      },
      signal: options.signal,
      timeout: options.timeout?.ms,
    });
    const owned: OwnedRun = { live, ownerId };
    this.#runs.add(owned);
    void live.ended.then(() => this.#runs.delete(owned));
    return live.handle as RunHandle<Output>;
  }

  resume(answer: PauseAnswer, by: { readonly ownerId?: string }): RunHandle {
    const { pauseId, ...given } = answer;
    if (this.#answered.has(pauseId))
      throw new ToolpostError("approval.already-answered", `the pause \`${pauseId}\` is already answered`);
    const { owned, pause } = this.#findPause(pauseId);
    if (owned.ownerId !== undefined && owned.ownerId !== by.ownerId) {
      throw new ToolpostError("approval.unknown-pause", `there is no waiting pause \`${pauseId}\` for this owner`);
    }
    const checked = checkAnswer(given, pause.value.kind);
    if (!checked.ok)
      throw new ToolpostError(
        "approval.invalid-answer",
        `the answer to \`${pauseId}\` cannot be used: ${checked.problem}`,
      );
    this.#answered.add(pauseId);
    owned.live.answer(pauseId, { type: "answer", value: toJson(checked.answer) });
    return owned.live.handle;
  }

  get hasChannel(): boolean {
    const { channel, channels = [] } = this.#options.approvals ?? {};
    return channel !== undefined || channels.length > 0;
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
    const toolkit = await createToolkit({
      ...this.#options,
      tools: toolsOf(agents, tools, agent === undefined).map((tool) => withNeeds(tool, needs)),
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

  async status(): Promise<readonly SourceStatus[]> {
    return (await this.#openSources()).status();
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    const runs = [...this.#runs];
    for (const { live } of runs) live.abort("the application was closed");
    await Promise.all(this.#toolkits.map((toolkit) => toolkit.close()));
    await Promise.all(runs.map(({ live }) => live.ended));
    await Promise.all([...this.#lent].map((source) => source.close()));
    await Promise.all([...this.#preparations.values()].map((preparation) => preparation.close()));
    await (await this.#sources)?.close();
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  #findPause(pauseId: string): { owned: OwnedRun; pause: PendingPause } {
    for (const owned of this.#runs) {
      const pause = owned.live.pending.find((candidate) => candidate.pauseId === pauseId);
      if (pause !== undefined) return { owned, pause };
    }
    throw new ToolpostError("approval.unknown-pause", `there is no waiting pause \`${pauseId}\``);
  }

  async #preparation(agent: Agent<unknown> | string): Promise<AgentPreparation> {
    if (this.#isClosed) throw new ToolpostError("app.closed", "the application is closed; no run can start");
    const found = this.#find(agent);
    const sources = await this.#openSources();
    const preparation = this.#preparations.get(found) ?? new AgentPreparation(found, this.#options, sources);
    this.#preparations.set(found, preparation);
    return preparation;
  }

  #find(agent: Agent<unknown> | string): Agent {
    const found =
      typeof agent === "string"
        ? this.agents.find(({ name }) => name === agent)
        : this.agents.find((known) => known === agent);
    if (found !== undefined) return found;
    const name = typeof agent === "string" ? agent : agent.name;
    const known = this.agents.map((candidate) => `\`${candidate.name}\``).join(", ");
    throw new ToolpostError(
      "agent.unknown",
      `there is no agent \`${name}\`; the application has ${known === "" ? "none" : known}`,
    );
  }

  #openSources(): Promise<OpenSources> {
    this.#sources ??= openSources(this.#options, this.#log);
    return this.#sources;
  }
}

/** Tool names to what must have succeeded before, for all the agents together. */
type Needs = ReadonlyMap<string, ReadonlySet<string>>;

function needsOf(agents: readonly Agent[]): Needs {
  const needs = new Map<string, Set<string>>();
  for (const [tool, names] of agents.flatMap(({ requires }) => Object.entries(requires ?? {}))) {
    needs.set(tool, new Set([...(needs.get(tool) ?? []), ...names]));
  }
  return needs;
}

/** Tools written in code, each once; those of the application too, unless only agents are asked for. */
function toolsOf(agents: readonly Agent[], appTools: readonly AnyTool[], withAppTools: boolean): readonly AnyTool[] {
  const byName = new Map(appTools.map((tool) => [tool.name, tool]));
  const own = agents.flatMap(({ name: owner, tools }) =>
    tools
      .flatMap((tool) => (isToolSource(tool) ? [] : typeof tool === "string" ? (byName.get(tool) ?? []) : tool))
      .map((tool) => ({ tool, owner })),
  );
  const chosen = new Map((withAppTools ? appTools : []).map((tool) => [tool.name, { tool, owner: "" }]));
  for (const { tool, owner } of own) {
    const other = chosen.get(tool.name);
    if (other === undefined) chosen.set(tool.name, { tool, owner });
    else if (other.tool !== tool) {
      const first = other.owner === "" ? "the application" : `agent \`${other.owner}\``;
      const message = `${first} and agent \`${owner}\` have different tools named \`${tool.name}\`: choose the tools of one agent`;
      throw new ToolpostError("tool.duplicate-name", message, {
        hint: `Ask for one agent's, \`{ agent: "${owner}" }\`, or rename one of the tools.`,
      });
    }
  }
  return [...chosen.values()].map(({ tool }) => tool);
}

function withNeeds(tool: AnyTool, needs: Needs): AnyTool {
  const before = needs.get(tool.name);
  if (before === undefined) return tool;
  return deriveTool(tool, {
    visibleWhen: (question) =>
      [...before].every((name) => question.executed.includes(name)) &&
      (tool.visibleWhen === undefined || tool.visibleWhen(question)),
  });
}

/** A source whose closing is left to the application. */
function lend(source: ToolSource, needs: Needs): ToolSource {
  return {
    name: source.name,
    kind: source.kind,
    list: async () => (await source.list()).map((tool) => withNeeds(tool, needs)),
    status: () => source.status(),
    close: async () => undefined,
  };
}
