// Under which name the person at the command goes on record.
// It is a name and no proof: whoever can open the store can write any.

import type { CommandCall, CommandOption } from "./command.ts";

export const asOption: CommandOption = {
  value: "NAME",
  summary: "who answers, for the record; default: the user of this machine",
};

export function operatorName({ options, io: { env } }: Pick<CommandCall, "options" | "io">): string {
  return options.as || env.USER || env.LOGNAME || "operator";
}
