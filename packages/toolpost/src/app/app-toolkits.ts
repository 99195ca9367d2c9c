// The toolkits that an application has handed out: its tools and sources, under all that governs them in runs, lent for as
// long as it is open. They are closed with it.

import type { AssembledAgent } from "../agent/define-agent.ts";
import type { Channel } from "../core/approval.ts";
import type { Log } from "../core/govern.ts";
import type { ToolSource } from "../core/source.ts";
import type { AssembledOptions } from "./app-options.ts";
import { lend, needsOf, withNeeds, writtenTools } from "./app-tools.ts";
import { isToolSource } from "./check-definitions.ts";
import { closeAll } from "./close-all.ts";
import { createToolkit } from "./create-toolkit.ts";
import type { Toolkit } from "./toolkit.ts";

export interface AppToolkitOptions {
  /** Name of an agent: its tools only. Default: the tools of the application and of all its agents. */
  readonly agent?: string;
  /** Asks for approval where the application has no channel of its own. */
  readonly channel?: Channel;
}

/** Whose tools a toolkit has. */
export interface ToolkitOwners {
  readonly agents: readonly AssembledAgent[];
  /** Whether it was asked for one agent's alone. */
  readonly isOfOne: boolean;
  /** Opens the sources of the application. */
  readonly openSources: () => Promise<readonly ToolSource[]>;
}

export class AppToolkits {
  readonly #options: AssembledOptions;
  readonly #toolkits: Toolkit[] = [];
  /** Sources of agents, which nobody else closes. */
  readonly #lent = new Set<ToolSource>();

  constructor(options: AssembledOptions) {
    this.#options = options;
  }

  async open({ agents, isOfOne, openSources }: ToolkitOwners, channel: Channel | undefined): Promise<Toolkit> {
    const { tools = [], approvals, defaults } = this.#options;
    const needs = needsOf(agents);
    const own = agents.flatMap((each) => each.tools.filter(isToolSource));
    for (const source of own) this.#lent.add(source);
    const sources = new Set([...(await openSources()), ...own]);
    const floors = [approvals, ...agents.map((each) => each.approvals)];
    const toolErrors = (isOfOne ? agents[0]?.toolErrors : undefined) ?? defaults?.tools?.toolErrors;
    const {
      agents: _agents,
      listeners: _listeners,
      threads: _threads,
      prices: _prices,
      engine: _engine,
      version: _version,
      ...shared
    } = this.#options;
    const toolkit = await createToolkit({
      ...shared,
      tools: writtenTools(agents, tools, !isOfOne).map((tool) => withNeeds(tool, needs)),
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
    return toolkit;
  }

  /** Cancels the calls under way. */
  close(log: Log): Promise<void> {
    return closeAll(this.#toolkits, log);
  }

  /** Closes what was lent to them. */
  async closeLent(log: Log): Promise<void> {
    await closeAll([...this.#lent], log);
  }
}
