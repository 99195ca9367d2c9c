// The proof: what the payment service has in its log, who approved what and when, and the run as it is stored.

import type { ApprovalRecord, JournalEntry, RunResult } from "toolpost";
import { euros } from "../euros.ts";
import { refundsIn } from "../payments/payment-log.ts";
import type { StoryRecord } from "./read-record.ts";
import { table } from "./tell.ts";

export function showRecord({ payments, run }: StoryRecord): void {
  const refunds = refundsIn(payments).map(({ refundId, orderId, cents, idempotencyKey }) => {
    const asked = payments.filter((entry) => entry.type === "asked" && entry.idempotencyKey === idempotencyKey);
    const times = asked.length === 1 ? "once" : `${asked.length} times`;
    return `${refundId}: ${euros(cents)} for ${orderId}, asked for ${times} under the key ${idempotencyKey}`;
  });
  table([
    ...refunds.map((text) => ["payments", text]),
    ...run.approvals.map((approval) => ["approval", approvalText(approval)]),
    ["run", `${run.runId} of ${run.ownerId}, on ${new Date(run.createdAt).toISOString().slice(0, 10)}: ${run.state}`],
    ...run.journal.filter(isAboutTheWorld).map((entry) => ["journal", journalText(entry)]),
    ["answer", (run.result as RunResult | undefined)?.text ?? "none"],
  ]);
}

function approvalText({ value, answer, answeredBy, askedAt, answeredAt }: ApprovalRecord): string {
  const what = value.kind === "approval" ? `${value.tool} ${JSON.stringify(value.arguments)}` : value.question;
  const how = answer?.type === "answer" ? JSON.stringify(answer.value) : (answer?.type ?? "no answer");
  return `${what}: ${how} by ${JSON.stringify(answeredBy)}, asked at ${time(askedAt)}, answered at ${time(answeredAt)}`;
}

/** Between these stand decisions of the run itself, which only a replay needs. */
function isAboutTheWorld({ kind, key }: JournalEntry): boolean {
  return kind === "pause" || key.startsWith("model:") || key.endsWith("/act");
}

function journalText({ seq, at, key, kind }: JournalEntry): string {
  const what = kind === "pause" ? "a person answered" : key.startsWith("model:") ? "the model replied" : "a call ended";
  return `${time(at)}  ${String(seq).padStart(2)}  ${key.padEnd(18)}  ${what}`;
}

function time(at: number | undefined): string {
  return at === undefined ? "never" : new Date(at).toISOString().slice(11, 23);
}
