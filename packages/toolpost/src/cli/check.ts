// `toolpost check`: everything that is wrong with the configuration, at once, before anything is started.
// The problems are its result, so they go to standard output.

import { encodeJson } from "../std/json.ts";
import { visible } from "../std/text.ts";
import { type CheckProblem, type CheckReport, checkConfig } from "./check-config.ts";
import { type Command, UsageError } from "./command.ts";
import { counted, countsOf, toolNamesOf } from "./description-text.ts";
import { exitCodes } from "./exit-code.ts";
import { shownLine } from "./shown-line.ts";
import type { Terminal } from "./terminal.ts";

/** Prints a line per problem and warning and a summary; only problems change the exit code. */
export const check: Command = {
  name: "check",
  summary: "tells all that is wrong with the configuration; connects nothing",
  usage: "check",
  options: {},
  async run(call) {
    const { positionals, terminal, switches } = call;
    if (positionals[0] !== undefined) throw new UsageError(`\`${positionals[0]}\` is one word too many`, check);
    const report = await checkConfig(call);
    await terminal.print(switches.has("json") ? `${encodeJson(toJson(report))}\n` : reportText(report, terminal));
    return report.problems.length === 0 ? exitCodes.ok : exitCodes.configuration;
  },
};

function reportText({ problems, warnings, description }: CheckReport, terminal: Terminal): string {
  const found = description === undefined ? "" : `${countsOf(description)}: `;
  const wrong = problems.length === 0 ? "nothing to mend" : `${counted(problems.length, "problem")} to mend`;
  const summary = `${found}${wrong}${warnings.length === 0 ? "" : `, ${counted(warnings.length, "warning")}`}`;
  const lines = [
    ...problems.map((problem) => problemText(problem, terminal)),
    ...warnings.map(({ code, message }) => terminal.paint(`warning: [${code}] ${shownLine(message)}`, "yellow")),
    summary,
  ];
  return `${lines.join("\n")}\n`;
}

/** The piece of code that a syntax error comes with keeps its lines: its caret points at something. */
function problemText({ code, message, hint }: CheckProblem, terminal: Terminal): string {
  const shown = code === "config.syntax" ? visible(message, { keepLineBreaks: true }) : shownLine(message);
  const text = terminal.paint(`[${code}] ${shown}`, "red");
  return hint === undefined ? text : `${text}\nfix: ${shownLine(hint)}`;
}

/** The description itself is `toolpost describe --json`. */
function toJson({ problems, warnings, description }: CheckReport): object {
  const found = description && {
    agents: description.agents.length,
    tools: toolNamesOf(description).size,
    sources: description.sources.length,
  };
  return {
    ok: problems.length === 0,
    problems,
    warnings,
    ...found,
  };
}
