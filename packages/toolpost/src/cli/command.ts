// What a command of `toolpost` is, and what it is given: a file per command implements this.
// Types and the one error for wrong command lines; nothing here reads or writes.

import type { CommandIo } from "./command-io.ts";
import type { Terminal } from "./terminal.ts";

/** An option that takes a value has its placeholder in `value`, for example `FILE`; one without is a switch. */
export interface CommandOption {
  readonly value?: string;
  readonly summary: string;
  readonly short?: string;
}

export type CommandOptions = Readonly<Record<string, CommandOption>>;

/** What stood on the command line after the command's name, and where it may look and speak. */
export interface CommandCall {
  readonly command: Command;
  readonly positionals: readonly string[];
  /** Options with a value, by name. */
  readonly options: Readonly<Record<string, string | undefined>>;
  /** Names of the switches that were set. */
  readonly switches: ReadonlySet<string>;
  readonly io: CommandIo;
  readonly terminal: Terminal;
}

/** A command. `run` resolves with the exit code; what it throws is shown on standard error. */
export interface Command {
  readonly name: string;
  readonly summary: string;
  /** Without options, for example `call NAME ['JSON']`. */
  readonly usage: string;
  readonly options: CommandOptions;
  /** What its first word may be, where that is fixed; for completion. */
  readonly words?: readonly string[];
  /** Of a command that is several: its next word says which. Their names are `runs list`, `runs show`. */
  readonly parts?: readonly Command[];
  /** Further lines of its help. */
  readonly details?: string;
  run(call: CommandCall): Promise<number>;
}

/** The command line cannot be understood: exit code 2, and the usage is shown with it. */
export class UsageError extends Error {
  override readonly name = "UsageError";
  /** The command it is about; `undefined` where none was found. */
  readonly command: Command | undefined;

  constructor(message: string, command?: Command) {
    super(message);
    this.command = command;
  }
}
