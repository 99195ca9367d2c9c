// `toolpost call`: one governed call of one tool. Its text goes to standard output, all else to standard error.
// It decides nothing: whatever stands in the way of the call is the result's to say.

import type { AgentEvent } from "../core/event.ts";
import type { ToolResult } from "../core/result.ts";
import { closestName } from "../std/closest-name.ts";
import { encodeJson } from "../std/json.ts";
import { visible } from "../std/text.ts";
import { type Command, type CommandCall, UsageError } from "./command.ts";
import { didYouMean } from "./command-line.ts";
import { exitCodeOfCall, exitCodes, isUnknownTool } from "./exit-code.ts";
import { tellFailedSources } from "./failed-sources.ts";
import { type OpenTools, openTools, terminalChannel } from "./open-config.ts";
import { progressLine } from "./progress-line.ts";
import { readStandardInput } from "./read-standard-input.ts";
import { waitingText } from "./waiting-text.ts";

/**
 * Calls NAME with the JSON of the second word; from standard input where that is `-`, or absent and standard input is
 * no terminal. No text at all means `{}`. What is not JSON is refused by the call itself.
 */
export const call: Command = {
  name: "call",
  summary: "calls a tool, under the rules of the configuration",
  usage: "call NAME ['JSON' | -]",
  options: {
    agent: { value: "NAME", summary: "as this agent would call it" },
    quiet: { short: "q", summary: "no progress on standard error" },
  },
  async run(command) {
    const [name, given, ...more] = command.positionals;
    if (name === undefined) throw new UsageError("`toolpost call` needs the name of a tool", call);
    if (more.length > 0)
      throw new UsageError(`\`${more[0]}\` is one word too many; put the JSON in single quotes`, call);
    const input = await inputOf(given, command);
    const tools = await openTools(command);
    try {
      const result = await tools.toolkit.call(name, input, {
        ...(command.io.interrupt === undefined ? {} : { signal: command.io.interrupt }),
        ...(command.switches.has("quiet") ? {} : { onEvent: (event: AgentEvent) => tellProgress(event, command) }),
      });
      await printResult(result, command);
      return explain(result, tools, command);
    } finally {
      await tools.close();
    }
  },
};

async function inputOf(given: string | undefined, command: CommandCall): Promise<string> {
  const isPiped = given === undefined && !command.io.isTerminal.stdin;
  return given === "-" || isPiped ? readStandardInput(command, "the arguments") : (given ?? "{}");
}

function tellProgress(event: AgentEvent, { terminal }: CommandCall): void {
  const line = progressLine(event);
  if (line !== undefined) terminal.tell(line, "dim");
}

async function printResult(result: ToolResult, { io, terminal, switches }: CommandCall): Promise<void> {
  if (switches.has("json")) return terminal.print(`${encodeJson(result)}\n`);
  if (result.status === "ok") {
    // A program gets what the tool gave; a terminal must not be steered by it.
    const text = io.isTerminal.stdout ? visible(result.text, { keepLineBreaks: true }) : result.text;
    return terminal.print(text.endsWith("\n") ? text : `${text}\n`);
  }
  if (result.text !== "") terminal.tell(result.text, "red");
}

/** The exit code, with a word about what can be done where the result itself has none. */
function explain(result: ToolResult, { toolkit, failed }: OpenTools, { io, terminal }: CommandCall): number {
  if (io.interrupt?.aborted === true && result.status !== "ok") return exitCodes.cancelled;
  if (result.status === "waiting") terminal.tell(waitingText(result.tool, terminalChannel(io) !== undefined), "yellow");
  if (!isUnknownTool(result)) return exitCodeOfCall(result);
  tellFailedSources(failed, terminal);
  const names = toolkit.tools().map((tool) => tool.name);
  if (names.includes(result.tool)) {
    terminal.tell(
      `\`${result.tool}\` is hidden for now: its \`visibleWhen\`, or a \`requires\`, waits for other calls first`,
    );
  } else {
    terminal.tell(
      `there is no tool \`${result.tool}\`${didYouMean(closestName(result.tool, names)) || "; `toolpost list` shows all"}`,
    );
  }
  return failed.length > 0 && names.length === 0 ? exitCodes.configuration : exitCodes.usage;
}
