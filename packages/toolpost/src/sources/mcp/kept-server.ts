// One server kept in use: connected when first needed and again when found dead, with its state for people to read.
// It knows nothing of tools and calls; it starts nothing on its own and nothing after it was closed.

import { ToolpostError } from "../../core/errors.ts";
import type { Log } from "../../core/govern.ts";
import type { SourceState } from "../../core/source.ts";
import { visible } from "../../std/text.ts";
import { type ConnectionOptions, type McpConnection, openConnection } from "./mcp-connection.ts";
import { TextTail } from "./text-tail.ts";

export interface KeptServerOptions {
  readonly name: string;
  readonly clientInfo: ConnectionOptions["clientInfo"];
  /** Milliseconds for starting and greeting it, and for each listing. */
  readonly startMs: number;
  readonly log: Log | undefined;
  /** How it is reached; `onStderr` takes what it writes for people, where it has such a channel. */
  open(
    sdk: Parameters<ConnectionOptions["open"]>[0],
    onStderr: (text: string) => void,
  ): ReturnType<ConnectionOptions["open"]>;
  /** Its tools may have changed: it said so, or it is another process. */
  onToolsChanged(): void;
}

/** UTF-16 units of standard error kept for `problem`. */
const keptStderr = 4_096;

export class KeptServer {
  readonly #options: KeptServerOptions;
  readonly #closed = new AbortController();
  #state: SourceState = "idle";
  #problem: string | undefined = undefined;
  #stderr = new TextTail(keptStderr);
  #connection: McpConnection | undefined = undefined;
  #connecting: Promise<McpConnection> | undefined = undefined;
  #closing: Promise<void> | undefined = undefined;

  constructor(options: KeptServerOptions) {
    this.#options = options;
  }

  get state(): SourceState {
    return this.#state;
  }

  /** Why it failed, with the last lines of its standard error. */
  get problem(): string | undefined {
    return this.#problem;
  }

  /** What it said about its use when it was greeted last. */
  get instructions(): string | undefined {
    return this.#connection?.instructions;
  }

  /** The open connection, or a new one; several callers wait for the same. Throws `ToolpostError` (`mcp.*`). */
  connect(): Promise<McpConnection> {
    if (this.#connection?.isOpen === true) return Promise.resolve(this.#connection);
    this.#connecting ??= this.#open().finally(() => {
      this.#connecting = undefined;
    });
    return this.#connecting;
  }

  /** Notes a failure, and gives the error that says it. */
  fail(cause: unknown): ToolpostError {
    const name = `MCP server \`${this.#options.name}\``;
    if (this.#closed.signal.aborted) return new ToolpostError("mcp.failed", `${name}: its source was closed`);
    const reason = cause instanceof Error ? cause.message : String(cause);
    const stderr = visible(this.#stderr.text, { keepLineBreaks: true });
    this.#state = "failed";
    this.#problem = stderr === "" ? reason : `${reason}\nlast lines of its standard error:\n${stderr}`;
    if (cause instanceof ToolpostError) return cause;
    // The sentence of the cause stands in ours: a log that follows causes would say it twice.
    const deeper = cause instanceof Error ? cause.cause : undefined;
    return new ToolpostError("mcp.failed", `${name}: ${reason}`, { cause: deeper, data: { stderr } });
  }

  /** Ends it, also while it starts. Idempotent, never rejects. */
  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  async #open(): Promise<McpConnection> {
    if (this.#closed.signal.aborted) throw this.fail(undefined);
    this.#state = "connecting";
    try {
      // Never two processes of one server, however long the last one takes to end.
      await this.#connection?.close();
      this.#connection = await this.#connectOnce();
      this.#closed.signal.throwIfAborted();
    } catch (error) {
      throw this.fail(error);
    }
    this.#state = "ready";
    this.#problem = undefined;
    return this.#connection;
  }

  #connectOnce(): Promise<McpConnection> {
    const { clientInfo, startMs, open, onToolsChanged } = this.#options;
    const stderr = new TextTail(keptStderr);
    this.#stderr = stderr;
    const onStderr = (text: string): void => {
      stderr.push(text);
      this.#log("debug", "wrote to its standard error", { text });
    };
    return openConnection({
      open: (sdk) => open(sdk, onStderr),
      clientInfo,
      startMs,
      signal: this.#closed.signal,
      onToolsChanged,
      onEnd: (reason) => this.#ended(reason),
    });
  }

  #ended(reason: string): void {
    // What it offers when it is started again need not be the same.
    this.#options.onToolsChanged();
    this.fail(new Error(reason));
    this.#log("warn", `stopped: ${reason}`, {});
  }

  async #close(): Promise<void> {
    this.#state = "closed";
    this.#problem = undefined;
    this.#closed.abort(new Error("the source was closed"));
    // Gives up, and ends what it had started.
    await Promise.allSettled([this.#connecting]);
    await this.#connection?.close();
  }

  #log(level: "debug" | "warn", message: string, data: { readonly [key: string]: unknown }): void {
    try {
      this.#options.log?.({ level, message: `MCP server \`${this.#options.name}\` ${message}`, data });
    } catch {
      // A log that fails must not end the connection.
    }
  }
}
