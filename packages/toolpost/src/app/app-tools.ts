// The tools of an application for calls one by one: of agents and sources, each with what its agents require of it.
// Nothing of it is offered to a model; agents get theirs when they are prepared.

import type { AssembledAgent } from "../agent/define-agent.ts";
import { deriveTool } from "../core/derive-tool.ts";
import { ToolpostError } from "../core/errors.ts";
import type { ToolSource } from "../core/source.ts";
import type { AnyTool } from "../core/tool.ts";
import { isToolSource } from "./check-definitions.ts";

/** Tool names to what must have succeeded before, for all the agents together. */
export type Needs = ReadonlyMap<string, ReadonlySet<string>>;

export function needsOf(agents: readonly AssembledAgent[]): Needs {
  const needs = new Map<string, Set<string>>();
  for (const [tool, names] of agents.flatMap(({ requires }) => Object.entries(requires ?? {}))) {
    needs.set(tool, new Set([...(needs.get(tool) ?? []), ...names]));
  }
  return needs;
}

/** An agent's tools that no source brings, each once; names stand for tools of the application. */
export function toolsInCode({ tools }: AssembledAgent, appTools: readonly AnyTool[]): readonly AnyTool[] {
  const byName = new Map(appTools.map((tool) => [tool.name, tool]));
  const own = tools.flatMap((tool) =>
    isToolSource(tool) ? [] : typeof tool === "string" ? (byName.get(tool) ?? []) : tool,
  );
  return [...new Set(own)];
}

/** Tools written in code, each once; those of the application too, unless only agents are asked for. */
export function writtenTools(
  agents: readonly AssembledAgent[],
  appTools: readonly AnyTool[],
  withAppTools: boolean,
): readonly AnyTool[] {
  const own = agents.flatMap((agent) => toolsInCode(agent, appTools).map((tool) => ({ tool, owner: agent.name })));
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

export function withNeeds(tool: AnyTool, needs: Needs): AnyTool {
  const before = needs.get(tool.name);
  if (before === undefined) return tool;
  return deriveTool(tool, {
    visibleWhen: (question) =>
      [...before].every((name) => question.executed.includes(name)) &&
      (tool.visibleWhen === undefined || tool.visibleWhen(question)),
  });
}

/** A source whose closing is left to the application. */
export function lend(source: ToolSource, needs: Needs): ToolSource {
  return {
    name: source.name,
    kind: source.kind,
    list: async () => (await source.list()).map((tool) => withNeeds(tool, needs)),
    status: () => source.status(),
    describe: () => source.describe?.() ?? {},
    close: async () => undefined,
  };
}
