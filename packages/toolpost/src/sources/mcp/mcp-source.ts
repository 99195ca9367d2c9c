// A stdio MCP server as a source of tools: started when first listed, kept, started again when it died, ended.
// It judges no call and bounds none: the pipeline does, whose signal is passed on to the server.

import type { ToolContext } from "../../core/context.ts";
import type { EnvironmentName } from "../../core/environment.ts";
import { ToolError } from "../../core/errors.ts";
import type { Log } from "../../core/govern.ts";
import type { ToolOutput } from "../../core/result.ts";
import type { SourceFacts, SourceStatus, ToolSource } from "../../core/source.ts";
import type { AnyTool } from "../../core/tool.ts";
import type { Duration } from "../../std/units.ts";
import { callOutput } from "./call-output.ts";
import { checkDurations } from "./check-durations.ts";
import { childEnvironment } from "./child-environment.ts";
import { KeptServer } from "./kept-server.ts";
import {
  ConnectionLostError,
  MalformedAnswerError,
  type McpAnswer,
  type McpCall,
  type McpConnection,
} from "./mcp-connection.ts";
import type { McpToolOptions } from "./mcp-tool.ts";
import { openStdio } from "./open-stdio.ts";
import type { StdioLaunch } from "./stdio-transport.ts";
import { checkStructured } from "./structured-output.ts";
import { readToolList, type ToolList } from "./tool-list.ts";

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
  /** The variables these settings were filled from, for `describe`; nothing is read by them. */
  readonly environment?: readonly EnvironmentName[];
  /** Told of what the server writes to its standard error, and of its unexpected end. */
  readonly log?: Log;
  /** How we introduce ourselves. */
  readonly clientInfo?: { readonly name: string; readonly version: string };
}

/**
 * A source for one server. Nothing is started before `list()`. A server found dead is started again at the next call
 * or listing; a call that was under way is sent again only to a tool of a trusted server that is read-only or
 * idempotent.
 * @throws ToolpostError `config.invalid` when a duration cannot be used
 */
export function mcpSource(options: McpSourceOptions): ToolSource {
  checkDurations(options);
  return new McpSource(options);
}

class McpSource implements ToolSource {
  readonly kind = "mcp";
  readonly name: string;
  readonly #options: McpSourceOptions;
  readonly #server: KeptServer;
  #listing: Promise<readonly AnyTool[]> | undefined = undefined;
  #isStale = true;
  #list: ToolList = { tools: [], skipped: [] };

  constructor(options: McpSourceOptions) {
    this.name = options.name;
    this.#options = options;
    this.#server = new KeptServer({
      name: options.name,
      clientInfo: options.clientInfo ?? { name: "toolpost", version: "0" },
      startMs: options.startTimeout?.ms ?? 30_000,
      log: options.log,
      open: (sdk, onStderr) => openStdio(sdk, launchOf(options, onStderr)),
      onToolsChanged: () => {
        this.#isStale = true;
      },
    });
  }

  list(): Promise<readonly AnyTool[]> {
    this.#listing ??= this.#readTools().finally(() => {
      this.#listing = undefined;
    });
    return this.#listing;
  }

  /** Of a trusted server that has been listed: they would stand in the system prompt. */
  instructions(): string | undefined {
    return this.#options.trust === true ? this.#server.instructions : undefined;
  }

  status(): SourceStatus {
    const { state, problem } = this.#server;
    const { tools, skipped } = this.#list;
    const said = problem === undefined ? {} : { problem };
    return { name: this.name, kind: this.kind, state, toolCount: tools.length, skipped, ...said };
  }

  describe(): SourceFacts {
    return { place: "local", environment: this.#options.environment ?? [] };
  }

  close(): Promise<void> {
    return this.#server.close();
  }

  async #readTools(): Promise<readonly AnyTool[]> {
    const connection = await this.#server.connect();
    if (!this.#isStale) return this.#list.tools;
    // Before asking: a change announced while the answer is under way makes it stale again.
    this.#isStale = false;
    try {
      this.#list = this.#read(await connection.listTools());
    } catch (error) {
      this.#isStale = true;
      await connection.close();
      throw this.#server.fail(error);
    }
    return this.#list.tools;
  }

  #read(entries: readonly unknown[]): ToolList {
    const { allow, drop, timeout, trust = false } = this.#options;
    const call: McpToolOptions["call"] = (tool, args, ctx) => this.#call(tool, args, ctx);
    const options = { server: this.name, trust, timeout, call, previous: this.#list.tools };
    return readToolList(entries, { allow, drop }, options);
  }

  async #call(
    tool: AnyTool,
    args: Readonly<Record<string, unknown>>,
    ctx: ToolContext | undefined,
  ): Promise<ToolOutput> {
    const onProgress = ctx === undefined ? undefined : (progress: unknown) => ctx.progress(progress);
    const call: McpCall = { name: tool.name, args, signal: ctx?.signal, onProgress };
    for (let isSecond = false; ; isSecond = true) {
      try {
        return await checkStructured(callOutput(await this.#send(call)), tool.outputSchema);
      } catch (error) {
        if (error instanceof MalformedAnswerError) throw malformed(this.name, error);
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
      connection = await this.#server.connect();
    } catch (error) {
      throw unreachable(this.name, error);
    }
    return connection.callTool(call);
  }
}

/** Bytes. Files come as base64 in one message; how much of it a model reads is bounded by the pipeline. */
const maxMessageSize = 64 * 1_048_576;

function launchOf(options: McpSourceOptions, onStderr: (text: string) => void): StdioLaunch {
  const { command, args = [], env = {}, cwd, closeGrace } = options;
  const graceMs = closeGrace?.ms ?? 2_000;
  return { command, args, env: childEnvironment(env, process.env), cwd, graceMs, maxMessageSize, onStderr };
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

/** It has seen the call, so a second one is for the model to think over. */
function malformed(server: string, { message }: MalformedAnswerError): ToolError {
  const text = `MCP server \`${server}\`: ${message}`;
  return new ToolError({ code: "mcp.failed", userMessage: `${text}.`, canRetry: false, message: text });
}

function unreachable(server: string, cause: unknown): ToolError {
  const told = cause instanceof Error ? cause.message : String(cause);
  // It names the server already where it comes from there.
  const why = told.replace(`MCP server \`${server}\`: `, "");
  return new ToolError({
    code: "mcp.failed",
    userMessage: "The server of this tool is not running.",
    message: `MCP server \`${server}\` cannot be called: ${why}`,
    cause: cause instanceof Error ? cause.cause : cause,
  });
}
