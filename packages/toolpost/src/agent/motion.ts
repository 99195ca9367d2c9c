// What moves a run: its state and the loop, and with them all of the governed call.
// A handle is given before any of this is loaded, so only what prepares runs may import it.

import { runInContext } from "../core/current-context.ts";
import type { Work } from "../core/run.ts";
import { runContext } from "../pipeline/call-context.ts";
import { isPromiseLike } from "../std/soon.ts";
import type { RunPlace } from "./agent-run.ts";
import { AgentRun } from "./agent-run.ts";
import type { Begun } from "./begin-run.ts";
import { beginWith, historyOf } from "./begin-run.ts";
import type { PreparedAgent, RunStart } from "./prepared-agent.ts";
import type { LoopEnd } from "./run-loop.ts";
import { runLoop } from "./run-loop.ts";

export interface Motion {
  begin(setup: PreparedAgent, start: RunStart, place: RunPlace): AgentRun;
  /** From its first event to its end; rejects with what ends it early. */
  move(state: AgentRun): Promise<LoopEnd>;
}

export const motion: Motion = {
  begin: (setup, start, place) => new AgentRun(setup, start, place),
  move: (state) => runInContext(runContext(state), moveOn, state),
};

function moveOn(state: AgentRun): Promise<LoopEnd> {
  const begun = state.run.perform("begin", beginStep, state);
  if (!isPromiseLike(begun)) return loop(begun, state);
  return begun.then(
    (known) => loop(known, state),
    (error: unknown) => {
      // What ended the run meanwhile cut it off.
      state.throwIfOver();
      throw error;
    },
  ) as Promise<LoopEnd>;
}

/** A journal holds how much of its thread a run was started with, and what of it the model gets. */
const beginStep: Work<Begun, AgentRun> = { perform: beginWith };

function loop(begun: Begun, state: AgentRun): Promise<LoopEnd> {
  state.open(historyOf(begun, state));
  state.tell({ type: "run-start", runId: state.runId, at: state.now, agent: state.agentSetup.name });
  return runLoop(state);
}
