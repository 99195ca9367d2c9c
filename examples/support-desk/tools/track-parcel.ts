// Asks the carrier where a parcel is. When the carrier is down, the model is told so, and what else it can try.

import { defineTool, ToolError } from "toolpost";
import { seconds } from "toolpost/units";
import { z } from "zod";

export function trackParcel(carrierUrl: string) {
  return defineTool({
    name: "track_parcel",
    description: "Asks the carrier where a parcel is now",
    input: z.object({ tracking: z.string().describe("the tracking number of an order") }),
    annotations: { readOnly: true, openWorld: true },
    timeout: seconds(5),
    async execute({ tracking }, ctx) {
      const response = await fetch(`${carrierUrl}/parcels/${encodeURIComponent(tracking)}`, { signal: ctx.signal });
      if (response.ok) return response.json();
      throw new ToolError({
        code: "CARRIER_DOWN",
        status: response.status,
        userMessage: "The carrier does not answer. Our own scans are in parcel_scans.",
        message: await response.text(),
      });
    },
  });
}
