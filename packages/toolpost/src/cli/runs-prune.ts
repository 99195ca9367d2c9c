// `toolpost runs prune`: deletes what is stored of runs that ended some time ago.
// Runs that have not ended stay, however old they are.

import { type Duration, milliseconds } from "../std/units.ts";
import { type Command, type CommandCall, UsageError } from "./command.ts";
import { counted } from "./description-text.ts";
import { exitCodes } from "./exit-code.ts";
import { refuseMore } from "./find-id.ts";
import { withKeptRuns } from "./kept-runs.ts";
import { shownJson } from "./shown-json.ts";

/** With `--json` `{ pruned }`. Runs below one that is deleted count, too. */
export const runsPrune: Command = {
  name: "runs prune",
  summary: "deletes runs that ended that long ago, with their approvals",
  usage: "runs prune --older-than 30d",
  options: { "older-than": { value: "SPAN", summary: "such as 30d, 12h, 90min, 45s, 2w; it must be given" } },
  async run(call) {
    refuseMore(call, 0);
    const olderThan = spanOf(call);
    return withKeptRuns(call, async (app) => {
      const pruned = await app.prune({ olderThan });
      await call.terminal.print(
        call.switches.has("json") ? `${shownJson({ pruned })}\n` : `${counted(pruned, "run")} deleted\n`,
      );
      return exitCodes.ok;
    });
  },
};

const unitsMs: Readonly<Record<string, number>> = {
  s: 1_000,
  min: 60_000,
  h: 3_600_000,
  d: 86_400_000,
  w: 604_800_000,
};

function spanOf({ options, command }: CommandCall): Duration {
  const written = options["older-than"];
  if (written === undefined)
    throw new UsageError("`toolpost runs prune` needs to know how old: `--older-than 30d`", command);
  const [, count = "", unit = ""] = /^(\d{1,6})(s|min|h|d|w)$/.exec(written) ?? [];
  const size = unitsMs[unit];
  if (size !== undefined) return milliseconds(Number(count) * size);
  throw new UsageError(
    `\`--older-than\` must be a number with a unit, such as \`30d\`, \`12h\`, \`90min\`, not \`${written}\``,
    command,
  );
}
