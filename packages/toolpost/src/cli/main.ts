// The command `toolpost`: reads the command line, hands over to the command it names, turns what it throws into words
// and an exit code. Importing this file runs nothing, unless it is the program that was started.

import { realpathSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { approvals } from "./approvals.ts";
import { call } from "./call.ts";
import { chat } from "./chat.ts";
import { check } from "./check.ts";
import { type Command, UsageError } from "./command.ts";
import type { CommandIo } from "./command-io.ts";
import { parseCommandLine } from "./command-line.ts";
import { completionCommand } from "./completion.ts";
import { describe } from "./describe.ts";
import { exitCodeOfError, exitCodes } from "./exit-code.ts";
import { commandHelp, generalHelp, usageOfAll } from "./help.ts";
import { list } from "./list.ts";
import { packageVersion } from "./package-version.ts";
import { run } from "./run.ts";
import { runProgram } from "./run-program.ts";
import { runs } from "./runs.ts";
import { showError } from "./show-error.ts";
import { createTerminal, type Terminal } from "./terminal.ts";

const working: readonly Command[] = [list, call, run, chat, runs, approvals, describe, check];
const commands: readonly Command[] = [...working, completionCommand(working)];

/**
 * Runs one command line and resolves with its exit code, never rejects. Everything it writes goes to the streams of
 * `io` and is written when it resolves; what a configuration or its tools write to the process themselves is not its own.
 * @param argv without the program's name: `["list", "--json"]`
 */
export async function main(argv: readonly string[], io: CommandIo): Promise<number> {
  // Known before the command line is: also what is wrong with it is told without colours then.
  const terminal = createTerminal(io, argv.includes("--no-color"));
  try {
    return await execute(argv, io, terminal);
  } catch (error) {
    // Nobody reads on: there is nothing to tell, and nobody to tell it to.
    if (!terminal.closed.aborted) showError(error, terminal, usageOfAll(commands));
    return exitCodeOfError(error);
  } finally {
    await terminal.flush();
  }
}

async function execute(argv: readonly string[], io: CommandIo, terminal: Terminal): Promise<number> {
  const { command, ...words } = parseCommandLine(argv, commands);
  const asked = words.switches.has("help")
    ? command === undefined
      ? generalHelp(commands)
      : commandHelp(command)
    : undefined;
  const answer = words.switches.has("version") ? `${packageVersion()}\n` : asked;
  if (answer !== undefined) {
    await terminal.print(answer);
    return exitCodes.ok;
  }
  if (command === undefined) throw new UsageError("no command is given");
  return command.run({ ...words, command, io, terminal });
}

/** Started as `bin/toolpost.js`, which imports this, or directly. Links are followed: npm makes one of the command. */
function isProgram(): boolean {
  const started = realPath(process.argv[1] ?? "");
  const own = ["./main.ts", "./cli.js", "../bin/toolpost.js", "../../bin/toolpost.js"];
  return (
    started !== undefined && own.some((place) => realPath(fileURLToPath(new URL(place, import.meta.url))) === started)
  );
}

function realPath(path: string): string | undefined {
  try {
    return realpathSync(path);
  } catch {
    return undefined;
  }
}

if (isProgram()) void runProgram(main);
