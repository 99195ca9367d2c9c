// An mcp.json as people have it from other hosts: which servers there are and how each is started.
// It starts nothing, and tells everything that is wrong with the file at once, each problem with its path.

import { ToolpostError } from "../../core/errors.ts";
import { ConfigTextError, parseJsonc } from "../../std/config-text.ts";
import { isRecord } from "../../std/is-record.ts";
import { kindOf } from "./key-reader.ts";
import { type Environment, type McpServerConfig, readServerConfig } from "./mcp-server-config.ts";

export interface McpConfig {
  /** As errors name it. */
  readonly file: string;
  /** In the file's order. */
  readonly servers: readonly McpServerConfig[];
}

/** Where the value of a configuration stands. */
export interface McpConfigPlace {
  /** As errors name it. */
  readonly file: string;
  /** What `cwd` is relative to, and its default. */
  readonly directory: string;
  readonly env: Environment;
}

/**
 * Reads the configuration at `path`, relative to the working directory.
 * @throws ToolpostError `config.not-found`, `config.syntax` or `config.invalid`
 */
export async function readMcpConfig(path: string, env: Environment = process.env): Promise<McpConfig> {
  const { readFile } = await import("node:fs/promises");
  let text: string;
  try {
    text = await readFile(path, "utf8");
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code ?? String(error);
    throw new ToolpostError("config.not-found", `\`${path}\` cannot be read (${code})`, { cause: error });
  }
  return parseMcpConfig(text, path, env);
}

/**
 * The configuration in `text`: JSON that may have comments and trailing commas, with one of the keys `mcpServers`,
 * `servers` and `mcp`, an object of servers by name. A server has `command` (a text, or a list that begins with it) and
 * may have `args`, `env`, `cwd` (relative to the file), `timeoutSeconds` (of a call), `startTimeoutSeconds`, `allow`,
 * `drop` (original names of tools), `trust` and `disabled`. `${NAME}` and `${NAME:-default}` in its texts stand for
 * variables of `env`.
 * @throws ToolpostError `config.syntax` at the first syntax error, `config.invalid` with all problems, one a line
 */
export function parseMcpConfig(text: string, file: string, env: Environment): McpConfig {
  const { dirname, resolve } = process.getBuiltinModule("node:path");
  let value: unknown;
  try {
    value = parseJsonc(text, file);
  } catch (error) {
    if (!(error instanceof ConfigTextError)) throw error;
    const { line, column } = error;
    throw new ToolpostError("config.syntax", error.message, { cause: error, data: { file, line, column } });
  }
  return checkMcpConfig(value, { file, directory: dirname(resolve(file)), env });
}

/**
 * The configuration in a value of the same shape.
 * @throws ToolpostError `config.invalid` with all problems, one a line
 */
export function checkMcpConfig(value: unknown, { file, directory, env }: McpConfigPlace): McpConfig {
  const problems: string[] = [];
  const servers: McpServerConfig[] = [];
  const key = serversKey(value, problems);
  if (key !== undefined) {
    for (const [name, server] of Object.entries((value as Record<string, object>)[key]!)) {
      const path = `${key}${pathStep(name)}`;
      const read = readServerConfig(server, { name, path, directory, env, problems });
      if (read !== undefined) servers.push(read);
    }
  }
  if (problems.length === 0) return { file, servers };
  const message = problems.map((problem) => `${file}: ${problem}`).join("\n");
  throw new ToolpostError("config.invalid", message, { data: { file, problems } });
}

const serversKeys = ["mcpServers", "servers", "mcp"];

/** The key that holds an object of servers; what speaks against the only one or for several goes to `problems`. */
function serversKey(value: unknown, problems: string[]): string | undefined {
  if (!isRecord(value)) {
    problems.push(`expected an object, got ${kindOf(value)}`);
    return undefined;
  }
  const found = serversKeys.filter((key) => Object.hasOwn(value, key));
  const [key] = found;
  if (key === undefined) problems.push(`expected one of the keys ${listed(serversKeys)}, found none`);
  else if (found.length > 1)
    problems.push(
      `expected one of the keys ${listed(found)}, found ${found.length > 2 ? "several" : "both"}; keep one`,
    );
  else if (!isRecord(value[key])) problems.push(`${key}: expected an object, got ${kindOf(value[key])}`);
  else return key;
  return undefined;
}

function listed(keys: readonly string[]): string {
  const quoted = keys.map((key) => `\`${key}\``);
  return `${quoted.slice(0, -1).join(", ")} and ${quoted.at(-1)}`;
}

/** `.name`, or `["a b"]` for what is no plain word. */
function pathStep(name: string): string {
  return /^[\w$-]+$/.test(name) ? `.${name}` : `[${JSON.stringify(name)}]`;
}
