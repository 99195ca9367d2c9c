// Refunds a card payment. Over 50 euros a person has to approve.
// `idempotent` says that the call may be made again after a crash, and the key makes it true: it is the same each time.
// Without it a call that a crash cut off is not made again; then `onUnknown` says who decides.

import { randomUUID } from "node:crypto";
import { defineTool, ToolError } from "toolpost";
import { seconds } from "toolpost/units";
import { z } from "zod";
import type { ShopOptions } from "./open-shop.ts";

const RefundAnswer = z.object({ refundId: z.string(), orderId: z.string(), cents: z.number() });

export function refundCard(
  paymentsUrl: string,
  { fault, asksWhenUnknown = false }: Pick<ShopOptions, "fault" | "asksWhenUnknown">,
) {
  return defineTool({
    name: "refund_card",
    description: "Refunds what a customer paid for an order by card",
    input: z.object({ orderId: z.string(), cents: z.number().int().positive().describe("how much, in cents") }),
    output: RefundAnswer,
    tags: ["billing"],
    annotations: { destructive: true, idempotent: !asksWhenUnknown },
    onUnknown: "ask",
    policy: ({ input }) =>
      input.cents > 50_00 && fault !== "no-approval"
        ? { verdict: "needs-approval", rejectionText: "The refund was not approved" }
        : "allow",
    timeout: seconds(30),
    async execute({ orderId, cents }, ctx) {
      const key = fault === "new-keys" ? randomUUID() : ctx.idempotencyKey;
      const response = await fetch(`${paymentsUrl}/refunds`, {
        method: "POST",
        headers: { "content-type": "application/json", "idempotency-key": key },
        body: JSON.stringify({ orderId, cents }),
        signal: ctx.signal,
      });
      if (response.ok) return RefundAnswer.parse(await response.json());
      throw new ToolError({
        code: "REFUND_REFUSED",
        status: response.status,
        userMessage: "The payment service did not make the refund.",
        message: await response.text(),
      });
    },
  });
}
