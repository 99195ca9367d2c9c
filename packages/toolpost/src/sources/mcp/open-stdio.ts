// Which transport speaks to a server's process on this system.
// Commands like `npx` are scripts on Windows, which only the client package's own transport knows how to start.

import { asItIs, type ClientPackage } from "./client-package.ts";
import { type ServerTransport, type StdioLaunch, StdioTransport } from "./stdio-transport.ts";

/** A transport for the server, not yet started. */
export async function openStdio(sdk: ClientPackage, launch: StdioLaunch): Promise<ServerTransport> {
  if (process.platform !== "win32") return new StdioTransport(sdk, launch);
  const { command, args, env, cwd, maxMessageSize } = launch;
  const { StdioClientTransport } = await import("@modelcontextprotocol/client/stdio").catch(asItIs);
  const transport = new StdioClientTransport({
    command,
    args: [...args],
    env: { ...env },
    stderr: "pipe",
    maxBufferSize: maxMessageSize,
    ...(cwd !== undefined && { cwd }),
  });
  transport.stderr?.on("data", (chunk: Buffer) => launch.onStderr(chunk.toString("utf8")));
  return transport;
}
