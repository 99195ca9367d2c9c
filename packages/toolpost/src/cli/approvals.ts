// `toolpost approvals`: what runs wait for people with, and the answers to it.
// What it does stands in the files of its parts.

import { approvalsApprove } from "./approvals-approve.ts";
import { approvalsDecline } from "./approvals-decline.ts";
import { approvalsList } from "./approvals-list.ts";
import { approvalsReply } from "./approvals-reply.ts";
import { approvalsShow } from "./approvals-show.ts";
import type { Command } from "./command.ts";
import { groupOf } from "./runs.ts";

export const approvals: Command = groupOf(
  "approvals",
  "answers what runs wait for people with: list, show, approve, decline, reply",
  [approvalsList, approvalsShow, approvalsApprove, approvalsDecline, approvalsReply],
);
