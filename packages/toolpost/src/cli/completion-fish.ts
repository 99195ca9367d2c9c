// The completion script for fish: one line per command and option.
// Files are offered after options that take one, and nowhere else.

import { type CompletedCommand, type CompletedOption, type CompletionWords, partName } from "./completion-words.ts";

export function fishCompletion({ commands, options }: CompletionWords): string {
  const names = commands.map(({ name }) => name).join(" ");
  const noCommand = `-n ${quoted(`not __fish_seen_subcommand_from ${names}`)}`;
  const lines = [
    "complete -c toolpost -f",
    ...commands.map(({ name, summary }) => `complete -c toolpost ${noCommand} -a ${name} -d ${quoted(summary)}`),
    ...options.map((option) => `complete -c toolpost ${noCommand} ${flags(option)}`),
    ...commands.flatMap((command) => linesOf(command, commands)),
  ];
  return `# fish completion of toolpost, made by \`toolpost completion fish\`.\n${lines.join("\n")}\n`;
}

/** What is offered after the command's own name alone, then what each of its parts takes. */
function linesOf(command: CompletedCommand, commands: readonly CompletedCommand[]): string[] {
  const { name, options, words, parts } = command;
  // A part may be called as a command is: what follows a group's name is none.
  const groups = commands.filter((each) => each.parts.length > 0).map((each) => each.name);
  const others = parts.length > 0 ? words : groups;
  const own = linesAfter(`${seen([name])}; and not ${seen(others)}`, options, words);
  return [
    ...own,
    ...parts.flatMap((part) => linesAfter(`${seen([name])}; and ${seen([partName(part)])}`, part.options, part.words)),
  ];
}

function linesAfter(condition: string, options: readonly CompletedOption[], words: readonly string[]): string[] {
  const offered = words.length === 0 ? [] : [`-a ${quoted(words.join(" "))}`];
  return [...options.map(flags), ...offered].map((what) => `complete -c toolpost -n ${quoted(condition)} ${what}`);
}

function seen(names: readonly string[]): string {
  return `__fish_seen_subcommand_from ${names.join(" ")}`;
}

function flags({ name, short, summary, value }: CompletedOption): string {
  const taking = { none: "", file: " -r -F", other: " -x" }[value];
  return `${short === undefined ? "" : `-s ${short} `}-l ${name}${taking} -d ${quoted(summary)}`;
}

function quoted(text: string): string {
  return `'${text.replace(/['\\]/g, "\\$&")}'`;
}
