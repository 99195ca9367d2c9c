// Puts the desk together: the shop's systems, the tools over them, the agent, the application.

import { join } from "node:path";
import { type Agent, type App, type Channel, createApp, defineAgent, type LanguageModel } from "toolpost";
import { provide } from "toolpost/decorators";
import { minutes } from "toolpost/units";
import { startCarrierService } from "./services/carrier-service.ts";
import { type PaymentService, startPaymentService } from "./services/payment-service.ts";
import { openShopDatabase, type ShopDatabase } from "./services/shop-database.ts";
import { handOver } from "./tools/hand-over.ts";
import { lookupOrder } from "./tools/lookup-order.ts";
import { refundCard } from "./tools/refund-card.ts";
import { SHOP_DATABASE, ShopRecords } from "./tools/shop-records.ts";
import { CARRIER_URL, TrackParcel } from "./tools/track-parcel.ts";

export interface Desk {
  readonly app: App;
  readonly agent: Agent;
  readonly database: ShopDatabase;
  readonly payments: PaymentService;
  /** Ends all that was started: MCP server, services, database. */
  close(): Promise<void>;
}

export interface DeskOptions {
  readonly model: string | LanguageModel;
  /** Who decides on refunds over 50 euros; without one they wait. */
  readonly channel?: Channel;
  /** What to break, to see that the checks notice. */
  readonly fault?: Fault | undefined;
}

/** `payments-down`: no refund can be made. `masking-off`: secrets are not masked. */
export type Fault = "payments-down" | "masking-off";

export async function openDesk({ model, channel, fault }: DeskOptions): Promise<Desk> {
  const database = openShopDatabase();
  const findPayment = database.sql.prepare("SELECT paid_cents FROM orders WHERE id = ?");
  const paidCents = (orderId: string) => findPayment.get(orderId)?.paid_cents as number | undefined;
  const payments = await startPaymentService({ paidCents, isDown: fault === "payments-down" });
  const carrier = await startCarrierService();

  const agent = defineAgent({
    name: "support-desk",
    description: "Answers customers of the shop",
    model,
    prompt: { files: ["./support-desk.md"] },
    // Functions over what they need, a class that is a tool, and one whose methods are.
    tools: [lookupOrder(database), TrackParcel, ShopRecords, refundCard(payments.url), handOver(database)],
    // No refund is even offered before the policy was read and the order found.
    requires: { refund_card: ["read_text_file", "lookup_order"] },
    maxToolCalls: 15,
    budget: { time: minutes(5) },
  });

  const app = createApp({
    agents: [agent],
    providers: [provide(CARRIER_URL, carrier.url), provide(SHOP_DATABASE, database)],
    mcp: join(import.meta.dirname, "mcp.json"),
    approvals: channel === undefined ? {} : { channel },
    mask: { secrets: fault !== "masking-off" },
    // What went wrong shows in the printed calls; the log is for a server's operators.
    log: () => undefined,
  });

  return {
    app,
    agent,
    database,
    payments,
    async close() {
      await app.close();
      await Promise.all([payments.close(), carrier.close()]);
      database.close();
    },
  };
}
