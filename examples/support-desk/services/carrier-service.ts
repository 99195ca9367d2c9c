// The carrier's tracking service: down for the first request, well after that.

import { type HttpService, startHttpService } from "./http-service.ts";

export function startCarrierService(): Promise<HttpService> {
  let requestCount = 0;
  return startHttpService(({ path }) => {
    requestCount++;
    if (requestCount === 1) return { status: 503, body: { message: "maintenance" } };
    return { status: 200, body: { tracking: path.split("/").at(-1), status: "out for delivery" } };
  });
}
