// Refunds a card payment. Over 50 euros a person, or a rule in their place, has to approve.

import { defineTool, ToolError } from "toolpost";
import { seconds } from "toolpost/units";
import { z } from "zod";

export const RefundInput = z.object({
  orderId: z.string(),
  cents: z.number().int().positive().describe("how much, in cents"),
  reason: z.enum(["damaged", "change-of-mind", "late"]),
});

const RefundAnswer = z.object({ refundId: z.string(), orderId: z.string(), cents: z.number() });

export function refundCard(paymentsUrl: string) {
  return defineTool({
    name: "refund_card",
    description: "Refunds part or all of what a customer paid for an order by card",
    input: RefundInput,
    output: RefundAnswer,
    tags: ["billing"],
    annotations: { destructive: true, idempotent: true },
    policy: ({ input }) =>
      input.cents > 50_00 ? { verdict: "needs-approval", rejectionText: "The refund was not approved" } : "allow",
    timeout: seconds(10),
    async execute({ orderId, cents }, ctx) {
      const send = () =>
        fetch(`${paymentsUrl}/refunds`, {
          method: "POST",
          // The same key each time: however often the request is sent, one refund is made.
          headers: { "content-type": "application/json", "idempotency-key": ctx.idempotencyKey },
          body: JSON.stringify({ orderId, cents }),
          signal: ctx.signal,
        });
      // An answer that got lost says nothing about the refund, so it is asked for once more.
      const response = await send().catch(send);
      if (response.ok) return RefundAnswer.parse(await response.json());
      throw new ToolError({
        code: "REFUND_REFUSED",
        status: response.status,
        userMessage: "The payment service did not make the refund.",
        canRetry: false,
        message: await response.text(),
      });
    },
  });
}
