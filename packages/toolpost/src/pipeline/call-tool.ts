// The governed call: approval, bound of concurrency, deadline, execution, result. Straight code in its own branch.
// Nobody else executes tools. It never rejects: whatever happens is the result, and what must end the run is
// told to the scope.

import type { ToolCall } from "../core/call.ts";
import type { Catalog } from "../core/catalog.ts";
import { runInContext } from "../core/current-context.ts";
import type { ToolResult } from "../core/result.ts";
import type { Run, Work } from "../core/run.ts";
import type { Soon } from "../std/soon.ts";
import { isPromiseLike } from "../std/soon.ts";
import { act } from "./act-on-call.ts";
import type { Admission, AdmittedCall } from "./admit-call.ts";
import { admitCall, refusalEnding } from "./admit-call.ts";
import { announceEnd, announceStart } from "./announce-call.ts";
import { passApproval } from "./approve-call.ts";
import { notifyHooks } from "./call-hooks.ts";
import type { CallScope } from "./call-scope.ts";
import { readAdmission, writeAdmission } from "./journal-call.ts";
import type { AdmittedLiveCall } from "./live-call.ts";
import { LiveCall, nextInCall } from "./live-call.ts";
import * as phrases from "./phrases.ts";
import { settleCall } from "./settle-call.ts";

/**
 * Decides and makes one call of the tools visible in this step, in the branch `run`: from what the model wrote to the
 * one result it reads. At once where everything it calls is synchronous.
 */
export function callTool(run: Run, call: ToolCall, view: Catalog, scope: CallScope): Soon<ToolResult> {
  const live = new LiveCall(run, call, view, scope);
  return runInContext(live.context, decide, live);
}

function decide(live: LiveCall): Soon<ToolResult> {
  return nextInCall(live.run.perform("decide", decideStep, live), goOn, live);
}

const decideStep: Work<Admission, LiveCall> = {
  perform: (live) => nextInCall(admitCall(live.call, live.view, live.scope), decided, live),
  write: writeAdmission,
  read: readAdmission,
};

function decided(admission: Admission, live: LiveCall): Admission {
  live.admission = admission;
  return admission;
}

function goOn(admission: Admission, live: LiveCall): Soon<ToolResult> {
  live.take(admission);
  announceStart(live);
  const result =
    admission.kind === "refused" ? settleCall(refusalEnding(admission), live) : reachResult(admission, live);
  return nextInCall(result, endWaits, live);
}

function reachResult(admitted: AdmittedCall, live: LiveCall): Soon<ToolResult> {
  try {
    const result =
      admitted.verdict.verdict === "needs-approval" ? actIfApproved(admitted, live) : act(0, live as AdmittedLiveCall);
    return isPromiseLike(result) ? result.then(undefined, (error: unknown) => failedOutside(error, live)) : result;
  } catch (error) {
    return failedOutside(error, live);
  }
}

async function actIfApproved(admitted: AdmittedCall, live: LiveCall): Promise<ToolResult> {
  const approved = await passApproval(admitted, live as AdmittedLiveCall);
  if (!("kind" in approved)) return settleCall(approved, live);
  live.take(approved);
  live.scope.timePassed();
  return approved.kind === "refused" ? settleCall(refusalEnding(approved), live) : act(0, live as AdmittedLiveCall);
}

/** Only a channel or the run itself gets here; the tool's own throws are endings already. */
function failedOutside(error: unknown, live: LiveCall): Soon<ToolResult> {
  if (!live.run.isReplaying) {
    void notifyHooks("onToolError", live, { error });
    live.scope.slots.log({ level: "error", message: `the call of \`${live.tool?.name}\` failed`, error });
  }
  return settleCall({ status: "failed", errorCode: "tool.failed", text: phrases.GENERIC_FAILURE }, live);
}

/** Nobody is asked any more once a call has ended the run, or the run's end has reached a call; one cancelled alone ends nothing. */
function endWaits(result: ToolResult, live: LiveCall): Soon<ToolResult> {
  const isCancelled = live.runEnd === "cancelled";
  if (result.endsRun !== true && live.runEnd === undefined) return announceEnd(result, live);
  live.scope.endWaits(isCancelled);
  return nextInCall(live.run.closePauses("close", isCancelled), () => announceEnd(result, live), live);
}
