// The log of the payment service: a file with one JSON object a line, written before anything is answered.
// It is all the service knows, so what it says was paid was paid.

import { appendFileSync, existsSync, readFileSync } from "node:fs";

export interface Refund {
  readonly refundId: string;
  readonly orderId: string;
  readonly cents: number;
  readonly idempotencyKey: string;
}

/** `asked` is written for each request, `made` for the first under its key alone. */
export type PaymentEntry =
  | { readonly type: "asked"; readonly orderId: string; readonly idempotencyKey: string }
  | ({ readonly type: "made" } & Refund);

export function appendEntry(file: string, entry: PaymentEntry): void {
  appendFileSync(file, `${JSON.stringify(entry)}\n`);
}

export function readEntries(file: string): readonly PaymentEntry[] {
  if (!existsSync(file)) return [];
  const lines = readFileSync(file, "utf8").split("\n");
  return lines.filter((line) => line !== "").map((line) => JSON.parse(line) as PaymentEntry);
}

/** Every refund that was made. */
export function refundsIn(entries: readonly PaymentEntry[]): readonly Refund[] {
  return entries.filter((entry) => entry.type === "made");
}
