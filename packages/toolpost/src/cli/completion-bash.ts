// The completion script for bash, from 3.2 on, which macOS has.
// `=` splits words in bash, so `--config=x` comes as three of them.

import { type CompletionWords, formsWith, withParts, writtenForms } from "./completion-words.ts";

/** Names and options are letters and dashes, so nothing in it needs quotes of its own. */
export function bashCompletion(words: CompletionWords): string {
  const files = formsWith("file", words).join("|");
  const others = formsWith("other", words).join("|");
  const groups = words.commands.filter(({ parts }) => parts.length > 0).map(({ name }) => name);
  const cases = withParts(words.commands).map(
    ({ name, options, words: first }) =>
      `    "${name}") options="${options.flatMap(writtenForms).join(" ")}"; first="${first.join(" ")}" ;;`,
  );
  return `# bash completion of toolpost, made by \`toolpost completion bash\`.
_toolpost() {
  local current="\${COMP_WORDS[COMP_CWORD]}" previous="\${COMP_WORDS[COMP_CWORD-1]}"
  local command="" count=0 skip="" index word options first IFS=$' \\t\\n'
  if [[ $current == "=" ]]; then current=""
  elif [[ $previous == "=" ]]; then previous="\${COMP_WORDS[COMP_CWORD-2]}"
  fi
  for ((index = 1; index < COMP_CWORD; index++)); do
    word="\${COMP_WORDS[index]}"
    if [[ -n $skip && $word == "=" ]]; then continue; fi
    if [[ -n $skip ]]; then skip=""; continue; fi
    case "$word" in
      ${files}|${others}) skip=1 ;;
      -*) ;;
      *)
        case "$command" in
          "") command="$word" ;;
          ${groups.join("|")}) command="$command $word" ;;
          *) count=$((count + 1)) ;;
        esac ;;
    esac
  done
  COMPREPLY=()
  case "$previous" in
    ${files})
      compopt -o filenames 2>/dev/null
      IFS=$'\\n'
      COMPREPLY=($(compgen -f -- "$current"))
      return ;;
    ${others}) return ;;
  esac
  case "$command" in
    "") options="${words.options.flatMap(writtenForms).join(" ")}"; first="${words.commands.map(({ name }) => name).join(" ")}" ;;
${cases.join("\n")}
    *) return ;;
  esac
  if [[ $current == -* ]]; then COMPREPLY=($(compgen -W "$options" -- "$current"))
  elif [[ $count -eq 0 ]]; then COMPREPLY=($(compgen -W "$first" -- "$current"))
  fi
}
complete -F _toolpost toolpost
`;
}
