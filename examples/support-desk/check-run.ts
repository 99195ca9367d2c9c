// Checks a finished run against what really happened: the services' own records, not the model's words.
// With a real model only what does not depend on its wording or its ways is checked.

import type { AgentEvent, RunResult } from "toolpost";
import type { Desk } from "./open-desk.ts";
import { databasePassword } from "./services/shop-database.ts";

export interface FinishedRun {
  readonly desk: Desk;
  readonly result: RunResult;
  readonly events: readonly AgentEvent[];
  /** Everything the model was sent. */
  readonly prompts: unknown;
  readonly isScripted: boolean;
}

/** What is not as expected, one sentence each; none when all is well. */
export function checkRun(run: FinishedRun): string[] {
  const differences: string[] = [];
  const expect = (isAsExpected: boolean, difference: string): void => {
    if (!isAsExpected) differences.push(difference);
  };
  const { desk, result } = run;
  const { refunds } = desk.payments;
  const refundsOk = result.calls.filter((call) => call.tool === "refund_card" && call.status === "ok").length;
  const isHandedOver = desk.database.sql.prepare("SELECT count(*) AS n FROM handovers").get()?.n === 1;

  expect(
    result.status === "done",
    `the run is ${result.status}${result.stoppedBy ? ` by ${result.stoppedBy}` : ""}, not done`,
  );
  expect(result.text !== "", "the customer got no answer");
  expect(refunds.length <= 1, `the payment service made ${refunds.length} refunds, not one at most`);
  expect(
    refunds.length === refundsOk,
    `the payment service made ${refunds.length} refunds, the run reports ${refundsOk}`,
  );
  expect(
    refunds.every(({ cents }) => cents <= 50_00 || isApproved(run)),
    "a refund over €50.00 was made without approval",
  );
  expect(!shownTexts(run).includes(databasePassword), "the database password is in an event or a prompt");
  return run.isScripted ? [...differences, ...checkScript(run, isHandedOver)] : differences;
}

/** The script always takes the same way, so each call is known; a person at the terminal may decline the refund. */
function checkScript(run: FinishedRun, isHandedOver: boolean): string[] {
  const { desk, result } = run;
  const [refund] = desk.payments.refunds;
  const isDeclined = run.events.some((event) => event.type === "approval-decide" && event.decision !== "approve");
  const expected = [
    "read_text_file ok",
    "lookup_order failed tool.invalid-input",
    "lookup_order ok",
    "track_parcel failed CARRIER_DOWN",
    "order_history ok, cut",
    "parcel_scans ok",
    isDeclined ? "refund_card declined approval.declined" : "refund_card ok",
    "hand_over ok",
  ];
  const found = result.calls.map(
    ({ tool, status, errorCode, size }) =>
      `${tool} ${status}${errorCode ? ` ${errorCode}` : ""}${size.isTruncated ? ", cut" : ""}`,
  );
  const differences = expected.flatMap((line, index) =>
    line === found[index] ? [] : [`call ${index + 1} is \`${found[index] ?? "missing"}\`, expected \`${line}\``],
  );
  const expect = (isAsExpected: boolean, difference: string): void => {
    if (!isAsExpected) differences.push(difference);
  };
  const masked = result.calls.find((call) => call.tool === "lookup_order" && call.status === "ok");
  expect(found.length === expected.length, `the run made ${found.length} calls, expected ${expected.length}`);
  expect(
    result.endedByTool === "hand_over",
    `the run was ended by ${result.endedByTool ?? "the model"}, expected hand_over`,
  );
  expect(isHandedOver, "the database holds no case that was handed over");
  expect(JSON.stringify(masked?.value ?? null).includes(databasePassword), "there was no secret to mask");
  if (isDeclined) return differences;
  const isEdited = run.events.some((event) => event.type === "approval-decide" && event.isEdited);
  expect(isEdited || refund?.cents === 89_00, `the refund is ${refund?.cents ?? "missing"}, expected 8900 cents`);
  expect(
    desk.payments.requestCount === 2,
    `the refund was asked for ${desk.payments.requestCount} times, expected 2: the first answer gets lost`,
  );
  expect(refund !== undefined && result.text.includes(refund.refundId), "the answer does not name the refund");
  return differences;
}

function isApproved({ events }: FinishedRun): boolean {
  return events.some(
    (event) => event.type === "approval-decide" && event.tool === "refund_card" && event.decision === "approve",
  );
}

/** All that a model or a listener may read. `value` and `data` of a result are for code and stay whole. */
function shownTexts({ events, prompts, result }: FinishedRun): string {
  const shown = events.map((event) =>
    event.type === "tool-call-end"
      ? { ...event, result: { ...event.result, value: undefined, data: undefined } }
      : event,
  );
  return JSON.stringify([shown, prompts, result.messages]);
}
