// What is on record after the story: the log of the payment service, which is not ours, and the run as it is stored.

import { createApp, type RunInspection } from "toolpost";
import { sqlite } from "toolpost/sqlite";
import { type PaymentEntry, readEntries } from "../payments/payment-log.ts";

export interface StoryRecord {
  readonly payments: readonly PaymentEntry[];
  /** With its journal, and with what people were asked in it and said. */
  readonly run: RunInspection;
}

export async function readRecord(runsFile: string, paymentsLog: string, runId: string): Promise<StoryRecord> {
  const app = createApp({ engine: sqlite(runsFile) });
  try {
    const run = await app.inspect(runId);
    if (run === undefined) throw new Error(`there is no run ${runId} in ${runsFile}`);
    return { payments: readEntries(paymentsLog), run };
  } finally {
    await app.close();
  }
}
