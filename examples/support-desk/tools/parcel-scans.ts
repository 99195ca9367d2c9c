// What the shop itself has scanned of a parcel: less than the carrier knows, but always there.

import { defineTool } from "toolpost";
import { z } from "zod";
import type { ShopDatabase } from "../services/shop-database.ts";

export function parcelScans({ sql }: ShopDatabase) {
  const findScans = sql.prepare("SELECT at, place, status FROM scans WHERE tracking = ? ORDER BY at");
  return defineTool({
    name: "parcel_scans",
    description: "Lists the shop's own scans of a parcel, oldest first",
    input: z.object({ tracking: z.string() }),
    annotations: { readOnly: true },
    execute: ({ tracking }) => findScans.all(tracking),
  });
}
