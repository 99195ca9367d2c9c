// Finds an order in the shop's database.

import { defineTool, ToolError } from "toolpost";
import { z } from "zod";
import type { ShopDatabase } from "../services/shop-database.ts";

export function lookupOrder({ sql }: ShopDatabase) {
  const findOrder = sql.prepare("SELECT * FROM orders WHERE id = ?");
  const findItems = sql.prepare("SELECT title, cents FROM items WHERE order_id = ?");
  return defineTool({
    name: "lookup_order",
    description: "Finds an order by its id: customer, items with prices in cents, tracking number, internal note",
    input: z.object({ orderId: z.string().describe("the order's id, for example A-1042") }),
    output: z.object({
      orderId: z.string(),
      customerId: z.string(),
      placedOn: z.string(),
      paidCents: z.number(),
      items: z.array(z.object({ title: z.string(), cents: z.number() })),
      tracking: z.string().nullable(),
      note: z.string().nullable(),
    }),
    annotations: { readOnly: true },
    execute({ orderId }) {
      const order = findOrder.get(orderId);
      if (order === undefined) {
        throw new ToolError({ code: "ORDER_NOT_FOUND", status: 404, userMessage: `There is no order ${orderId}.` });
      }
      return {
        orderId,
        customerId: String(order.customer_id),
        placedOn: String(order.placed_on),
        paidCents: Number(order.paid_cents),
        items: findItems.all(orderId).map(({ title, cents }) => ({ title: String(title), cents: Number(cents) })),
        tracking: order.tracking === null ? null : String(order.tracking),
        note: order.note === null ? null : String(order.note),
      };
    },
  });
}
