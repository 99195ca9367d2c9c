// The payment provider: makes refunds, at most one per idempotency key, and keeps a log of them.
// Its answer to the first refund gets lost on the way, as answers do; the refund has been made all the same.

import { type HttpService, startHttpService } from "./http-service.ts";

export interface Refund {
  readonly refundId: string;
  readonly orderId: string;
  readonly cents: number;
  readonly idempotencyKey: string;
}

export interface PaymentService extends HttpService {
  /** Every refund that was made. */
  readonly refunds: readonly Refund[];
  /** Requests for refunds, repeated ones included. */
  readonly requestCount: number;
}

export interface PaymentServiceOptions {
  /** What was paid for an order, `undefined` where there is no such payment. */
  readonly paidCents: (orderId: string) => number | undefined;
  /** Every request answers 503. */
  readonly isDown: boolean;
}

export async function startPaymentService({ paidCents, isDown }: PaymentServiceOptions): Promise<PaymentService> {
  const refunds: Refund[] = [];
  let requestCount = 0;
  const service = await startHttpService(({ method, path, headers, body }) => {
    if (method !== "POST" || path !== "/refunds") return { status: 404, body: { message: "not found" } };
    requestCount++;
    if (isDown) return { status: 503, body: { message: "payments are down" } };
    const idempotencyKey = String(headers["idempotency-key"]);
    const { orderId, cents } = body as { orderId: string; cents: number };
    const known = refunds.find((refund) => refund.idempotencyKey === idempotencyKey);
    if (known !== undefined) return { status: 200, body: known };
    const refunded = refunds
      .filter((refund) => refund.orderId === orderId)
      .reduce((sum, refund) => sum + refund.cents, 0);
    if (refunded + cents > (paidCents(orderId) ?? 0)) {
      return { status: 409, body: { message: "more than was paid for this order" } };
    }
    const refund = { refundId: `re-${5001 + refunds.length}`, orderId, cents, idempotencyKey };
    refunds.push(refund);
    return refunds.length === 1 ? "hang-up" : { status: 201, body: refund };
  });
  return {
    ...service,
    refunds,
    get requestCount() {
      return requestCount;
    },
  };
}
