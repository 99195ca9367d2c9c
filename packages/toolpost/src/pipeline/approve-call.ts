// Waiting for a person's decision on a call, and looking at it once more when it has come: what is approved is
// what runs.

import type { Work } from "../core/run.ts";
import type { Soon } from "../std/soon.ts";
import type { Admission, AdmittedCall } from "./admit-call.ts";
import { admitApproved, admitEdit, notStarted, unknown } from "./admit-call.ts";
import { askApproval } from "./ask-person.ts";
import type { Ending } from "./ending.ts";
import { freezeJson } from "./freeze-json.ts";
import { readAdmission, writeAdmission } from "./journal-call.ts";
import type { AdmittedLiveCall } from "./live-call.ts";
import { nextInCall } from "./live-call.ts";
import * as phrases from "./phrases.ts";

/** How often a call is asked anew because the tool was changed meanwhile. */
const MOST_ASKS = 5;

/** Waits for a person's decision, as often as what was decided on is no longer what would run. */
export async function passApproval(admitted: AdmittedCall, live: AdmittedLiveCall): Promise<Admission | Ending> {
  const { scope } = live;
  // What is approved is what runs.
  freezeJson(admitted.input);
  for (let round = 0; round < MOST_ASKS; round++) {
    const outcome = await askApproval(admitted, round, live);
    if (outcome.type === "expired")
      return { status: "declined", errorCode: "approval.expired", text: phrases.APPROVAL_EXPIRED };
    if (outcome.type === "gone") return unknown(live.call);
    if (outcome.type === "closed") {
      return live.isCancelled ? notStarted(admitted.tool, admitted.input, scope) : declined(admitted, undefined);
    }
    const { decision, arguments: edit, comment } = outcome.answer;
    if (decision !== "approve") return declined(admitted, comment);
    live.approved = { admitted, edit, binding: outcome.binding };
    const again = await live.run.perform(`recheck${round === 0 ? "" : round}`, recheckStep, live);
    if (again !== "changed") return again;
  }
  return declined(admitted, "the tool changed each time somebody had approved the call");
}

/** An edit is validated and decided again; what was not edited must still be what was shown, and allowed by what is fixed. */
const recheckStep: Work<Admission | "changed", AdmittedLiveCall> = {
  perform: (live) => nextInCall(recheck(live), rechecked, live),
  write: (again, live) => (again === "changed" ? again : writeAdmission(again, live)),
  read: (written, live, isReplayed) => (written === "changed" ? written : readAdmission(written, live, isReplayed)),
};

function recheck({ approved, call, view, scope }: AdmittedLiveCall): Soon<Admission | "changed"> {
  if (approved === undefined) throw new Error("a call was rechecked that nobody approved");
  const { admitted, edit, binding } = approved;
  // It was there when it was asked about.
  if (view.known(call.tool) === undefined) return scope.untilToolsAreBack() ?? unknown(call);
  // Also an edit was made of what was shown.
  if (binding !== scope.slots.bindingOf(admitted.tool, admitted.wire, scope.user?.id)) return "changed";
  if (edit !== undefined) return admitEdit(call, admitted.tool, edit, scope);
  if (admitted.refusal !== undefined) return admitted.refusal;
  return admitApproved(call, admitted, scope);
}

function rechecked(again: Admission | "changed", live: AdmittedLiveCall): Admission | "changed" {
  if (again !== "changed") live.admission = again;
  return again;
}

function declined({ verdict }: AdmittedCall, comment: string | undefined): Ending {
  const rejectionText = verdict.verdict === "needs-approval" ? verdict.rejectionText : undefined;
  return { status: "declined", errorCode: "approval.declined", text: phrases.declined(rejectionText, comment) };
}
