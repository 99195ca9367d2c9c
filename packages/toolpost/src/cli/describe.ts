// `toolpost describe`: what the configuration is made of, as text for people or as JSON for programs.
// It connects nothing and needs no key, but for what the configuration itself does while it loads.

import { encodeJson } from "../std/json.ts";
import { type Command, UsageError } from "./command.ts";
import { descriptionText } from "./description-text.ts";
import { exitCodes } from "./exit-code.ts";
import { untilInterrupted } from "./interrupt.ts";
import { loadConfig } from "./load-config.ts";
import { openLoaded } from "./open-config.ts";

/** Prints agents, tools, bounds with where each comes from, sources, names of environment variables. */
export const describe: Command = {
  name: "describe",
  summary: "tells what there is: agents, tools, bounds, approvals, sources, environment; connects nothing",
  usage: "describe",
  options: {},
  async run(call) {
    const { positionals, terminal, switches, io } = call;
    if (positionals[0] !== undefined) throw new UsageError(`\`${positionals[0]}\` is one word too many`, describe);
    const opened = await openLoaded(await loadConfig(call));
    try {
      const description = await untilInterrupted(opened.describe(), io.interrupt);
      const paint = (text: string): string => terminal.paint(text, "bold");
      await terminal.print(switches.has("json") ? `${encodeJson(description)}\n` : descriptionText(description, paint));
      return exitCodes.ok;
    } finally {
      await opened.close();
    }
  },
};
