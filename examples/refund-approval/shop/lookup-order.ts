// Finds an order. It only reads, so a crash in the middle costs nothing: the call is made again.

import { defineTool, ToolError } from "toolpost";
import { z } from "zod";
import { findOrder } from "./orders.ts";

export const lookupOrder = defineTool({
  name: "lookup_order",
  description: "Finds an order by its id: its item and what was paid for it, in cents",
  input: z.object({ orderId: z.string().describe("the order's id, for example A-1042") }),
  output: z.object({ orderId: z.string(), item: z.string(), paidCents: z.number() }),
  annotations: { readOnly: true },
  execute({ orderId }) {
    console.log(`reads order ${orderId} in the shop's records`);
    const order = findOrder(orderId);
    if (order !== undefined) return order;
    throw new ToolError({ code: "ORDER_NOT_FOUND", status: 404, userMessage: `There is no order ${orderId}.` });
  },
});
