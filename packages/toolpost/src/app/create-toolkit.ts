// Tools of every kind under one governed path, without an agent:
// for code, for other frameworks, and for the command. What calls them is loaded when the first toolkit is made.

import type { Toolkit, ToolkitOptions } from "./toolkit.ts";

/**
 * Creates a toolkit: checks the tools, connects the sources. Throws `AssemblyError` with all problems at once; a
 * source that fails is isolated and shows in `status()`.
 * @example const toolkit = await createToolkit({ tools: [refundCard], mcp: "./mcp.json" });
 */
export async function createToolkit(options: ToolkitOptions): Promise<Toolkit> {
  const { openToolkit } = await import("./open-toolkit.ts");
  return openToolkit(options);
}
