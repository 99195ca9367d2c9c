// `toolpost list`: which tools there are, as a table for people or as JSON for programs.
// It shows definitions only and calls nothing.

import type { AnyTool } from "../core/tool.ts";
import { encodeJson } from "../std/json.ts";
import { visible } from "../std/text.ts";
import { type Command, type CommandCall, UsageError } from "./command.ts";
import { exitCodes } from "./exit-code.ts";
import { tellFailedSources } from "./failed-sources.ts";
import { openTools } from "./open-config.ts";
import { printTable } from "./print-table.ts";
import { shownLine } from "./shown-line.ts";

/**
 * Prints the tools: name, source, description; with `--json` an array of `{ name, source, description, inputSchema }`.
 * Sources that failed are told of; the exit code is 3 when one did and there is no tool at all.
 */
export const list: Command = {
  name: "list",
  summary: "lists the tools",
  usage: "list",
  options: { agent: { value: "NAME", summary: "the tools of this agent only" } },
  async run(call) {
    const [stranger] = call.positionals;
    if (stranger !== undefined) throw new UsageError(`\`${stranger}\` is one word too many`, list);
    const { toolkit, failed, close } = await openTools(call);
    try {
      const tools = toolkit.tools();
      await (call.switches.has("json") ? printJson(tools, call) : printTools(tools, call));
      tellFailedSources(failed, call.terminal);
      return failed.length > 0 && tools.length === 0 ? exitCodes.configuration : exitCodes.ok;
    } finally {
      await close();
    }
  },
};

function printJson(tools: readonly AnyTool[], { terminal }: CommandCall): Promise<void> {
  const entries = tools.map(({ name, source, description, inputSchema }) => ({
    name,
    source,
    description,
    inputSchema,
  }));
  return terminal.print(`${encodeJson(entries)}\n`);
}

async function printTools(tools: readonly AnyTool[], call: CommandCall): Promise<void> {
  if (tools.length === 0) return call.terminal.tell("no tools");
  const rows = tools.map(({ name, source, description }) => [visible(name), visible(source), shownLine(description)]);
  await printTable([["NAME", "SOURCE", "DESCRIPTION"], ...rows], call);
}
