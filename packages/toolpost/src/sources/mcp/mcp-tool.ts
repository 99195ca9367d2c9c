// One entry of a server's list of tools, as a `Tool`, or the reason why it cannot be one.
// A server says what it likes about itself: a hint that would loosen something counts only when the server is trusted.
// Source: MCP specification 2025-11-25, server/tools (tool, ToolAnnotations).

import { checkJsonSchema } from "../../author/validate-json-schema.ts";
import type { ToolContext } from "../../core/context.ts";
import type { JsonSchema } from "../../core/schema.ts";
import type { AnyTool, ToolAnnotations } from "../../core/tool.ts";
import { isRecord } from "../../std/is-record.ts";
import type { Duration } from "../../std/units.ts";

export interface McpToolOptions {
  /** The server's name, for a description where the tool has none. */
  readonly server: string;
  readonly trust: boolean;
  readonly timeout: Duration | undefined;
  call(tool: AnyTool, args: Readonly<Record<string, unknown>>, ctx: ToolContext | undefined): Promise<unknown>;
}

export type McpToolReading =
  | { readonly ok: true; readonly tool: AnyTool }
  | { readonly ok: false; readonly name: string; readonly reason: string };

/** Reads an entry. Never throws. */
export function readMcpTool(entry: unknown, options: McpToolOptions): McpToolReading {
  if (!isRecord(entry)) return { ok: false, name: "", reason: "it is not an object" };
  const name = typeof entry.name === "string" ? entry.name : "";
  if (name.trim() === "") return { ok: false, name, reason: "it has no name" };
  const reason = inputProblem(entry.inputSchema) ?? taskProblem(entry.execution);
  if (reason !== undefined) return { ok: false, name, reason };
  const tool: AnyTool = {
    name,
    description: descriptionOf(entry, name, options.server),
    inputSchema: entry.inputSchema as JsonSchema,
    ...(isUsable(entry.outputSchema) && { outputSchema: entry.outputSchema }),
    source: "mcp",
    annotations: annotationsOf(entry, options.trust),
    ...(options.timeout !== undefined && { timeout: options.timeout }),
    execute: (input: Readonly<Record<string, unknown>>, ctx?: ToolContext) => options.call(tool, input, ctx),
  };
  return { ok: true, tool };
}

/** Set aside here, since a call with such a schema would be refused whatever its arguments are. */
function inputProblem(schema: unknown): string | undefined {
  if (!isRecord(schema)) return "it has no input schema";
  if (schema.type !== "object") return 'its input schema has no root `type: "object"`';
  const problem = schemaProblem(schema);
  return problem === undefined ? undefined : `its input schema cannot be used: ${problem}`;
}

function schemaProblem(schema: JsonSchema): string | undefined {
  try {
    checkJsonSchema(schema);
    return undefined;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

/** Such a tool refuses a plain call. */
function taskProblem(execution: unknown): string | undefined {
  return isRecord(execution) && execution.taskSupport === "required" ? "it can only be called as a task" : undefined;
}

function descriptionOf(entry: Readonly<Record<string, unknown>>, name: string, server: string): string {
  if (typeof entry.description === "string" && entry.description.trim() !== "") return entry.description;
  return `${titleOf(entry) ?? name} (a tool of the MCP server ${server}, which does not describe it)`;
}

function titleOf({ title, annotations }: Readonly<Record<string, unknown>>): string | undefined {
  const titles = [title, isRecord(annotations) ? annotations.title : undefined];
  return titles.find((value): value is string => typeof value === "string" && value.trim() !== "");
}

function annotationsOf(entry: Readonly<Record<string, unknown>>, trust: boolean): ToolAnnotations {
  const hints = isRecord(entry.annotations) ? entry.annotations : {};
  const title = titleOf(entry);
  const read = {
    readOnly: hints.readOnlyHint,
    idempotent: hints.idempotentHint,
    destructive: hints.destructiveHint,
    openWorld: hints.openWorldHint,
  };
  const told = Object.entries(read).filter(
    ([key, value]) => typeof value === "boolean" && (trust || (tightening.has(key) && value)),
  );
  return { ...(title !== undefined && { title }), ...Object.fromEntries(told) };
}

/** Said to be true, these ask for more care, never for less. */
const tightening: ReadonlySet<string> = new Set(["destructive", "openWorld"]);

function isUsable(schema: unknown): schema is JsonSchema {
  return isRecord(schema) && schema.type === "object" && schemaProblem(schema) === undefined;
}
