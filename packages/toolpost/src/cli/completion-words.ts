// What there is to complete, the same for every shell: commands, their options, what their first word may be.
// Made from the descriptions that help is made of, so the two cannot differ.

import type { Command, CommandOption, CommandOptions } from "./command.ts";
import { globalOptions } from "./command-line.ts";

export interface CompletionWords {
  readonly commands: readonly CompletedCommand[];
  /** Before a command is named. */
  readonly options: readonly CompletedOption[];
}

export interface CompletedCommand {
  readonly name: string;
  readonly summary: string;
  /** All that it takes, the global ones too. */
  readonly options: readonly CompletedOption[];
  /** What its first word may be, where that is fixed. */
  readonly words: readonly string[];
  /** What its first word makes of it, each by its two words: `runs list`. */
  readonly parts: readonly CompletedCommand[];
}

export interface CompletedOption {
  /** Without dashes. */
  readonly name: string;
  readonly short: string | undefined;
  readonly summary: string;
  /** `none`: a switch. */
  readonly value: "none" | "file" | "other";
}

export function completionWords(commands: readonly Command[]): CompletionWords {
  const names = commands.map(({ name }) => name);
  const help = {
    name: "help",
    summary: "tells how a command is used",
    options: optionsOf(globalOptions),
    words: names,
    parts: [],
  };
  return { commands: [...commands.map(completed), help], options: optionsOf(globalOptions) };
}

function completed({ name, summary, options, words = [], parts = [] }: Command): CompletedCommand {
  return {
    name,
    summary,
    options: optionsOf({ ...options, ...globalOptions }),
    words: parts.length === 0 ? words : parts.map(partName),
    parts: parts.map(completed),
  };
}

/** `list` of `runs list`. */
export function partName({ name }: Pick<Command, "name">): string {
  return name.slice(name.indexOf(" ") + 1);
}

function optionsOf(options: CommandOptions): CompletedOption[] {
  return Object.entries(options).map(([name, { short, summary, value }]) => ({
    name,
    short,
    summary,
    value: kindOf(value),
  }));
}

function kindOf(value: CommandOption["value"]): CompletedOption["value"] {
  if (value === undefined) return "none";
  return value === "FILE" ? "file" : "other";
}

/** Every command, and after it its parts. */
export function withParts(commands: readonly CompletedCommand[]): CompletedCommand[] {
  return commands.flatMap((command) => [command, ...command.parts]);
}

/** `--json`, and `-h` where there is one. */
export function writtenForms({ name, short }: CompletedOption): string[] {
  return [`--${name}`, ...(short === undefined ? [] : [`-${short}`])];
}

/** Every option of every command that takes a value of the kind, as it is written, each once. */
export function formsWith(kind: CompletedOption["value"], { commands, options }: CompletionWords): string[] {
  const all = [...options, ...withParts(commands).flatMap((command) => command.options)];
  return [...new Set(all.filter(({ value }) => value === kind).flatMap(writtenForms))];
}
