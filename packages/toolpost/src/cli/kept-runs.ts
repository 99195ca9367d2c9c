// The application of the configuration for commands that look after its runs, whoever moves them.
// Nothing is served here unless the command does it: what these commands do is done in the store, and needs the engine
// alone. So an application without agents will do.

import type { App } from "../app/create-app.ts";
import { ToolpostError } from "../core/errors.ts";
import type { CommandCall } from "./command.ts";
import { openAnyApp } from "./open-config.ts";

/** Acts on the application and closes it. Throws `run.needs-engine` where its runs are not kept. */
export async function withKeptRuns(call: CommandCall, act: (app: App) => Promise<number>): Promise<number> {
  const app = await openAnyApp(call);
  if (app === undefined) throw needsEngine({ keepsRuns: false });
  try {
    if (!app.keepsRuns) throw needsEngine(app);
    return await act(app);
  } finally {
    await app.close();
  }
}

function needsEngine(app: Partial<App>): ToolpostError {
  if (app.keepsRuns === undefined) {
    const hint = "Update the project's own: `npm install toolpost@latest`.";
    return new ToolpostError("config.invalid", "the application is of an older toolpost than this command", { hint });
  }
  const hint = 'Give it one: `createApp({ …, engine: sqlite("./runs.db") })`, with `sqlite` from "toolpost/sqlite".';
  const message = "the application has no engine: its runs end with their process, and no other process sees them";
  return new ToolpostError("run.needs-engine", message, { hint });
}
