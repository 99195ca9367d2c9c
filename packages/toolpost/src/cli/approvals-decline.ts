// `toolpost approvals decline`: puts a no on record. The model reads it, with the comment, and goes on without the call.
// Nothing is asked once more: a call that is not made can be asked for again.

import type { Command } from "./command.ts";
import { refuseMore } from "./find-id.ts";
import { commentOf, findWaiting, giveAnswer } from "./give-answer.ts";
import { withKeptRuns } from "./kept-runs.ts";
import { asOption } from "./operator-name.ts";

/** With `--json` the `ApprovalRecord` as it is then. */
export const approvalsDecline: Command = {
  name: "approvals decline",
  summary: "declines a call; the run goes on where it is served",
  usage: "approvals decline ID",
  options: { comment: { value: "TEXT", summary: "the model reads it" }, as: asOption },
  async run(call) {
    refuseMore(call, 1);
    return withKeptRuns(call, async (app) => {
      const { pauseId } = await findWaiting("approval", app, call);
      return giveAnswer({ pauseId, decision: "decline", ...commentOf(call) }, app, call);
    });
  },
};
