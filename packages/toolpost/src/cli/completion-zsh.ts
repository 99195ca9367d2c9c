// The completion script for zsh: as a file on fpath (`_toolpost`), or read by `eval` after compinit.
// Summaries stand in it, so what zsh reads as its own signs is escaped.

import { type CompletedCommand, type CompletedOption, type CompletionWords, partName } from "./completion-words.ts";

export function zshCompletion({ commands, options }: CompletionWords): string {
  const described = commands.map(({ name, summary }) => quoted(`${name}:${escaped(summary)}`)).join("\n    ");
  const cases = commands.map((command) =>
    command.parts.length === 0 ? caseOf(command.name, command) : groupOf(command),
  );
  return `#compdef toolpost
# zsh completion of toolpost, made by \`toolpost completion zsh\`.
_toolpost() {
  local curcontext="$curcontext" state line
  local -a commands
  commands=(
    ${described}
  )
  _arguments -C -s \\
    ${options.map(specOf).join(" \\\n    ")} \\
    '1:command:->command' \\
    '*::word:->words'
  case $state in
    command) _describe -t commands command commands ;;
    words)
    case $words[1] in
${cases.join("\n")}
    esac ;;
  esac
}
if [ "$funcstack[1]" = "_toolpost" ]; then _toolpost "$@"; else compdef _toolpost toolpost; fi
`;
}

function caseOf(pattern: string, { options, words }: CompletedCommand): string {
  const first = words.length === 0 ? [] : [quoted(`1:word:(${words.join(" ")})`)];
  const lines = [...options.map(specOf), ...first].join(" \\\n        ");
  return `      ${pattern})\n      _arguments -s \\\n        ${lines} ;;`;
}

/** A command whose first word says which of several it is: the words after that are completed as those of a command. */
function groupOf({ name, options, words, parts }: CompletedCommand): string {
  const cases = parts.map((part) => caseOf(partName(part), part));
  return `      ${name})
      _arguments -C -s \\
        ${options.map(specOf).join(" \\\n        ")} \\
        ${quoted(`1:word:(${words.join(" ")})`)} \\
        '*::word:->part'
      if [[ $state == part ]]; then
      case $words[1] in
${cases.join("\n")}
      esac
      fi ;;`;
}

/** `'(-h --help)'{-h,--help}'[summary]'`, with `:file:_files` for one that takes a file. */
function specOf({ name, short, summary, value }: CompletedOption): string {
  const action = { none: "", file: ":file:_files", other: ":value: " }[value];
  const about = quoted(`[${escaped(summary)}]${action}`);
  const sign = value === "none" ? "" : "=";
  if (short === undefined) return `${quoted(`--${name}${sign}`)}${about}`;
  return `'(-${short} --${name})'{-${short}${value === "none" ? "" : "+"},--${name}${sign}}${about}`;
}

function escaped(text: string): string {
  return text.replace(/[[\]:\\]/g, "\\$&");
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
