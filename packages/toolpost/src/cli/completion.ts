// `toolpost completion`: a script that completes the command in a shell, made from the commands' own descriptions.
// The script must not start Node: what it offers is written into it, so a new version wants a new script.

import { closestName } from "../std/closest-name.ts";
import { type Command, UsageError } from "./command.ts";
import { didYouMean, listed } from "./command-line.ts";
import { bashCompletion } from "./completion-bash.ts";
import { fishCompletion } from "./completion-fish.ts";
import type { CompletionWords } from "./completion-words.ts";
import { completionWords } from "./completion-words.ts";
import { zshCompletion } from "./completion-zsh.ts";
import { exitCodes } from "./exit-code.ts";

const shells: Readonly<Record<string, (words: CompletionWords) => string>> = {
  bash: bashCompletion,
  zsh: zshCompletion,
  fish: fishCompletion,
};

/** The command; `others` are all the rest, to be completed with it. */
export function completionCommand(others: readonly Command[]): Command {
  const names = Object.keys(shells);
  const completion: Command = {
    name: "completion",
    summary: "prints a script that completes toolpost in a shell",
    usage: `completion ${names.join("|")}`,
    words: names,
    details: installation,
    options: {},
    async run({ positionals: [shell, stranger], terminal }) {
      if (shell === undefined) throw new UsageError(`name the shell: ${listed(names)}`, completion);
      if (stranger !== undefined) throw new UsageError(`\`${stranger}\` is one word too many`, completion);
      const script = Object.hasOwn(shells, shell) ? shells[shell] : undefined;
      if (script === undefined) {
        const mend = didYouMean(closestName(shell, names)) || `; there are ${listed(names)}`;
        throw new UsageError(`there is no completion for \`${shell}\`${mend}`, completion);
      }
      await terminal.print(script(completionWords([...others, completion])));
      return exitCodes.ok;
    },
  };
  return completion;
}

const installation = `To install it, where \`toolpost\` is on PATH:
  bash  echo 'eval "$(toolpost completion bash)"' >> ~/.bashrc
  zsh   echo 'eval "$(toolpost completion zsh)"' >> ~/.zshrc    (after compinit)
  fish  toolpost completion fish > ~/.config/fish/completions/toolpost.fish`;
