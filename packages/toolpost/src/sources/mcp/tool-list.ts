// Which of a server's tools are offered, and in which order: filtered, unique, and stable from one listing to the next,
// since a prompt whose tools change places is not found in a provider's cache.

import type { SkippedTool } from "../../core/source.ts";
import type { AnyTool } from "../../core/tool.ts";
import { type McpToolOptions, readMcpTool } from "./mcp-tool.ts";

export interface ToolFilter {
  /** Original names of the only tools to offer; `undefined`: all. */
  readonly allow: readonly string[] | undefined;
  /** Original names of tools not to offer; wins over `allow`. */
  readonly drop: readonly string[] | undefined;
}

export interface ToolList {
  readonly tools: readonly AnyTool[];
  readonly skipped: readonly SkippedTool[];
}

/** The offered tools of a listing. Those of `previous` keep their places, new ones come after in the server's order. */
export function readToolList(
  entries: readonly unknown[],
  filter: ToolFilter,
  options: McpToolOptions & { readonly previous: readonly AnyTool[] },
): ToolList {
  const tools = new Map<string, AnyTool>();
  const skipped: SkippedTool[] = [];
  const seen = new Set<string>();
  for (const entry of entries) {
    const reading = readMcpTool(entry, options);
    const name = reading.ok ? reading.tool.name : reading.name;
    const isRepeated = seen.has(name);
    seen.add(name);
    if (name !== "" && !isWanted(name, filter)) continue;
    if (!reading.ok) skipped.push({ name, reason: reading.reason });
    else if (isRepeated) skipped.push({ name, reason: "the server lists its name twice; the first one is offered" });
    else tools.set(name, reading.tool);
  }
  skipped.push(...unknownNames(filter, seen));
  return { tools: inStableOrder(tools, options.previous), skipped };
}

function isWanted(name: string, { allow, drop }: ToolFilter): boolean {
  return allow?.includes(name) !== false && drop?.includes(name) !== true;
}

/** A misspelt name in `drop` would leave a tool offered, so it is said. */
function unknownNames({ allow = [], drop = [] }: ToolFilter, seen: ReadonlySet<string>): SkippedTool[] {
  return [...new Set([...allow, ...drop])]
    .filter((name) => !seen.has(name))
    .map((name) => ({ name, reason: "`allow` or `drop` names it, but the server has no such tool" }));
}

function inStableOrder(tools: ReadonlyMap<string, AnyTool>, previous: readonly AnyTool[]): AnyTool[] {
  const known = new Set(previous.map((tool) => tool.name));
  const kept = previous.flatMap(({ name }) => tools.get(name) ?? []);
  return [...kept, ...[...tools.values()].filter((tool) => !known.has(tool.name))];
}
