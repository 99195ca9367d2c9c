// What a run came to, in a few lines.

import type { RunResult } from "toolpost";
import { euros } from "./euros.ts";
import type { Desk } from "./open-desk.ts";

export function summariseRun(desk: Desk, { calls, usage, steps }: RunResult, durationMs: number): string {
  const byStatus = Map.groupBy(calls, ({ status }) => status);
  const counts = [...byStatus].map(([status, { length }]) => `${length} ${status}`).join(", ");
  const { refunds, requestCount } = desk.payments;
  const made = refunds.map(({ refundId, orderId, cents }) => `${refundId} ${euros(cents)} for ${orderId}`);
  return [
    `calls      ${counts}`,
    `refunds    ${made.join(", ") || "none"} (log of the payment service; asked for ${requestCount} times)`,
    `tokens     ${usage.inputTokens.toLocaleString("en")} in, ${usage.outputTokens.toLocaleString("en")} out, in ${steps} model calls`,
    `duration   ${(durationMs / 1000).toFixed(2)} s`,
  ].join("\n");
}
