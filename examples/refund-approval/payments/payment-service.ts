// The payment provider, a program of its own: `node payments/payment-service.ts --log FILE`.
// It makes one refund per idempotency key, however often it is asked. After `POST /slow` the answer to the next refund is so
// slow that it never comes: the money has moved, and whoever asked does not know it yet.
// It ends with its standard input, so that it is never left behind.

import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { json } from "node:stream/consumers";
import { parseArgs } from "node:util";
import { euros } from "../euros.ts";
import { appendEntry, readEntries, refundsIn } from "./payment-log.ts";

const { values } = parseArgs({ options: { log: { type: "string", default: "payments.log" } } });
let isNextSlow = false;

const server = createServer(async (request, response) => {
  const reply = (status: number, body: unknown): void =>
    void response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
  const key = request.headers["idempotency-key"];
  if (request.method === "POST" && request.url === "/slow") {
    isNextSlow = true;
    return reply(200, {});
  }
  if (request.method !== "POST" || request.url !== "/refunds" || typeof key !== "string")
    return reply(404, { message: "POST /refunds with an idempotency-key" });
  const { orderId, cents } = (await json(request)) as { orderId: string; cents: number };
  const refund = refundOnce(key, orderId, cents);
  if (!isNextSlow) return reply(200, refund);
  isNextSlow = false;
  console.log(`the answer about ${refund.refundId} is slow`);
  response.once("close", () => console.log(`whoever asked about ${refund.refundId} was gone before the answer`));
});

/** Without a pause between looking and writing: two requests at once are one after the other. */
function refundOnce(idempotencyKey: string, orderId: string, cents: number) {
  const refunds = refundsIn(readEntries(values.log));
  const known = refunds.find((refund) => refund.idempotencyKey === idempotencyKey);
  appendEntry(values.log, { type: "asked", orderId, idempotencyKey });
  if (known !== undefined) {
    console.log(`asked again under the key of ${known.refundId}: nothing is paid, the answer is ${known.refundId}`);
    return known;
  }
  const refund = { refundId: `re-${5001 + refunds.length}`, orderId, cents, idempotencyKey };
  appendEntry(values.log, { type: "made", ...refund });
  console.log(`${refund.refundId} is paid: ${euros(cents)} for ${orderId}`);
  return refund;
}

server.listen(0, "127.0.0.1");
await once(server, "listening");
console.log(`open at http://127.0.0.1:${(server.address() as AddressInfo).port}`);
process.stdin.resume().once("end", () => process.exit());
