// Turns what an application or toolkit is given into plain definitions: classes into the tools, channels and agents they
// are decorated as, over one container. Everything behind this sees no classes.
// It constructs nothing, and reports what is wrong instead of throwing.

import { agentOf, isAgentInstance, withTools } from "../agent/agent-class.ts";
import { agentBehind, agentTool } from "../agent/agent-tool.ts";
import type { Agent, AssembledAgent } from "../agent/define-agent.ts";
import type { ClassChannel } from "../author/classes/class-channel.ts";
import { classChannel, isChannelInstance } from "../author/classes/class-channel.ts";
import type { AnyClass } from "../author/classes/class-notes.ts";
import { isClass } from "../author/classes/class-notes.ts";
import { classTools, isToolInstance } from "../author/classes/class-tools.ts";
import { Container } from "../author/classes/container.ts";
import type { Problem } from "../core/errors.ts";
import type { Log } from "../core/govern.ts";
import type { AnyTool } from "../core/tool.ts";
import { isRecord } from "../std/is-record.ts";
import type { AppOptions, AssembledOptions } from "./app-options.ts";
import { isOwnChannelClass } from "./own-channels.ts";

export interface Assembly {
  readonly options: AssembledOptions;
  readonly problems: readonly Problem[];
  readonly container: Container;
  /** Agents that are only tools of others. */
  readonly agentsBelow: readonly AssembledAgent[];
  /** The tools of a class among the tools, or of an agent's; none for a class that is not there. */
  toolsOf(type: AnyClass): readonly AnyTool[];
  /** Constructs what an agent's tools are methods of. Throws `ToolpostError`, `di.construction-failed`. */
  construct(agent: AssembledAgent): void;
  /** The agent that a definition or class became; `undefined` for one that is not the application's. */
  agentOf(definition: unknown): AssembledAgent | undefined;
}

export function assemble(options: AppOptions): Assembly {
  const given = isRecord(options) ? options : ({} as AppOptions);
  const providers = Array.isArray(given.providers) ? given.providers : [];
  const classes = new ClassAssembly(new Container(providers));
  classes.tell(classes.container.checkProviders());
  const agents: AssembledAgent[] = [];
  const byDefinition = new Map<unknown, AssembledAgent>();
  for (const definition of Array.isArray(given.agents) ? given.agents : []) {
    const agent = classes.agent(definition);
    if (agent === undefined) continue;
    agents.push(agent);
    byDefinition.set(definition, agent);
  }
  const tools = Array.isArray(given.tools) ? classes.replaced(given.tools) : undefined;
  const agentsBelow = below(agents, tools ?? [], classes, byDefinition);
  return {
    options: {
      ...given,
      ...(tools === undefined ? {} : { tools }),
      ...(isRecord(given.approvals) ? { approvals: classes.approvals(given.approvals) } : {}),
      ...(Array.isArray(given.agents) ? { agents } : {}),
    } as AssembledOptions,
    problems: [...classes.problems.values()],
    container: classes.container,
    agentsBelow,
    toolsOf: (type) => classes.made.get(type) ?? [],
    construct: (agent) => {
      for (const type of classes.classesOf.get(agent) ?? []) classes.container.get(type);
    },
    agentOf: (definition) => byDefinition.get(definition) ?? agents.find((agent) => agent === definition),
  };
}

/** Agents among the tools of agents and of the application, and among theirs, each once. */
function below(
  agents: readonly AssembledAgent[],
  appTools: readonly AnyTool[],
  classes: ClassAssembly,
  byDefinition: Map<unknown, AssembledAgent>,
): AssembledAgent[] {
  const found: AssembledAgent[] = [];
  const open: Pick<Agent, "tools">[] = [...agents, { tools: appTools }];
  for (const { tools } of open) {
    for (const definition of (Array.isArray(tools) ? tools : []).flatMap((tool) => agentBehind(tool) ?? [])) {
      if (byDefinition.has(definition) || open.includes(definition)) continue;
      const assembled = classes.agent(definition);
      if (assembled === undefined) continue;
      byDefinition.set(definition, assembled);
      found.push(assembled);
      open.push(assembled);
    }
  }
  return found;
}

class ClassAssembly {
  readonly container: Container;
  readonly #channels = new Map<AnyClass, ClassChannel | undefined>();
  /** By message: a class in many places is told of once. */
  readonly problems = new Map<string, Problem>();
  readonly made = new Map<AnyClass, readonly AnyTool[]>();
  readonly #agentTools = new Map<Agent, AnyTool>();
  readonly classesOf = new Map<AssembledAgent, readonly AnyClass[]>();

  constructor(container: Container) {
    this.container = container;
  }

  /** Lists of tools with the tools of a class in its place. */
  replaced(tools: readonly unknown[]): readonly AnyTool[] {
    return tools.flatMap((tool) => {
      if (isAgent(tool)) return this.#agentTool(tool);
      if (isClass(tool)) return this.#toolsOf(tool);
      if (!isToolInstance(tool)) return tool as AnyTool;
      const message = `an instance of the class "${tool.constructor.name}" is no tool: give the class itself, or \`...toolsOf(instance)\``;
      this.tell([{ code: "tool.not-decorated", message }]);
      return [];
    });
  }

  /** Channels that are classes in the form of all others. What is no channel at all stays, to be told of with the shape. */
  approvals({ channel, channels, ...floor }: { readonly [name: string]: unknown }): object {
    return {
      ...floor,
      ...(channel === undefined ? {} : { channel: this.#channel(channel)[0] }),
      ...(channels === undefined
        ? {}
        : { channels: Array.isArray(channels) ? channels.flatMap((each) => this.#channel(each)) : channels }),
    };
  }

  /** None where what is wrong is told here. */
  #channel(given: unknown): readonly unknown[] {
    if (isOwnChannelClass(given)) return [this.container.get(given)];
    if (isClass(given)) return this.#channelOf(given) ?? [];
    if (!isChannelInstance(given)) return [given];
    const message = `an instance of the class "${given.constructor.name}" is no channel: give the class itself`;
    this.tell([{ code: "channel.not-decorated", message }]);
    return [];
  }

  #channelOf(type: AnyClass): [ClassChannel] | undefined {
    if (!this.#channels.has(type)) {
      const { channel, problems } = classChannel(type, () => this.container.get(type));
      this.tell([...problems, ...(problems.some(isFatal) ? [] : this.container.check(type))]);
      this.#channels.set(type, channel);
    }
    const made = this.#channels.get(type);
    return made && [made];
  }

  agent(definition: unknown): AssembledAgent | undefined {
    // What is neither is told of with the shape of the options.
    if (!isClass(definition) && !isRecord(definition)) return undefined;
    const agent = isClass(definition) ? agentOf(definition) : (definition as unknown as Agent);
    if (agent === undefined || isAgentInstance(agent)) {
      const message = isClass(definition)
        ? `The class "${definition.name}" is not decorated with @Agent().`
        : `an instance of the class "${agent?.constructor.name}" is no agent: give the class itself`;
      this.tell([{ code: "agent.not-decorated", message }]);
      return undefined;
    }
    if (!Array.isArray(agent.tools) || !agent.tools.some(isOfClass)) return agent as AssembledAgent;
    const assembled = withTools(agent, this.replaced(agent.tools));
    this.classesOf.set(assembled, agent.tools.filter((tool) => isClass(tool) && !isAgent(tool)) as AnyClass[]);
    return assembled;
  }

  /** The same tool for an agent wherever it stands. */
  #agentTool(definition: Agent | AnyClass): AnyTool {
    const agent = isClass(definition) ? (agentOf(definition) as Agent) : definition;
    const known = this.#agentTools.get(agent) ?? agentTool(agent);
    this.#agentTools.set(agent, known);
    return known;
  }

  #toolsOf(type: AnyClass): readonly AnyTool[] {
    const known = this.made.get(type);
    if (known !== undefined) return known;
    const { tools, problems } = classTools(type, () => this.container.get(type));
    this.tell([...problems, ...(problems.some(isFatal) ? [] : this.container.check(type))]);
    this.made.set(type, tools);
    return tools;
  }

  tell(problems: readonly Problem[]): void {
    for (const problem of problems) this.problems.set(problem.message, problem);
  }
}

/** A class, or an object that stands where one belongs. */
function isOfClass(tool: unknown): boolean {
  return isClass(tool) || isToolInstance(tool) || isAgent(tool);
}

/** An agent among tools: a definition, or a class decorated as one. */
function isAgent(tool: unknown): tool is Agent | AnyClass {
  if (isClass(tool)) return agentOf(tool) !== undefined;
  return isRecord(tool) && "model" in tool && Array.isArray(tool.tools) && !("execute" in tool) && !("list" in tool);
}

/** A class that is no tool or channel at all: what its constructor takes does not matter. */
function isFatal({ code }: Problem): boolean {
  return code === "tool.not-decorated" || code === "channel.not-decorated";
}

/** Ends what the container constructed, when nothing uses it any more. Never rejects. */
export async function disposeAll(container: Container, log: Log): Promise<void> {
  for (const error of await container.dispose())
    log({ level: "error", message: "an instance could not be disposed of; the others were", error });
}
