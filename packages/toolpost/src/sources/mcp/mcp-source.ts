// A stdio MCP server as a source of tools: started when first listed, kept, started again when it died, ended.
// It judges no call and bounds none: the pipeline does, whose signal is passed on to the server.

import type { ToolContext } from "../../core/context.ts";
import { ToolError, ToolpostError } from "../../core/errors.ts";
import type { Log } from "../../core/govern.ts";
import type { SkippedTool, SourceState, SourceStatus, ToolSource } from "../../core/source.ts";
import type { AnyTool } from "../../core/tool.ts";
import { visible } from "../../std/text.ts";
import type { Duration } from "../../std/units.ts";
import { callOutput } from "./call-output.ts";
import { childEnvironment } from "./child-environment.ts";
import {
  ConnectionLostError,
  type McpAnswer,
  type McpCall,
  type McpConnection,
  openConnection,
} from "./mcp-connection.ts";
import { openStdio } from "./stdio-transport.ts";
import { checkStructured } from "./structured-output.ts";
import { TextTail } from "./text-tail.ts";
import { readToolList } from "./tool-list.ts";

export interface McpSourceOptions {
  /** What people call the server; any text. */
  readonly name: string;
  /** A program on PATH or a path, relative to `cwd`. Its arguments stand in `args`. */
  readonly command: string;
  readonly args?: readonly string[];
  /** Added to the few variables a server sees of ours: PATH, HOME, LANG, TMPDIR, USER, SHELL, TERM. */
  readonly env?: Readonly<Record<string, string>>;
  /** Default: this process's own. */
  readonly cwd?: string;
  /** Of one call, as the `timeout` of each of its tools. */
  readonly timeout?: Duration;
  /** For starting and greeting the server, and for each listing of its tools. Default 30 s. */
  readonly startTimeout?: Duration;
  /** For ending by itself when closed: once after its input ended, once more after SIGTERM. Default 2 s. */
  readonly closeGrace?: Duration;
  /** Original names of the only tools to offer. */
  readonly allow?: readonly string[];
  /** Original names of tools not to offer. */
  readonly drop?: readonly string[];
  /** Believe what the server says of its tools (read-only, idempotent, …) and pass on its instructions. Default false. */
  readonly trust?: boolean;
  /** Told of what the server writes to its standard error, and of its unexpected end. */
  readonly log?: Log;
  /** How we introduce ourselves. */
  readonly clientInfo?: { readonly name: string; readonly version: string };
}

/**
 * A source for one server. Nothing is started before `list()`. A server found dead is started again at the next call
 * or listing; a call that was under way is sent again only to a tool of a trusted server that is read-only or
 * idempotent.
 */
export function mcpSource(options: McpSourceOptions): ToolSource {
  return new McpSource(options);
}

/** UTF-16 units of standard error kept for `status()`. */
const keptStderr = 4_096;

/** Bytes. Files come as base64 in one message; how much of it a model reads is bounded by the pipeline. */
const maxMessageSize = 64 * 1_048_576;

class McpSource implements ToolSource {
  readonly kind = "mcp";
  readonly name: string;
  readonly #options: McpSourceOptions;
  readonly #closed = new AbortController();
  #state: SourceState = "idle";
  #problem: string | undefined = undefined;
  #stderr = new TextTail(keptStderr);
  #connection: McpConnection | undefined = undefined;
  #connecting: Promise<McpConnection> | undefined = undefined;
  #listing: Promise<readonly AnyTool[]> | undefined = undefined;
  #isStale = true;
  #tools: readonly AnyTool[] = [];
  #skipped: readonly SkippedTool[] = [];
  #closing: Promise<void> | undefined = undefined;

  constructor(options: McpSourceOptions) {
    this.name = options.name;
    this.#options = options;
  }

  list(): Promise<readonly AnyTool[]> {
    this.#listing ??= this.#list().finally(() => {
      this.#listing = undefined;
    });
    return this.#listing;
  }

  /** Of a trusted server that has been listed: they would stand in the system prompt. */
  instructions(): string | undefined {
    return this.#options.trust === true ? this.#connection?.instructions : undefined;
  }

  status(): SourceStatus {
    return {
      name: this.name,
      kind: this.kind,
      state: this.#state,
      toolCount: this.#tools.length,
      skipped: this.#skipped,
      ...(this.#problem !== undefined && { problem: this.#problem }),
    };
  }

  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  async #list(): Promise<readonly AnyTool[]> {
    const connection = await this.#connect();
    if (this.#isStale) await this.#readTools(connection);
    return this.#tools;
  }

  async #readTools(connection: McpConnection): Promise<void> {
    // Before asking: a change announced while the answer is under way makes it stale again.
    this.#isStale = false;
    try {
      const { allow, drop, timeout, trust = false } = this.#options;
      const entries = await connection.listTools();
      const { tools, skipped } = readToolList(
        entries,
        { allow, drop },
        {
          server: this.name,
          trust,
          timeout,
          previous: this.#tools,
          call: (tool, args, ctx) => this.#call(tool, args, ctx),
        },
      );
      this.#tools = tools;
      this.#skipped = skipped;
    } catch (error) {
      this.#isStale = true;
      this.#connection = undefined;
      await connection.close();
      throw this.#failed(error);
    }
  }

  /** The open connection, or a new one; several callers wait for the same. */
  #connect(): Promise<McpConnection> {
    if (this.#connection?.isOpen === true) return Promise.resolve(this.#connection);
    this.#connecting ??= this.#open().finally(() => {
      this.#connecting = undefined;
    });
    return this.#connecting;
  }

  async #open(): Promise<McpConnection> {
    if (this.#closed.signal.aborted) throw this.#failed(undefined);
    this.#state = "connecting";
    this.#stderr = new TextTail(keptStderr);
    try {
      this.#connection = await openConnection({
        open: (sdk) => openStdio(sdk, this.#launch()),
        clientInfo: this.#options.clientInfo ?? { name: "toolpost", version: "0" },
        startMs: this.#options.startTimeout?.ms ?? 30_000,
        signal: this.#closed.signal,
        onToolsChanged: () => {
          this.#isStale = true;
        },
        onEnd: (reason) => this.#ended(reason),
      });
    } catch (error) {
      throw this.#failed(error);
    }
    this.#state = "ready";
    this.#problem = undefined;
    return this.#connection;
  }

  #launch(): Parameters<typeof openStdio>[1] {
    const { command, args = [], env = {}, cwd, closeGrace } = this.#options;
    const stderr = this.#stderr;
    return {
      command,
      args,
      env: childEnvironment(env, process.env),
      cwd,
      graceMs: closeGrace?.ms ?? 2_000,
      maxMessageSize,
      onStderr: (text) => {
        stderr.push(text);
        this.#log("debug", "wrote to its standard error", { text });
      },
    };
  }

  async #call(tool: AnyTool, args: Readonly<Record<string, unknown>>, ctx: ToolContext | undefined): Promise<unknown> {
    const call: McpCall = {
      name: tool.name,
      args,
      signal: ctx?.signal,
      onProgress: ctx === undefined ? undefined : (progress) => ctx.progress(progress),
    };
    for (let isSecond = false; ; isSecond = true) {
      try {
        return await checkStructured(callOutput(await this.#send(call)), tool.outputSchema);
      } catch (error) {
        if (!(error instanceof ConnectionLostError)) throw error;
        if (error.wasDelivered && !isRepeatable(tool)) throw outcomeUnknown(this.name, error);
        if (isSecond) throw unreachable(this.name, error);
      }
    }
  }

  /** Sends it once, to a server that is started for it if need be. */
  async #send(call: McpCall): Promise<McpAnswer> {
    let connection: McpConnection;
    try {
      connection = await this.#connect();
    } catch (error) {
      throw unreachable(this.name, error);
    }
    return connection.callTool(call);
  }

  #ended(reason: string): void {
    // What it offers when it is started again need not be the same.
    this.#isStale = true;
    this.#failed(new Error(reason));
    this.#log("warn", `stopped: ${reason}`, {});
  }

  /** Notes a failure in the status and gives the error that says it. */
  #failed(cause: unknown): ToolpostError {
    if (this.#closed.signal.aborted)
      return new ToolpostError("mcp.failed", `MCP server \`${this.name}\`: its source was closed`);
    const reason = cause instanceof Error ? cause.message : String(cause);
    const stderr = visible(this.#stderr.text, { keepLineBreaks: true });
    this.#state = "failed";
    this.#problem = stderr === "" ? reason : `${reason}\nlast lines of its standard error:\n${stderr}`;
    if (cause instanceof ToolpostError) return cause;
    return new ToolpostError("mcp.failed", `MCP server \`${this.name}\`: ${reason}`, { cause, data: { stderr } });
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
      this.#options.log?.({ level, message: `MCP server \`${this.name}\` ${message}`, data });
    } catch {
      // A log that fails must not end the server's connection.
    }
  }
}

/** Untrusted hints are not among the annotations, so these are believed ones. */
function isRepeatable({ annotations }: AnyTool): boolean {
  return annotations?.readOnly === true || annotations?.idempotent === true;
}

function outcomeUnknown(server: string, cause: unknown): ToolError {
  return new ToolError({
    code: "tool.outcome-unknown",
    userMessage: "The server stopped during the call. The outcome is unknown: the call may have had its effect.",
    canRetry: false,
    message: `MCP server \`${server}\` stopped during a call`,
    cause,
  });
}

function unreachable(server: string, cause: unknown): ToolError {
  const why = cause instanceof Error ? cause.message : String(cause);
  return new ToolError({
    code: "mcp.failed",
    userMessage: "The server of this tool is not running.",
    message: `MCP server \`${server}\` cannot be called: ${why}`,
    cause,
  });
}
