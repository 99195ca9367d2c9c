// Checks what is on record: each refund made once, under one key, and the large one by a person's word.
// It looks at the log of the payment service and at the stored run; what the model said does not count.

import { refundsIn } from "../payments/payment-log.ts";
import type { StoryRecord } from "./read-record.ts";

const expected = [
  { orderId: "A-1041", cents: 9_50 },
  { orderId: "A-1042", cents: 89_00 },
];

/** What is not as expected, one sentence each; none when all is well. */
export function checkRecord({ payments, run }: StoryRecord, operator: string): string[] {
  const differences: string[] = [];
  const expect = (isAsExpected: boolean, difference: string): void => {
    if (!isAsExpected) differences.push(difference);
  };
  expect(run.state === "done", `the run is ${run.state}${run.error ? ` (${run.error.message})` : ""}, not done`);

  // The first is asked for again, as the answer never came; unless a person was asked what became of it.
  const isPersonAsked = run.approvals.some(({ value }) => value.kind === "question");
  for (const { orderId, cents } of expected) {
    const timesAsked = orderId === "A-1041" && !isPersonAsked ? 2 : 1;
    const made = refundsIn(payments).filter((refund) => refund.orderId === orderId);
    const asked = payments.filter((entry) => entry.type === "asked" && entry.orderId === orderId);
    const keys = new Set(asked.map(({ idempotencyKey }) => idempotencyKey));
    const paid = made.reduce((sum, refund) => sum + refund.cents, 0);
    expect(made.length === 1, `${made.length} refunds were made for ${orderId}, not 1`);
    expect(paid === cents, `${paid} cents were paid for ${orderId}, not ${cents}`);
    expect(
      asked.length === timesAsked,
      `the refund for ${orderId} was asked for ${asked.length} times, not ${timesAsked}`,
    );
    expect(keys.size === 1, `the refund for ${orderId} was asked for under ${keys.size} keys, not 1`);
  }

  const approved = run.approvals.flatMap(({ value, answer, answeredBy }) => {
    const isApproved = answer?.type === "answer" && (answer.value as { decision?: string }).decision === "approve";
    const isByOperator = JSON.stringify(answeredBy) === JSON.stringify({ operator });
    return isApproved && isByOperator && value.kind === "approval" ? [JSON.stringify(value.arguments)] : [];
  });
  for (const { orderId, cents } of refundsIn(payments).filter((refund) => refund.cents > 50_00))
    expect(
      approved.includes(JSON.stringify({ orderId, cents })),
      `a refund over €50.00 was made for ${orderId} that ${operator} has not approved`,
    );
  return differences;
}
