// A call whose tool is a run of its own: started below the caller's run, waited for, read as any other outcome.
// It holds no slot, as it may wait for people; its own calls take theirs. What it used counts above it, also where it failed.

import type { ChildEnd, Used } from "../core/child-run.ts";
import { isToolpostError } from "../core/errors.ts";
import { toolOutput } from "../core/result.ts";
import type { Json } from "../std/json.ts";
import type { Outcome } from "./ending.ts";
import type { AdmittedLiveCall } from "./live-call.ts";

/** Runs the child to its end. Never rejects. */
export async function outcomeOfChild(order: Json, live: AdmittedLiveCall): Promise<Outcome> {
  const { run, tool, scope } = live;
  // It may take days: nobody of the turn waits for it.
  run.noteWaiting();
  try {
    const end = (await run.child("agent", tool.flow ?? "", order)) as unknown as ChildEnd;
    scope.noteUsed(end.used);
    return { type: "returned", value: returnedBy(end) };
  } catch (error) {
    const used = usedOf(error);
    if (used !== undefined) scope.noteUsed(used);
    if (isToolpostError(error) && endsAbove.has(error.code)) live.fail(error, true);
    if (isToolpostError(error) && error.code === "run.cancelled")
      return { type: "cancelled", reason: scope.abort.aborted ? scope.abort.reason : error.message, isSettled: true };
    return { type: "threw", error };
  } finally {
    scope.timePassed();
  }
}

/** What a run below ends by that nobody above may take for a failure that can be tried again. */
const endsAbove: ReadonlySet<string> = new Set(["tool.outcome-unknown", "run.replay-mismatch"]);

function returnedBy({ status, stoppedBy, text, output }: ChildEnd): unknown {
  if (status === "stopped") {
    const said = text === "" ? "" : `; it had said: ${text}`;
    return toolOutput({ content: `The agent was stopped before it was done (${stoppedBy})${said}`, isError: true });
  }
  return output ?? text;
}

function usedOf(error: unknown): Used | undefined {
  if (!isToolpostError(error)) return undefined;
  return (error.data as { readonly account?: Used } | undefined)?.account;
}
