// The official MCP client, an optional peer: loaded when the first server is used, and asked for by name if missing.
// The only place that imports it at run time; everything else here gets it handed in.

import { ToolpostError } from "../../core/errors.ts";

export type ClientPackage = typeof import("@modelcontextprotocol/client");

/**
 * The client package.
 * @param load only tests give another one
 * @throws ToolpostError `mcp.missing-package` when it is not installed; what it throws itself is thrown as it is
 */
export async function loadClientPackage(
  load: () => Promise<ClientPackage> = () => import("@modelcontextprotocol/client").catch(asItIs),
): Promise<ClientPackage> {
  try {
    return await load();
  } catch (error) {
    if (!isMissing(error)) throw error;
    throw new ToolpostError(
      "mcp.missing-package",
      "MCP servers need the package `@modelcontextprotocol/client`: run `npm install @modelcontextprotocol/client`",
      { cause: error },
    );
  }
}

/** With a `catch` of its own, a bundler goes on where the package is not installed. */
export function asItIs(error: unknown): never {
  throw error;
}

/** A package that the client needs itself and does not find is another fault. */
function isMissing(error: unknown): boolean {
  const { code, message } = (error ?? {}) as { readonly code?: unknown; readonly message?: unknown };
  return code === "ERR_MODULE_NOT_FOUND" && String(message).includes("'@modelcontextprotocol/client'");
}
