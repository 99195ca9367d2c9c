// All orders of a customer. A long list: the model gets its first kilobyte and is told what was cut.

import { defineTool } from "toolpost";
import { kilobytes } from "toolpost/units";
import { z } from "zod";
import type { ShopDatabase } from "../services/shop-database.ts";

export function orderHistory({ sql }: ShopDatabase) {
  const findItems = sql.prepare(
    "SELECT id, placed_on, title, cents FROM orders JOIN items ON order_id = id WHERE customer_id = ? ORDER BY placed_on DESC",
  );
  return defineTool({
    name: "order_history",
    description: "Lists what a customer has ordered, newest first, one item a line",
    input: z.object({ customerId: z.string() }),
    annotations: { readOnly: true },
    maxResultSize: kilobytes(1),
    execute({ customerId }) {
      const items = findItems.all(customerId);
      const lines = items.map(({ placed_on, id, title, cents }) => `${placed_on} ${id}: ${title}, ${cents} cents`);
      return [`${items.length} items`, ...lines].join("\n");
    },
  });
}
