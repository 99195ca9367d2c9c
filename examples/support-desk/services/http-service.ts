// A small JSON service on a free loopback port. Each of the example's outside systems is one of these.

import { once } from "node:events";
import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";

export interface HttpRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingMessage["headers"];
  /** `undefined` for a request without a body. */
  readonly body: unknown;
}

/** `"hang-up"` closes the connection without an answer. */
export type HttpAnswer = { readonly status: number; readonly body: unknown } | "hang-up";

export interface HttpService {
  readonly url: string;
  close(): Promise<void>;
}

export async function startHttpService(answer: (request: HttpRequest) => HttpAnswer): Promise<HttpService> {
  const server = createServer(async (request, response) => {
    const body = await text(request);
    const { method = "GET", url: path = "/", headers } = request;
    const reply = answer({ method, path, headers, body: body === "" ? undefined : JSON.parse(body) });
    if (reply === "hang-up") request.socket.destroy();
    else response.writeHead(reply.status, { "content-type": "application/json" }).end(JSON.stringify(reply.body));
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  // The service alone does not keep the process alive.
  server.unref();
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
