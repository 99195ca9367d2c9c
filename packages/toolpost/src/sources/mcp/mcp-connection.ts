// One connection to one server, from its start to its end: handshake, list, calls. It never reconnects.
// It turns what the client package throws into three kinds: an answer, a lost connection, a fault of the server.

import type { Client, Progress, StandardSchemaV1 } from "@modelcontextprotocol/client";
import { systemClock } from "../../std/clock.ts";
import { formatDuration } from "../../std/format.ts";
import { type ClientPackage, loadClientPackage } from "./client-package.ts";
import { longestMs } from "./key-reader.ts";
import { isMalformedMark } from "./malformed-answer.ts";
import { NotDeliveredError, type ServerTransport } from "./stdio-transport.ts";
import { readToolPages } from "./tool-pages.ts";

export interface ConnectionOptions {
  /** How the server is reached. */
  open(sdk: ClientPackage): Promise<ServerTransport>;
  readonly clientInfo: { readonly name: string; readonly version: string };
  /** Milliseconds for start and handshake, and again for each listing. */
  readonly startMs: number;
  /** Gives up connecting; means nothing afterwards. */
  readonly signal: AbortSignal;
  onToolsChanged(): void;
  /** The connection ended without being closed; `reason` follows the server's name. */
  onEnd(reason: string): void;
}

export interface McpConnection {
  readonly isOpen: boolean;
  /** What the server says about its use. */
  readonly instructions: string | undefined;
  /** The server's tools as it wrote them. Throws an Error whose message follows the server's name. */
  listTools(): Promise<readonly unknown[]>;
  /** Throws the signal's reason, `ConnectionLostError`, `MalformedAnswerError`, or an Error whose message follows the server's name. */
  callTool(call: McpCall): Promise<McpAnswer>;
  /** Ends the server. Idempotent, never rejects. */
  close(): Promise<void>;
}

export interface McpCall {
  readonly name: string;
  readonly args: Readonly<Record<string, unknown>>;
  readonly signal: AbortSignal | undefined;
  readonly onProgress: ((progress: Progress) => void) | undefined;
}

/** What the server answered: a result, or an error in the sense of JSON-RPC. */
export type McpAnswer =
  | { readonly type: "result"; readonly result: unknown }
  | { readonly type: "error"; readonly code: number; readonly message: string; readonly data: unknown };

/** The connection ended before the answer. */
export class ConnectionLostError extends Error {
  override readonly name = "ConnectionLostError";
  /** False when the server cannot have seen the call. */
  readonly wasDelivered: boolean;

  constructor(wasDelivered: boolean) {
    super("it stopped before it answered");
    this.wasDelivered = wasDelivered;
  }
}

/** The server answered, and the answer is none. The message follows the server's name. */
export class MalformedAnswerError extends Error {
  override readonly name = "MalformedAnswerError";
}

/**
 * Starts and greets the server.
 * @throws the signal's reason, `mcp.missing-package`, or an Error whose message follows the server's name. Whatever it
 * throws, nothing that it started is left.
 */
export async function openConnection(options: ConnectionOptions): Promise<McpConnection> {
  const sdk = await loadClientPackage();
  options.signal.throwIfAborted();
  const transport = await options.open(sdk);
  const client = new sdk.Client(options.clientInfo, { capabilities: {} });
  try {
    await client.connect(transport, { timeout: options.startMs, signal: options.signal });
  } catch (error) {
    // Said before the closing gives it an ending of ours.
    const problem = connectProblem(sdk, error, transport, options);
    await transport.close();
    options.signal.throwIfAborted();
    throw problem;
  }
  return new Connection(sdk, client, transport, options);
}

class Connection implements McpConnection {
  readonly instructions: string | undefined;
  readonly #sdk: ClientPackage;
  readonly #client: Client;
  readonly #transport: ServerTransport;
  readonly #startMs: number;
  readonly #onEnd: (reason: string) => void;
  #isOpen = true;

  constructor(sdk: ClientPackage, client: Client, transport: ServerTransport, options: ConnectionOptions) {
    this.#sdk = sdk;
    this.#client = client;
    this.#transport = transport;
    this.#startMs = options.startMs;
    this.#onEnd = (reason) => options.onEnd(reason);
    this.instructions = client.getInstructions();
    client.setNotificationHandler("notifications/tools/list_changed", () => options.onToolsChanged());
    client.onclose = () => {
      if (!this.#isOpen) return;
      this.#isOpen = false;
      this.#onEnd(transport.ending ?? "it closed the connection");
    };
  }

  get isOpen(): boolean {
    return this.#isOpen;
  }

  async listTools(): Promise<readonly unknown[]> {
    if (this.#client.getServerCapabilities()?.tools === undefined) return [];
    const end = systemClock.now() + this.#startMs;
    try {
      return await readToolPages((cursor) => {
        const params = cursor === undefined ? {} : { params: { cursor } };
        const timeout = Math.max(1, end - systemClock.now());
        return this.#client.request({ method: "tools/list", ...params }, anyResult, { timeout });
      });
    } catch (error) {
      // Without the cause: the client package says the same once more, and says it worse.
      if (!this.#isOpen) throw new Error(this.#transport.ending ?? "it closed the connection");
      throw isTimeout(this.#sdk, error) ? new Error(tooSlow("tools/list", this.#startMs)) : error;
    }
  }

  async callTool({ name, args, signal, onProgress }: McpCall): Promise<McpAnswer> {
    signal?.throwIfAborted();
    if (!this.#isOpen) throw new ConnectionLostError(false);
    const request = { method: "tools/call", params: { name, arguments: args } };
    const followers = { ...(signal && { signal }), ...(onProgress && { onprogress: onProgress }) };
    try {
      // The call has a deadline already, by its signal; another one here could only be a wrong one.
      return {
        type: "result",
        result: await this.#client.request(request, anyResult, { ...followers, timeout: longestMs }),
      };
    } catch (error) {
      signal?.throwIfAborted();
      if (isMalformed(this.#sdk, error)) throw new MalformedAnswerError(error.message);
      if (error instanceof this.#sdk.ProtocolError) return { type: "error", ...pick(error) };
      if (error instanceof NotDeliveredError) {
        await this.#giveUp();
        throw new ConnectionLostError(false);
      }
      if (!this.#isOpen) throw new ConnectionLostError(true);
      throw error;
    }
  }

  async close(): Promise<void> {
    this.#isOpen = false;
    await this.#transport.close();
  }

  /** A server that does not read is dead, also where its process goes on; another one must not run beside it. */
  async #giveUp(): Promise<void> {
    if (this.#isOpen) {
      this.#isOpen = false;
      this.#onEnd(this.#transport.ending ?? "it stopped reading");
    }
    await this.#transport.close();
  }
}

/** Takes any result: the package's own schemas refuse a whole list for one bad tool. */
const anyResult: StandardSchemaV1<unknown> = {
  "~standard": { version: 1, vendor: "toolpost", validate: (value) => ({ value }) },
};

function pick({ code, message, data }: { code: number; message: string; data?: unknown }) {
  return { code, message, data };
}

function connectProblem(
  sdk: ClientPackage,
  error: unknown,
  { ending }: ServerTransport,
  { startMs }: ConnectionOptions,
): Error {
  if (ending !== undefined) return new Error(`${ending} before it answered`);
  if (isTimeout(sdk, error)) return new Error(tooSlow("initialize", startMs));
  return error instanceof Error ? error : new Error(String(error));
}

function isTimeout(sdk: ClientPackage, error: unknown): boolean {
  return error instanceof sdk.SdkError && error.code === sdk.SdkErrorCode.RequestTimeout;
}

function isMalformed(sdk: ClientPackage, error: unknown): error is InstanceType<ClientPackage["ProtocolError"]> {
  return error instanceof sdk.ProtocolError && isMalformedMark(error.data);
}

function tooSlow(method: string, ms: number): string {
  const mend = "raise `startTimeoutSeconds` (in code `startTimeout`) if it needs longer";
  return `it did not answer ${method} within ${formatDuration(ms)}; ${mend}`;
}
