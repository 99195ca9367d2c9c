// The door `toolpost/mcp`: MCP servers as tool sources.
// The MCP SDK itself is imported when a source first connects.

export type { McpConfig } from "../sources/mcp/mcp-config.ts";
export { readMcpConfig } from "../sources/mcp/mcp-config.ts";
export type { McpSourceOptions } from "../sources/mcp/mcp-source.ts";
export { mcpSource } from "../sources/mcp/mcp-source.ts";
export type { McpSourcesOptions } from "../sources/mcp/mcp-sources.ts";
export { mcpSources } from "../sources/mcp/mcp-sources.ts";
