// `toolpost runs`: runs that an engine keeps, for those who look after them.
// What it does stands in the files of its parts.

import { type Command, UsageError } from "./command.ts";
import { listed } from "./command-line.ts";
import { runsCancel } from "./runs-cancel.ts";
import { runsList } from "./runs-list.ts";
import { runsPrune } from "./runs-prune.ts";
import { runsResume } from "./runs-resume.ts";
import { runsShow } from "./runs-show.ts";

export const runs: Command = groupOf(
  "runs",
  "looks after runs that an engine keeps: list, show, cancel, resume, prune",
  [runsList, runsShow, runsCancel, runsResume, runsPrune],
);

/** A command that is several. */
export function groupOf(name: string, summary: string, parts: readonly Command[]): Command {
  const names = parts.map((part) => part.name.slice(name.length + 1));
  const group: Command = {
    name,
    summary,
    usage: `${name} ${names.join("|")}`,
    options: {},
    parts,
    async run() {
      throw new UsageError(`say what to do: ${listed(names.map((part) => `toolpost ${name} ${part}`))}`, group);
    },
  };
  return group;
}
