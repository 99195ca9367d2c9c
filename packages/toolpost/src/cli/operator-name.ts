// Under which name the person at the command goes on record.
// It is a name and no proof: whoever can open the store can write any.

import { userInfo } from "node:os";
import type { CommandCall, CommandOption } from "./command.ts";

export const asOption: CommandOption = {
  value: "NAME",
  summary: "who answers, for the record; default: the user of this machine",
};

/** Of a command by which nobody is answered. */
export const actingAsOption: CommandOption = {
  ...asOption,
  summary: "who does it, for the record; default: the user of this machine",
};

export function operatorName({ options, io: { env } }: Pick<CommandCall, "options" | "io">): string {
  return options.as || env.USER || env.LOGNAME || machineUser() || "operator";
}

/** Daemons and containers often have no such variable. Throws where the user's number has no name. */
function machineUser(): string {
  try {
    return userInfo().username;
  } catch {
    return "";
  }
}
