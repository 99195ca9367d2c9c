// One run as a person sees it: shown while it goes on, its questions put to the person at the terminal, its end told.
// It moves nothing of the run itself but the answers of that person.

import type { App } from "../app/create-app.ts";
import type { Channel, PendingPause } from "../core/approval.ts";
import { isToolpostError } from "../core/errors.ts";
import type { RunHandle } from "../core/run-handle.ts";
import type { RunResult } from "../core/run-result.ts";
import { encodeJson } from "../std/json.ts";
import type { CommandCall } from "./command.ts";
import { terminalChannel } from "./open-config.ts";
import { RunOutput } from "./run-output.ts";
import { givenUpText, keptWaitingText, waitingText } from "./waiting-text.ts";

export interface Following {
  /** The run's own. */
  readonly signal: AbortSignal;
  /** Whether the run is given up where it waits for somebody who cannot be asked here. */
  readonly isGivenUp?: boolean;
}

/** Shows the run until it ends, or waits for somebody who cannot be asked here. */
export async function followRun(handle: RunHandle, app: App, call: CommandCall & Following): Promise<RunResult> {
  const output = new RunOutput(call);
  const channel = terminalChannel(call.io);
  const asking = { app, channel, asked: new Set<string>(), signal: call.signal };
  let result: RunResult;
  try {
    for await (const event of handle.events) {
      await output.show(event);
      if (event.type === "run-wait" && !(await answerNext(event.pending, asking))) break;
    }
    result = await handle;
  } catch (error) {
    // Whatever is written next must not stand behind the last words of the run.
    await output.breakOff();
    throw error;
  }
  await output.end(result);
  for (const { pauseId, value } of result.pending) {
    const kept = call.isGivenUp === true ? givenUpText(value.tool) : keptWaitingText(value.tool, pauseId, result.runId);
    call.terminal.tell(app.keepsRuns ? kept : waitingText(value.tool, channel !== undefined), "yellow");
  }
  if (result.stoppedBy !== undefined) call.terminal.tell(`stopped: ${result.stoppedBy}`, "yellow");
  if (call.switches.has("json")) await call.terminal.print(`${encodeJson(result)}\n`);
  return result;
}

interface Asking {
  readonly app: App;
  readonly channel: Channel | undefined;
  /** Ids of pauses that were put to the person. */
  readonly asked: Set<string>;
  readonly signal: AbortSignal;
}

/** Puts one question to the person and gives the answer to the run; false when nothing moves the run any more. */
async function answerNext(pending: readonly PendingPause[], { app, channel, asked, signal }: Asking): Promise<boolean> {
  // Without an id the answer is somebody else's: a channel has asked.
  const next = pending.find(({ pauseId }) => pauseId !== undefined && !asked.has(pauseId));
  if (next?.pauseId === undefined) return pending.every(({ pauseId }) => pauseId !== undefined && asked.has(pauseId));
  if (channel === undefined) return false;
  const { pauseId, value } = next;
  asked.add(pauseId);
  try {
    const answer = await channel.send({ pauseId, value }, { signal });
    if (answer.type === "await-reply") return false;
    await app.answer({ pauseId, ...answer.answer }, {});
  } catch (error) {
    // The run was cancelled, or the question expired while it was asked: the run goes on to its end by itself.
    if (!signal.aborted && !isGone(error)) throw error;
  }
  return true;
}

function isGone(error: unknown): boolean {
  return (
    isToolpostError(error) && (error.code === "approval.unknown-pause" || error.code === "approval.already-answered")
  );
}
