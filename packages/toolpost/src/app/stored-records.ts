// What an engine knows of runs and pauses, as those see it who look after an application.
// One that cannot be read is listed with those that can.

import type { PauseRecord, RunRecord } from "../core/run.ts";
import type { PausedAsk } from "../pipeline/ask-person.ts";
import type { ApprovalRecord, RunSummary } from "./app-runs.ts";
import { orderOf } from "./ordered-run.ts";
import type { RunOptions } from "./run-options.ts";

export function pausedAsk({ request }: PauseRecord): PausedAsk {
  return request.data as unknown as PausedAsk;
}

export function summaryOf(record: RunRecord): RunSummary {
  const { runId, flow, state, input, parent, version, createdAt, endedAt, error, lease } = record;
  // Without an input it could not be read.
  const { threadId, user }: RunOptions = input === null ? {} : orderOf(input).options;
  const fields = { threadId, ownerId: user?.id, parent, version, endedAt, error, lease };
  const known = Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
  return { runId, agent: flow, state, createdAt, ...known };
}

/** One that cannot be read is listed with those that can. */
function unreadApproval({ runId, request, askedAt, answer, answeredAt, error }: PauseRecord): ApprovalRecord {
  const question = `cannot be read: ${error?.message}`;
  return {
    pauseId: request.id ?? "",
    runId,
    state: answer?.type === "expired" ? "expired" : answeredAt === undefined ? "waiting" : "answered",
    value: { kind: "question", tool: "?", question, callId: "", runId },
    isChannelAsked: false,
    askedAt,
    ...(request.expiresAt === undefined ? {} : { expiresAt: request.expiresAt }),
    ...(answeredAt === undefined ? {} : { answeredAt }),
    ...(error === undefined ? {} : { error }),
  };
}

export function approvalOf(pause: PauseRecord): ApprovalRecord {
  if (pause.error !== undefined) return unreadApproval(pause);
  const { runId, request, askedAt, answer, answeredAt, answeredBy } = pause;
  const { pauseId, value, isChannelAsked, ownerId } = pausedAsk(pause);
  const state = answer === undefined ? "waiting" : answer.type === "answer" ? "answered" : answer.type;
  const fields = { ownerId, expiresAt: request.expiresAt, answer, answeredAt, answeredBy };
  const known = Object.fromEntries(Object.entries(fields).filter(([, field]) => field !== undefined));
  return { pauseId, runId, state, value, isChannelAsked, askedAt, ...known };
}
