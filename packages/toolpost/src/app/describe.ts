// What an application or toolkit is made of, with every bound and where it comes from.
// It must work on a machine without keys or network: no model is made, no source connected, no value of the environment
// read. It comes after the checks, so definitions are as their types say.

import { answerTool } from "../agent/answer-tool.ts";
import type { AssembledAgent } from "../agent/define-agent.ts";
import type { Schema } from "../core/schema.ts";
import type { ToolSource } from "../core/source.ts";
import type { AnyTool } from "../core/tool.ts";
import { toModel } from "../models/to-model.ts";
import type { AssembledGovernance, AssembledOptions } from "./app-options.ts";
import { toolsInCode } from "./app-tools.ts";
import { DEFAULT_CONCURRENCY, DEFAULT_TOOL_CALLS, MOST_FAILURES, MOST_STEPS } from "./built-in-bounds.ts";
import { isToolSource } from "./check-definitions.ts";
import { describeEnvironment } from "./describe-environment.ts";
import { describeTool, factsOf, settingOf, type ToolPlace } from "./describe-tool.ts";
import type {
  AgentDescription,
  BudgetDescription,
  Description,
  OutputDescription,
  PromptDescription,
  SourceDescription,
  ToolDescription,
} from "./description.ts";

/**
 * @param agents all of them, those that are only tools of others too
 * @param sources those of the application, not yet connected
 */
export function describeApp(
  options: AssembledOptions,
  agents: readonly AssembledAgent[],
  sources: readonly ToolSource[],
): Description {
  const { tools = [] } = options;
  const place = placeOf(options, "application");
  const owners = ownersOf(agents, tools);
  const described = agents.map((agent) => describeAgent(agent, options, place, owners.get(agent.name) ?? []));
  const assigned = new Set(agents.flatMap((agent) => toolsInCode(agent, tools)));
  return whole(options, {
    kind: "application",
    agents: described,
    tools: tools.map((tool) => describeTool(tool, place)),
    unassignedTools: agents.length === 0 ? [] : tools.filter((tool) => !assigned.has(tool)).map(({ name }) => name),
    sources: describeSources(sources, agents),
  });
}

/** @param broughtBy the source of a tool, `undefined` for one written in code */
export function describeToolkit(
  options: AssembledGovernance,
  sources: readonly ToolSource[],
  tools: readonly { readonly tool: AnyTool; readonly broughtBy: ToolSource | undefined }[],
): Description {
  const place = placeOf(options, "toolkit");
  return whole(options, {
    kind: "toolkit",
    agents: [],
    tools: tools.map(({ tool, broughtBy }) => describeTool(tool, { ...place, broughtBy })),
    unassignedTools: [],
    sources: describeSources(sources, []),
  });
}

function whole(options: AssembledGovernance, parts: Omit<Description, "name" | "environment" | "rules">): Description {
  const { kind, ...rest } = parts;
  return {
    kind,
    ...(options.name === undefined ? {} : { name: options.name }),
    ...rest,
    environment: describeEnvironment(parts),
    rules: options.rules?.length ?? 0,
  };
}

function placeOf(options: AssembledGovernance, kind: Description["kind"]): ToolPlace {
  const { approvals, defaults } = options;
  return {
    origin: options.name ?? kind,
    defaults: defaults?.tools ?? {},
    floors: approvals === undefined ? [] : [approvals],
    requires: {},
    broughtBy: undefined,
  };
}

/** Names of agents to those of the agents whose tools they are. */
function ownersOf(agents: readonly AssembledAgent[], appTools: readonly AnyTool[]): ReadonlyMap<string, string[]> {
  const owners = new Map<string, string[]>();
  for (const agent of agents) {
    for (const flow of new Set(toolsInCode(agent, appTools).flatMap((tool) => tool.flow ?? [])))
      owners.set(flow, [...(owners.get(flow) ?? []), agent.name]);
  }
  return owners;
}

function describeAgent(
  agent: AssembledAgent,
  { tools = [] }: AssembledOptions,
  place: ToolPlace,
  toolOf: readonly string[],
): AgentDescription {
  const { approvals, requires = {}, thinking, output } = agent;
  const { defaults, origin } = place;
  const within: ToolPlace = {
    ...place,
    requires,
    floors: approvals === undefined ? place.floors : [...place.floors, approvals],
  };
  const prompt = describePrompt(agent);
  const count = (own: number | undefined, ofApp: number | undefined, builtIn: number) =>
    settingOf({ own, ofApp, builtIn }, origin, (value) => ({ count: value }));
  const toolErrors = { own: agent.toolErrors, ofApp: defaults.toolErrors, builtIn: "mask" as const };
  const known = new Set(tools.map(({ name }) => name));
  return {
    name: agent.name,
    toolOf,
    description: agent.description,
    model: typeof agent.model === "string" ? agent.model : toModel(agent.model).id,
    ...(thinking === undefined ? {} : { thinking }),
    ...(prompt === undefined ? {} : { prompt }),
    ...(output === undefined ? {} : { output: describeOutput(output) }),
    asks: agent.asks === true,
    history: { turns: agent.history?.turns ?? null, summaries: agent.history?.summaries ?? 0 },
    maxSteps: count(agent.maxSteps, undefined, MOST_STEPS),
    maxFailures: count(agent.maxFailures, undefined, MOST_FAILURES),
    maxToolCalls: count(agent.maxToolCalls, defaults.maxToolCalls, DEFAULT_TOOL_CALLS),
    maxConcurrency: count(agent.maxConcurrency, defaults.maxConcurrency, DEFAULT_CONCURRENCY),
    budget: describeBudget(agent),
    toolErrors: settingOf(toolErrors, origin, (value) => ({ value })),
    tools: toolsInCode(agent, tools).map((tool): ToolDescription => describeTool(tool, within)),
    toolsOfSources: agent.tools.filter((tool): tool is string => typeof tool === "string" && !known.has(tool)),
  };
}

/** Files as they are written: absolute ones would differ from machine to machine. */
function describePrompt({ prompt }: AssembledAgent): PromptDescription | undefined {
  if (prompt === undefined) return undefined;
  if (typeof prompt === "string") return { kind: "text", characters: prompt.length };
  return { kind: "files", files: prompt.files.map(String) };
}

function describeOutput(output: Schema): OutputDescription {
  const { title, properties } = answerTool(output, "answer").inputSchema;
  return {
    ...(typeof title === "string" && title !== "" ? { name: title } : {}),
    fields: Object.keys((properties ?? {}) as object),
  };
}

function describeBudget({ budget = {} }: AssembledAgent): BudgetDescription {
  const { money, tokens, calls, time } = budget;
  return {
    ...(money === undefined ? {} : { usd: money.usd }),
    ...(tokens === undefined ? {} : { tokens }),
    ...(calls === undefined ? {} : { calls }),
    ...(time === undefined ? {} : { ms: time.ms }),
  };
}

function describeSources(sources: readonly ToolSource[], agents: readonly AssembledAgent[]): SourceDescription[] {
  const owners = new Map<ToolSource, string[]>(sources.map((source) => [source, []]));
  for (const { name, tools } of agents) {
    for (const source of tools.filter(isToolSource)) {
      const given = owners.get(source);
      // What the application gives to all is no agent's own.
      if (given === undefined) owners.set(source, [name]);
      else if (!sources.includes(source)) given.push(name);
    }
  }
  return [...owners].map(([source, given]) => {
    const { place, environment = [] } = factsOf(source);
    return {
      name: source.name,
      kind: source.kind,
      ...(place === undefined ? {} : { place }),
      environment,
      agents: given,
    };
  });
}
