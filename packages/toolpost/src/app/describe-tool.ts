// One tool as `describe` tells of it: what it may do, who must agree, its bounds and where each comes from.
// Nothing of the tool is called; a policy that is a function stays unasked.

import type { ApprovalFloor } from "../core/govern.ts";
import type { SourceFacts, ToolSource } from "../core/source.ts";
import type { AnyTool } from "../core/tool.ts";
import { floorVerdict } from "../policy/approval-floor.ts";
import type { ToolDefaults } from "./app-options.ts";
import { DEFAULT_RESULT_SIZE, DEFAULT_TIMEOUT } from "./built-in-bounds.ts";
import type { ApprovalNeed, FromSomewhere, ToolDescription } from "./description.ts";

/** What stands around a tool and counts for it. */
export interface ToolPlace {
  /** How the application or toolkit is called where a bound comes from it. */
  readonly origin: string;
  readonly defaults: ToolDefaults;
  readonly floors: readonly ApprovalFloor[];
  readonly requires: { readonly [tool: string]: readonly string[] };
  /** The source that brought it; `undefined` for one written in code. */
  readonly broughtBy: ToolSource | undefined;
}

export function describeTool(tool: AnyTool, place: ToolPlace): ToolDescription {
  const { broughtBy, defaults, origin, requires } = place;
  const timeouts = { own: tool.timeout, ofApp: defaults.timeout, builtIn: DEFAULT_TIMEOUT };
  const sizes = { own: tool.maxResultSize, ofApp: defaults.maxResultSize, builtIn: DEFAULT_RESULT_SIZE };
  return {
    name: tool.name,
    description: tool.description,
    access: tool.annotations?.readOnly === true ? "read" : "write",
    place: (broughtBy && factsOf(broughtBy).place) ?? (remoteKinds.has(tool.source) ? "remote" : "local"),
    source: tool.source,
    ...(broughtBy === undefined ? {} : { sourceName: broughtBy.name }),
    approval: approvalNeed(tool, place),
    environment: tool.environment ?? [],
    tags: tool.tags ?? [],
    requires: Object.hasOwn(requires, tool.name) ? (requires[tool.name] ?? []) : [],
    maxResultSize: settingOf(sizes, origin, ({ bytes }) => ({ bytes })),
    timeout: settingOf(timeouts, origin, (timeout) => ({ ms: timeout === "none" ? null : timeout.ms })),
  };
}

/** What a source says of itself; one that cannot say says nothing. */
export function factsOf(source: ToolSource): SourceFacts {
  try {
    return source.describe?.() ?? {};
  } catch {
    return {};
  }
}

/** The same setting at three places, the first one that is there counts. */
export function settingOf<T, Told>(
  { own, ofApp, builtIn }: { readonly own: T | undefined; readonly ofApp: T | undefined; readonly builtIn: T },
  origin: string,
  tell: (value: T) => Told,
): Told & FromSomewhere {
  if (own !== undefined) return { ...tell(own), origin: "own" };
  return ofApp === undefined ? { ...tell(builtIn), origin: "built-in" } : { ...tell(ofApp), origin };
}

/** An MCP server that does not say where it runs is taken for a remote one. */
const remoteKinds: ReadonlySet<AnyTool["source"]> = new Set(["mcp", "http", "a2a"]);

/** A floor lifts an allow and never loosens a deny. */
function approvalNeed(tool: AnyTool, { floors }: ToolPlace): ApprovalNeed {
  const { policy } = tool;
  const verdict = typeof policy === "object" ? policy.verdict : policy;
  if (verdict === "deny") return "denied";
  const isLifted = floors.some((floor) => floorVerdict(floor, tool) !== undefined);
  if (verdict === "needs-approval" || isLifted) return "waits";
  return typeof verdict === "function" ? "may-wait" : "none";
}
