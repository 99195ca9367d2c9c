// The completion script for fish: one line per command and option.
// Files are offered after options that take one, and nowhere else.

import type { CompletedOption, CompletionWords } from "./completion-words.ts";

export function fishCompletion({ commands, options }: CompletionWords): string {
  const names = commands.map(({ name }) => name).join(" ");
  const noCommand = `-n ${quoted(`not __fish_seen_subcommand_from ${names}`)}`;
  const lines = [
    "complete -c toolpost -f",
    ...commands.map(({ name, summary }) => `complete -c toolpost ${noCommand} -a ${name} -d ${quoted(summary)}`),
    ...options.map((option) => `complete -c toolpost ${noCommand} ${flags(option)}`),
    ...commands.flatMap((command) => {
      const seen = `-n ${quoted(`__fish_seen_subcommand_from ${command.name}`)}`;
      const words = command.words.length === 0 ? [] : [`-a ${quoted(command.words.join(" "))}`];
      return [...command.options.map(flags), ...words].map((what) => `complete -c toolpost ${seen} ${what}`);
    }),
  ];
  return `# fish completion of toolpost, made by \`toolpost completion fish\`.\n${lines.join("\n")}\n`;
}

function flags({ name, short, summary, value }: CompletedOption): string {
  const taking = { none: "", file: " -r -F", other: " -x" }[value];
  return `${short === undefined ? "" : `-s ${short} `}-l ${name}${taking} -d ${quoted(summary)}`;
}

function quoted(text: string): string {
  return `'${text.replace(/['\\]/g, "\\$&")}'`;
}
