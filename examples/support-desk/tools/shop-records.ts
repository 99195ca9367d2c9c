// What the shop itself has on record of customers and parcels: a class whose methods are tools.

import type { StatementSync } from "node:sqlite";
import { Injectable, Tool, token } from "toolpost/decorators";
import { kilobytes } from "toolpost/units";
import { z } from "zod";
import type { ShopDatabase } from "../services/shop-database.ts";

export const SHOP_DATABASE = token<ShopDatabase>("SHOP_DATABASE");

@Injectable({ deps: [SHOP_DATABASE] })
export class ShopRecords {
  readonly #findItems: StatementSync;
  readonly #findScans: StatementSync;

  constructor({ sql }: ShopDatabase) {
    this.#findItems = sql.prepare(
      "SELECT id, placed_on, title, cents FROM orders JOIN items ON order_id = id WHERE customer_id = ? ORDER BY placed_on DESC",
    );
    this.#findScans = sql.prepare("SELECT at, place, status FROM scans WHERE tracking = ? ORDER BY at");
  }

  /** A long list: the model gets its first kilobyte and is told what was cut. */
  @Tool({
    name: "order_history",
    description: "Lists what a customer has ordered, newest first, one item a line",
    input: z.object({ customerId: z.string() }),
    annotations: { readOnly: true },
    maxResultSize: kilobytes(1),
  })
  orderHistory({ customerId }: { customerId: string }) {
    const items = this.#findItems.all(customerId);
    const lines = items.map(({ placed_on, id, title, cents }) => `${placed_on} ${id}: ${title}, ${cents} cents`);
    return [`${items.length} items`, ...lines].join("\n");
  }

  /** Less than the carrier knows, but always there. */
  @Tool({
    name: "parcel_scans",
    description: "Lists the shop's own scans of a parcel, oldest first",
    input: z.object({ tracking: z.string() }),
    annotations: { readOnly: true },
  })
  parcelScans({ tracking }: { tracking: string }) {
    return this.#findScans.all(tracking);
  }
}
