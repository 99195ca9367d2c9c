// Asks the carrier where a parcel is: a tool as a class, its input as a class, its dependency by injection.
// When the carrier is down, the model is told so, and what else it can try.

import { type ToolContext, ToolError } from "toolpost";
import { Tool, type ToolHandler, token } from "toolpost/decorators";
import { Text } from "toolpost/dto";
import { seconds } from "toolpost/units";

export const CARRIER_URL = token<string>("CARRIER_URL");

export class ParcelQuery {
  @Text({ prompt: "the tracking number of an order", minLength: 1 })
  tracking!: string;

  get path(): string {
    return `/parcels/${encodeURIComponent(this.tracking)}`;
  }
}

@Tool({
  name: "track_parcel",
  description: "Asks the carrier where a parcel is now",
  input: ParcelQuery,
  annotations: { readOnly: true, openWorld: true },
  timeout: seconds(5),
  deps: [CARRIER_URL],
})
export class TrackParcel implements ToolHandler<ParcelQuery, unknown> {
  constructor(private readonly carrierUrl: string) {}

  async execute({ path }: ParcelQuery, ctx: ToolContext) {
    const response = await fetch(`${this.carrierUrl}${path}`, { signal: ctx.signal });
    if (response.ok) return response.json();
    throw new ToolError({
      code: "CARRIER_DOWN",
      status: response.status,
      userMessage: "The carrier does not answer. Our own scans are in parcel_scans.",
      message: await response.text(),
    });
  }
}
