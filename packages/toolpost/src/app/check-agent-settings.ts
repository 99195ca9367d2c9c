// Settings of an agent that are well formed and yet come to nothing, or get in the way of its own tools.
// Told when an application is put together: a run would go on as though they had not been written.

import { askTool } from "../agent/ask-tool.ts";
import type { AssembledAgent } from "../agent/define-agent.ts";
import type { Problem } from "../core/errors.ts";
import { isRecord } from "../std/is-record.ts";

/** @param place how the agent is called in messages */
export function checkHistory({ history }: AssembledAgent, place: string): Problem[] {
  if (!isRecord(history)) return [];
  const { turns, summaries, summarise } = history;
  const idle = (name: string, needed: string, why: string): Problem => ({
    code: "agent.invalid",
    message: `${place}, \`history\`: \`${name}\` has no effect without \`${needed}\`: ${why}; add \`${needed}\`, or remove \`${name}\``,
  });
  return [
    ...(summaries !== undefined && turns === undefined
      ? [idle("summaries", "turns", "all turns are given whole")]
      : []),
    ...(summarise !== undefined && summaries === undefined
      ? [idle("summarise", "summaries", "no turn stands as a summary")]
      : []),
  ];
}

/** @param toolNames of its tools written in code, those of the application it names included */
export function checkAsks({ asks }: AssembledAgent, toolNames: ReadonlySet<string>, place: string): Problem[] {
  if (asks !== true || !toolNames.has(askTool.name)) return [];
  const message = `${place} has a tool named \`${askTool.name}\`, and \`asks: true\` gives it another of that name: rename the tool, or remove \`asks\``;
  return [{ code: "tool.duplicate-name", message }];
}
