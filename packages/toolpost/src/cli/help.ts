// What `--help` says, of the whole command and of each part of it, made from the commands' own descriptions.
// It must not know a command by name.

import type { Command, CommandOptions } from "./command.ts";
import { globalOptions } from "./command-line.ts";

/** All of `toolpost --help`. */
export function generalHelp(commands: readonly Command[]): string {
  const rows = commands.map(({ usage, summary }) => [usage, summary] as const);
  return `${generalUsage}

Calls tools and runs agents under the rules of toolpost.config.ts and mcp.json.

Commands
${columns(rows)}

Options
${columns(optionRows(globalOptions))}

Exit codes
${columns(exitCodeRows)}
`;
}

/** All of `toolpost call --help`. */
export function commandHelp(command: Command): string {
  const own = optionRows(command.options);
  const others = optionRows(globalOptions);
  const parts = (command.parts ?? []).map(({ usage, summary }) => [usage, summary] as const);
  return `${commandUsage(command)}

${command.summary}
${parts.length === 0 ? "" : `\nCommands\n${columns(parts)}\n`}
Options
${columns([...own, ...others])}
${command.details === undefined ? "" : `\n${command.details}\n`}`;
}

export const generalUsage = "Usage: toolpost COMMAND [options]";

/** The one line that says how a command is written. */
export function commandUsage({ usage }: Command): string {
  return `Usage: toolpost ${usage} [options]`;
}

/** Every command's line, for somebody who missed them all. */
export function usageOfAll(commands: readonly Command[]): string {
  return [generalUsage, ...commands.map(({ usage }) => `  toolpost ${usage}`)].join("\n");
}

const exitCodeRows: readonly (readonly [string, string])[] = [
  ["0", "done"],
  ["1", "failed, or its outcome is unknown"],
  ["2", "the command line is wrong, or there is no such tool, run or approval"],
  ["3", "the configuration cannot be used"],
  ["4", "waits for a person, or a person declined; the approval was settled before"],
  ["5", "denied by a policy or rule"],
  ["6", "timed out, stopped, or a limit is reached"],
  ["130", "cancelled, by Ctrl-C for one; 143 by SIGTERM, 129 by SIGHUP"],
];

function optionRows(options: CommandOptions): (readonly [string, string])[] {
  return Object.entries(options).map(([name, { short, value, summary }]) => {
    const written = value === undefined ? `--${name}` : `--${name} ${value}`;
    return [short === undefined ? written : `-${short}, ${written}`, summary] as const;
  });
}

function columns(rows: readonly (readonly [string, string])[]): string {
  const width = Math.max(...rows.map(([left]) => left.length));
  return rows.map(([left, right]) => `  ${left.padEnd(width)}  ${right}`).join("\n");
}
