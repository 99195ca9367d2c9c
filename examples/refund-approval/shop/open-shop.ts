// The application: one agent, two tools, and the file that its runs are kept in.
// Each worker makes its own; what they share is the file.

import { type App, createApp, defineAgent, type EventListener, type LanguageModel } from "toolpost";
import { sqlite } from "toolpost/sqlite";
import { seconds } from "toolpost/units";
import type { Fault } from "./fault.ts";
import { lookupOrder } from "./lookup-order.ts";
import { refundCard } from "./refund-card.ts";

export interface ShopOptions {
  /** Of the runs; made where there is none. */
  readonly file: string;
  readonly paymentsUrl: string;
  readonly model: string | LanguageModel;
  readonly listener: EventListener;
  readonly fault?: Fault | undefined;
  /** Whether a person is asked about a refund that was cut off, as if the payment service knew no keys. */
  readonly asksWhenUnknown?: boolean;
}

export function openShop({ file, paymentsUrl, model, listener, fault, asksWhenUnknown }: ShopOptions): App {
  const clerk = defineAgent({
    name: "clerk",
    description: "Makes refunds for customers of the shop",
    model,
    prompt:
      "You are the clerk of a small shop. Look up all orders that the customer names. Then refund what was paid for each " +
      "with refund_card: one order in each of your turns, in the order in which the customer names them. When all " +
      "refunds are made, answer the customer in one sentence, with the ids of the refunds.",
    tools: [lookupOrder, refundCard(paymentsUrl, { fault, asksWhenUnknown })],
  });
  return createApp({
    agents: [clerk],
    // A worker that is no longer heard of keeps its runs this long; the default of 30 s is better where nobody watches.
    engine: sqlite(file, { lease: seconds(5) }),
    listeners: [listener],
  });
}
