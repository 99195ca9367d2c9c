// What a model is told about a tool, without an application around it.
// It must not apply aliases or dialects: that is the catalog's.

import type { AnyTool, ToolDefinition } from "../core/tool.ts";

/** Throws `ToolpostError` (`tool.schema-unusable`) where the input schema has no JSON Schema. */
export function toolDefinitionOf(tool: AnyTool): ToolDefinition {
  return { name: tool.name, description: tool.description, inputSchema: tool.inputSchema };
}
