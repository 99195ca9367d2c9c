// One server of an mcp.json: checked key by key, its references to the environment filled in.
// A key that would be misread is a problem of the file: a bound or a filter must not get lost by its spelling. What is
// well written but cannot be used makes this server unusable and leaves the others alone.

import type { EnvironmentName } from "../../core/environment.ts";
import { environmentReferences, expandEnvironment } from "../../std/config-text.ts";
import { isRecord } from "../../std/is-record.ts";
import type { Duration } from "../../std/units.ts";
import { KeyReader, kindOf } from "./key-reader.ts";

export type Environment = Readonly<Record<string, string | undefined>>;

export type McpServerConfig = McpStdioConfig | McpUnusableConfig;

/** A server that is a program. References to the environment are filled in. */
export interface McpStdioConfig {
  readonly transport: "stdio";
  readonly name: string;
  readonly isDisabled: boolean;
  readonly command: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  /** Absolute. */
  readonly cwd: string;
  readonly timeout?: Duration;
  readonly startTimeout?: Duration;
  readonly allow?: readonly string[];
  readonly drop?: readonly string[];
  readonly trust: boolean;
  /** The variables its texts refer to, each once. */
  readonly environment: readonly EnvironmentName[];
}

/** A server that is well described and cannot be used. */
export interface McpUnusableConfig {
  readonly transport: "none";
  readonly name: string;
  readonly isDisabled: boolean;
  /** Why, with the mend. */
  readonly problem: string;
  /** Remote: it has a `url`. */
  readonly place: "local" | "remote";
  readonly environment: readonly EnvironmentName[];
}

export interface ServerPlace {
  readonly name: string;
  /** In the file, for example `mcpServers.files`. */
  readonly path: string;
  /** What `cwd` is relative to, and its default. */
  readonly directory: string;
  readonly env: Environment;
  /** Takes what makes the file invalid. */
  readonly problems: string[];
}

/** The server, or `undefined` when something was added to `place.problems`. */
export function readServerConfig(value: unknown, place: ServerPlace): McpServerConfig | undefined {
  const { name, path, problems } = place;
  if (!isRecord(value)) {
    problems.push(`${path}: expected an object, got ${kindOf(value)}`);
    return undefined;
  }
  const known = problems.length;
  const keys = new KeyReader(value, path, problems);
  const isDisabled = keys.flag("disabled");
  const environment = environmentOf(value);
  const type = keys.text("type");
  if (type !== undefined && !stdioTypes.has(type) && !remoteTypes.has(type)) {
    problems.push(`${path}.type: expected "stdio", "http" or "sse"`);
  }
  if (remoteTypes.has(type ?? "") || (value.url !== undefined && value.command === undefined)) {
    keys.text("url");
    if (problems.length > known) return undefined;
    return {
      transport: "none",
      name,
      isDisabled,
      problem: "servers with a `url` are not supported yet; only ones with a `command` are",
      place: "remote",
      environment,
    };
  }
  const server = readStdio(keys, place);
  if (problems.length > known) return undefined;
  const { missing, ...expanded } = expandServer(server, place);
  // A server nobody starts needs no variables.
  if (missing.length === 0 || isDisabled) return { transport: "stdio", name, isDisabled, ...expanded, environment };
  return { transport: "none", name, isDisabled, problem: missing.join("; "), place: "local", environment };
}

const stdioTypes: ReadonlySet<string> = new Set(["stdio", "local"]);
const remoteTypes: ReadonlySet<string> = new Set(["http", "sse", "streamable-http", "remote"]);

type WrittenServer = Omit<McpStdioConfig, "transport" | "name" | "isDisabled" | "cwd" | "environment"> & {
  readonly cwd: string;
};

/** Of the texts that are filled in. Referred to twice, a variable has a default only if it has one each time. */
function environmentOf({
  command,
  args,
  env,
  cwd,
  url,
  headers,
}: Readonly<Record<string, unknown>>): EnvironmentName[] {
  const byName = new Map<string, boolean>();
  for (const text of textsIn([command, args, env, cwd, url, headers]))
    for (const { name, hasDefault } of environmentReferences(text))
      byName.set(name, hasDefault && byName.get(name) !== false);
  return [...byName].map(([name, hasDefault]) => ({ name, hasDefault }));
}

/** None lies deeper than a few levels, and what is given as an object may hold itself. */
function textsIn(value: unknown, depth = 0): string[] {
  if (typeof value === "string") return [value];
  if (typeof value !== "object" || value === null || depth > 4) return [];
  return Object.values(value).flatMap((part) => textsIn(part, depth + 1));
}

function readStdio(keys: KeyReader, { path, problems }: ServerPlace): WrittenServer {
  if (keys.has("url")) problems.push(`${path}: has both \`command\` and \`url\`; keep one`);
  const [command = "", ...first] = keys.words("command", "the program to start");
  const timeout = keys.seconds("timeoutSeconds");
  const startTimeout = keys.seconds("startTimeoutSeconds");
  const allow = keys.texts("allow");
  const drop = keys.texts("drop");
  const server = {
    command,
    args: [...first, ...(keys.texts("args") ?? [])],
    env: keys.textsByName("env"),
    cwd: keys.text("cwd") ?? "",
    trust: keys.flag("trust"),
    ...(timeout && { timeout }),
    ...(startTimeout && { startTimeout }),
    ...(allow && { allow }),
    ...(drop && { drop }),
  };
  keys.refuseOthers(elsewhere, harmless);
  return server;
}

/** Fills in references; `missing` has a sentence for each variable that is not set. */
function expandServer(
  server: WrittenServer,
  { path, directory, env }: ServerPlace,
): WrittenServer & { missing: string[] } {
  const missing: string[] = [];
  const expand = (text: string, key: string): string => {
    const expanded = expandEnvironment(text, env);
    for (const name of expanded.missing) {
      missing.push(`${path}.${key} needs the environment variable \`${name}\`, which is not set`);
    }
    return expanded.text;
  };
  return {
    ...server,
    command: expand(server.command, "command"),
    args: server.args.map((text, index) => expand(text, `args[${index}]`)),
    env: Object.fromEntries(Object.entries(server.env).map(([name, text]) => [name, expand(text, `env.${name}`)])),
    cwd: process.getBuiltinModule("node:path").resolve(directory, expand(server.cwd, "cwd")),
    missing,
  };
}

/** Keys of other hosts that say what ours say. */
const elsewhere: Readonly<Record<string, string>> = {
  timeout: "its unit differs from host to host, write `timeoutSeconds`",
  environment: "write `env`",
  envFile: "files of variables are not read, write `env`",
  enabled: "write `disabled`",
  tools: "write `allow`",
  includeTools: "write `allow`",
  allowedTools: "write `allow`",
  excludeTools: "write `drop`",
  disabledTools: "write `drop`",
};

/** Keys of other hosts that change nothing here. */
const harmless: ReadonlySet<string> = new Set([
  "description",
  "version",
  "gallery",
  "icon",
  "dev",
  "alwaysAllow",
  "autoApprove",
]);
