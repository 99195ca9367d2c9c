// Hands the case over to a team of people, which ends the run.

import { defineTool } from "toolpost";
import { z } from "zod";
import type { ShopDatabase } from "../services/shop-database.ts";

export function handOver({ sql }: ShopDatabase) {
  const add = sql.prepare("INSERT INTO handovers (team, order_id, summary) VALUES (?, ?, ?)");
  return defineTool({
    name: "hand_over",
    description: "Hands the case over to a team, with all it needs to know. Call it last.",
    input: z.object({ team: z.enum(["warehouse", "finance"]), orderId: z.string(), summary: z.string() }),
    endsRun: true,
    execute({ team, orderId, summary }) {
      const { lastInsertRowid } = add.run(team, orderId, summary);
      return `handed over to ${team} as case ${lastInsertRowid}`;
    },
  });
}
