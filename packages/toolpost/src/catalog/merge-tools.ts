// Puts the tools of several origins together, so that each has a name of its own.
// A name written in the project is never changed: two of them are a problem to mend. A source's name gives way.

import { deriveTool } from "../core/derive-tool.ts";
import type { Problem } from "../core/errors.ts";
import type { SkippedTool } from "../core/source.ts";
import type { AnyTool } from "../core/tool.ts";
import { hashedName } from "./alias.ts";

/** Tools that come from one place. */
export interface ToolOrigin {
  /** Where they stand, for messages: `agent "support"`, `the builtins`. */
  readonly place: string;
  /** Name of the source that brought them; without it they were written in the project. */
  readonly sourceName?: string;
  readonly tools: readonly AnyTool[];
}

export interface MergedTools {
  /** In the order of the origins. Names are unique. */
  readonly tools: readonly AnyTool[];
  /** `tool.duplicate-name`, one for each pair of places. */
  readonly problems: readonly Problem[];
  /** Tools that a source brought twice under one name: the first counts. */
  readonly skipped: readonly SkippedTool[];
  /** Where each of the tools comes from. */
  readonly origins: ReadonlyMap<AnyTool, ToolOrigin>;
}

/**
 * Merges. A tool whose name another origin has as well is renamed `<source>_<tool>`, where that is taken with a hash;
 * of two sources both are, so that the order does not matter. A tool that is listed twice counts once.
 */
export function mergeTools(origins: readonly ToolOrigin[]): MergedTools {
  const problems: Problem[] = [];
  const skipped: SkippedTool[] = [];
  const entries = entriesOf(origins, skipped);
  const written = writtenNames(entries, problems);
  const names = newNames(entries);
  const originOfTool = new Map<AnyTool, ToolOrigin>();
  for (const entry of entries) {
    const { tool, origin } = entry;
    const name = names.get(entry);
    if (name !== undefined) originOfTool.set(deriveTool(tool, { name }), origin);
    else if (origin.sourceName !== undefined || written.get(tool.name) === entry) originOfTool.set(tool, origin);
  }
  return { tools: [...originOfTool.keys()], problems, skipped, origins: originOfTool };
}

interface Entry {
  readonly tool: AnyTool;
  readonly origin: ToolOrigin;
}

/** Every tool once, and of each source every name once. */
function entriesOf(origins: readonly ToolOrigin[], skipped: SkippedTool[]): Entry[] {
  const seen = new Set<AnyTool>();
  const entries: Entry[] = [];
  for (const origin of origins) {
    const names = new Set<string>();
    for (const tool of origin.tools) {
      if (seen.has(tool)) continue;
      seen.add(tool);
      if (origin.sourceName !== undefined && names.has(tool.name)) {
        skipped.push({ name: tool.name, reason: `${origin.place} has two tools of this name` });
      } else entries.push({ tool, origin });
      names.add(tool.name);
    }
  }
  return entries;
}

/** The first of each name that was written in the project. */
function writtenNames(entries: readonly Entry[], problems: Problem[]): ReadonlyMap<string, Entry> {
  const written = new Map<string, Entry>();
  for (const entry of entries) {
    const { name } = entry.tool;
    const first = written.get(name);
    if (entry.origin.sourceName !== undefined) continue;
    if (first === undefined) written.set(name, entry);
    else
      problems.push({
        code: "tool.duplicate-name",
        message: `"${name}" ${placesOf(first.origin, entry.origin)}: rename one of them`,
      });
  }
  return written;
}

function placesOf(first: ToolOrigin, second: ToolOrigin): string {
  return first.place === second.place ? `is twice in ${first.place}` : `is in ${first.place} and in ${second.place}`;
}

/** Names that several origins have. */
function sharedNames(entries: readonly Entry[]): ReadonlySet<string> {
  const origins = new Map<string, ToolOrigin>();
  const shared = new Set<string>();
  for (const { tool, origin } of entries) {
    const other = origins.get(tool.name);
    if (other !== undefined && other !== origin) shared.add(tool.name);
    origins.set(tool.name, origin);
  }
  return shared;
}

/** The names of source tools whose own is shared. A wish that another has too is nobody's: all get a hash. */
function newNames(entries: readonly Entry[]): ReadonlyMap<Entry, string> {
  const shared = sharedNames(entries);
  const taken = new Set(entries.map(({ tool }) => tool.name));
  const wishes = new Map<string, Entry[]>();
  for (const entry of entries) {
    const { sourceName } = entry.origin;
    if (sourceName === undefined || !shared.has(entry.tool.name)) continue;
    const wish = `${sourceName}_${entry.tool.name}`;
    wishes.set(wish, [...(wishes.get(wish) ?? []), entry]);
  }
  const names = new Map<Entry, string>();
  for (const [wish, wishing] of [...wishes].sort()) {
    const isFree = wishing.length === 1 && !taken.has(wish);
    for (const entry of wishing) {
      // A line break, as in no name, tells `a_b` of `c` from `a` of `b_c`.
      const name = isFree ? wish : hashedName(wish, `${entry.origin.sourceName}\n${entry.tool.name}`, taken);
      taken.add(name);
      names.set(entry, name);
    }
  }
  return names;
}
