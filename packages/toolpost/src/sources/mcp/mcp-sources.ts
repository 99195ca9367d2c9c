// The servers of an mcp.json as sources, each on its own: one that cannot be used fails alone, when it is listed.
// It must not start anything: a server runs once somebody lists its tools.

import { ToolpostError } from "../../core/errors.ts";
import type { Log } from "../../core/govern.ts";
import type { ToolSource } from "../../core/source.ts";
import { checkMcpConfig, readMcpConfig } from "./mcp-config.ts";
import type { Environment, McpServerConfig, McpUnusableConfig } from "./mcp-server-config.ts";
import { mcpSource } from "./mcp-source.ts";

export interface McpSourcesOptions {
  /** What `${NAME}` in the configuration stands for. Default: this process's environment. */
  readonly env?: Environment;
  readonly log?: Log;
  /** What a path is relative to, and `cwd` in a configuration given as an object. Default: the working directory. */
  readonly directory?: string;
}

/**
 * A source for each server of a configuration that is not disabled, in its order. Nothing is started.
 * @param config the path of an mcp.json, or an object of the same shape
 * @throws ToolpostError `config.not-found`, `config.syntax` or `config.invalid`
 */
export async function mcpSources(
  config: string | { readonly [key: string]: unknown },
  { env = process.env, log, directory = process.cwd() }: McpSourcesOptions = {},
): Promise<ToolSource[]> {
  const { resolve } = process.getBuiltinModule("node:path");
  const place = { file: "MCP configuration", directory: resolve(directory), env };
  const { servers } =
    typeof config === "string" ? await readMcpConfig(resolve(directory, config), env) : checkMcpConfig(config, place);
  return servers.filter((server) => !server.isDisabled).map((server) => sourceOf(server, log));
}

function sourceOf(server: McpServerConfig, log: Log | undefined): ToolSource {
  return server.transport === "none" ? unusableSource(server) : mcpSource({ ...server, ...(log && { log }) });
}

/** A source that tells why it offers nothing. */
function unusableSource({ name, problem, place, environment }: McpUnusableConfig): ToolSource {
  let state: "failed" | "closed" = "failed";
  return {
    name,
    kind: "mcp",
    list: () => Promise.reject(new ToolpostError("mcp.failed", `MCP server \`${name}\`: ${problem}`)),
    status: () => ({ name, kind: "mcp", state, toolCount: 0, skipped: [], ...(state === "failed" && { problem }) }),
    describe: () => ({ place, environment }),
    close: async () => {
      state = "closed";
    },
  };
}
