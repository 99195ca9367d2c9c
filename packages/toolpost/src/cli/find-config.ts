// Where the configuration of a command is: named on the command line, or under its usual name in the working directory.
// Nothing is read or run here.

import { statSync } from "node:fs";
import { join, resolve } from "node:path";
import { ToolpostError } from "../core/errors.ts";

/** In the order they are looked for; the first one there is taken. */
export const configNames: readonly string[] = ["toolpost.config.ts", "toolpost.config.js", "toolpost.config.mjs"];

const mcpName = "mcp.json";

export interface ConfigPaths {
  /** Absolute, of the module that exports the app, toolkit or options. */
  readonly config: string | undefined;
  /** Absolute. */
  readonly mcp: string | undefined;
  /** `--mcp` named it: then it counts before what the configuration says. */
  readonly isMcpNamed: boolean;
}

export interface NamedConfig {
  readonly config?: string | undefined;
  readonly mcp?: string | undefined;
}

/** Throws `config.not-found` for a named file that is not there, and where there is nothing at all. */
export function findConfig(cwd: string, named: NamedConfig): ConfigPaths {
  const config = named.config === undefined ? firstOf(configNames, cwd) : namedFile(named.config, cwd, "--config");
  const mcp = named.mcp === undefined ? firstOf([mcpName], cwd) : namedFile(named.mcp, cwd, "--mcp");
  if (config !== undefined && /\.jsonc?$/.test(config)) {
    const hint = `Name an mcp.json by \`--mcp ${named.config}\`.`;
    throw new ToolpostError("config.invalid", `\`--config ${named.config}\` names no module (.ts, .js, .mjs)`, {
      hint,
    });
  }
  if (config === undefined && mcp === undefined) {
    const hint = `Create \`${configNames[0]}\` with \`export default { tools: [ … ] }\`, or name a file by --config or --mcp.`;
    throw new ToolpostError(
      "config.not-found",
      `there is no \`${configNames[0]}\` and no \`${mcpName}\` in \`${cwd}\``,
      { hint },
    );
  }
  return { config, mcp, isMcpNamed: named.mcp !== undefined };
}

function firstOf(names: readonly string[], cwd: string): string | undefined {
  return names.map((name) => join(cwd, name)).find(isFile);
}

function namedFile(name: string, cwd: string, option: string): string {
  const path = resolve(cwd, name);
  if (isFile(path)) return path;
  throw new ToolpostError("config.not-found", `\`${option} ${name}\`: there is no file \`${path}\``);
}

function isFile(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isFile() === true;
}
