// The sources of an application or toolkit: made once, listed together.
// Each fails for itself only: what one cannot give, the others still do.

import { toTool } from "../author/to-tool.ts";
import type { ToolOrigin } from "../catalog/merge-tools.ts";
import type { LogEntry } from "../core/govern.ts";
import type { SkippedTool, SourceStatus, ToolSource } from "../core/source.ts";
import type { AnyTool } from "../core/tool.ts";
import { mcpSources } from "../sources/mcp/mcp-sources.ts";
import type { GovernanceOptions } from "./app-options.ts";

/** Tools of one source, as it listed them. */
export interface SourceTools {
  readonly source: ToolSource;
  readonly tools: readonly AnyTool[];
}

export interface OpenSources {
  readonly sources: readonly ToolSource[];
  /** Lists every source side by side; one that fails is logged and gives no tools. */
  list(): Promise<readonly SourceTools[]>;
  status(): readonly SourceStatus[];
  /** What sources have to say in the system prompt. */
  instructions(): Promise<readonly string[]>;
  close(): Promise<void>;
}

/** Reads the MCP configuration, if any; connects nothing. Throws `config.*` for a configuration that cannot be used. */
export async function openSources(options: GovernanceOptions, log: (entry: LogEntry) => void): Promise<OpenSources> {
  const fromMcp =
    options.mcp === undefined ? [] : await mcpSources(options.mcp, { env: process.env, log, directory: process.cwd() });
  const sources = [...(options.sources ?? []), ...fromMcp];
  const told = new Set<ToolSource>();
  return {
    sources,
    list: () => Promise.all(sources.map((source) => listOne(source, told, log))),
    status: () => sources.map((source) => source.status()),
    instructions: async () => {
      const texts = await Promise.all(sources.map(async (source) => source.instructions?.()));
      return texts.filter((text): text is string => text !== undefined && text.trim() !== "");
    },
    close: async () => {
      await Promise.all(sources.map((source) => source.close()));
    },
  };
}

/** A source's tools as the catalogue merges them. */
export function originOf({ source, tools }: SourceTools): ToolOrigin {
  return { place: `the source \`${source.name}\``, sourceName: source.name, tools: tools.map(toTool) };
}

export function skipEntry({ name, reason }: SkippedTool): LogEntry {
  return { level: "warn", message: `the tool \`${name}\` is not offered: ${reason}` };
}

async function listOne(
  source: ToolSource,
  told: Set<ToolSource>,
  log: (entry: LogEntry) => void,
): Promise<SourceTools> {
  try {
    const tools = await source.list();
    told.delete(source);
    return { source, tools };
  } catch (error) {
    if (!told.has(source))
      log({ level: "error", message: `the source \`${source.name}\` gave no tools; the others go on`, error });
    told.add(source);
    return { source, tools: [] };
  }
}
