// The sources of an application or toolkit: made once, listed together.
// Each fails for itself only: what one cannot give, the others still do.

import { toTool } from "../author/to-tool.ts";
import { checkTool } from "../author/tool-checks.ts";
import type { ToolOrigin } from "../catalog/merge-tools.ts";
import type { LogEntry } from "../core/govern.ts";
import type { SkippedTool, SourceStatus, ToolSource } from "../core/source.ts";
import type { AnyTool } from "../core/tool.ts";
import type { GovernanceOptions } from "./app-options.ts";
import { closeAll } from "./close-all.ts";

/** Tools of one source, as it listed them. */
export interface SourceTools {
  readonly source: ToolSource;
  readonly tools: readonly AnyTool[];
  /** Why it gave none. */
  readonly failure?: { readonly error: unknown };
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
  const fromMcp = options.mcp === undefined ? [] : await readMcp(options.mcp, log);
  const sources = [...(options.sources ?? []), ...fromMcp];
  const told = new Set<ToolSource>();
  const sound = new WeakMap<readonly AnyTool[], readonly AnyTool[]>();
  return {
    sources,
    list: () => Promise.all(sources.map((source) => listOne(source, { told, sound, log }))),
    status: () => sources.map((source) => source.status()),
    instructions: async () => {
      const texts = await Promise.all(sources.map((source) => instructionsOf(source, log)));
      return texts.filter((text): text is string => typeof text === "string" && text.trim() !== "");
    },
    close: async () => {
      await closeAll(sources, log);
    },
  };
}

/** What an application without MCP servers never uses is not loaded for it. */
async function readMcp(mcp: GovernanceOptions["mcp"] & {}, log: (entry: LogEntry) => void): Promise<ToolSource[]> {
  const { mcpSources } = await import("../sources/mcp/mcp-sources.ts");
  return mcpSources(mcp, { env: process.env, log, directory: process.cwd() });
}

/** A source's tools as the catalogue merges them. */
export function originOf({ source, tools }: SourceTools): ToolOrigin {
  return { place: `the source \`${source.name}\``, sourceName: source.name, tools: tools.map(toTool) };
}

export function skipEntry({ name, reason }: SkippedTool): LogEntry {
  return { level: "warn", message: `the tool \`${name}\` is not offered: ${reason}` };
}

interface Listing {
  /** Sources whose failure was logged and has not passed. */
  readonly told: Set<ToolSource>;
  /** What is left of a list without what is no tool: the same list each time, so that nothing is made anew. */
  readonly sound: WeakMap<readonly AnyTool[], readonly AnyTool[]>;
  readonly log: (entry: LogEntry) => void;
}

async function listOne(source: ToolSource, { told, sound, log }: Listing): Promise<SourceTools> {
  try {
    const listed = await source.list();
    told.delete(source);
    const tools = sound.get(listed) ?? soundTools(source, listed, log);
    sound.set(listed, tools);
    return { source, tools };
  } catch (error) {
    if (!told.has(source)) {
      log({ level: "error", message: `the source \`${source.name}\` gave no tools; the others go on`, error });
    }
    told.add(source);
    return { source, tools: [], failure: { error } };
  }
}

function soundTools(source: ToolSource, listed: readonly AnyTool[], log: Listing["log"]): readonly AnyTool[] {
  const tools = listed.filter((tool) => {
    const [problem] = checkTool(tool, `the source \`${source.name}\``, { fromSource: true });
    if (problem !== undefined) log({ level: "warn", message: `a tool is not offered: ${problem.message}` });
    return problem === undefined;
  });
  return tools.length === listed.length ? listed : tools;
}

async function instructionsOf(source: ToolSource, log: Listing["log"]): Promise<string | undefined> {
  try {
    return await source.instructions?.();
  } catch (error) {
    log({ level: "error", message: `the source \`${source.name}\` gave no instructions`, error });
    return undefined;
  }
}
