// What an MCP server answered to a call, as a tool's output: every block arrives as what it is.
// Nothing in it is followed or believed; a block that cannot be read is shown as JSON rather than lost.
// Source: MCP specification 2025-11-25, server/tools (tool result).

import { type ContentPart, type ToolOutput, toolOutput } from "../../core/result.ts";
import { isRecord } from "../../std/is-record.ts";
import { encodeJson } from "../../std/json.ts";
import type { McpAnswer } from "./mcp-connection.ts";

/**
 * The output of a call. `content` is one text as a string, anything more as parts in the server's order; without
 * blocks it is the structured content as JSON. `data` is the structured content, for code.
 */
export function callOutput(answer: McpAnswer): ToolOutput {
  if (answer.type === "error") return rpcError(answer);
  const result = (answer.result ?? {}) as McpResult;
  const isError = result.isError === true;
  const data = result.structuredContent;
  const content = contentOf(result) || (isError ? "The tool reported an error without saying more." : "");
  return toolOutput({ content, ...(isError && { isError }), ...(data !== undefined && { data }) });
}

interface McpResult {
  readonly content?: unknown;
  readonly structuredContent?: unknown;
  readonly isError?: unknown;
  /** Of servers of the first protocol version. */
  readonly toolResult?: unknown;
}

/** Most servers report bad arguments this way, so the model must be able to read it. */
function rpcError({ code, message, data }: McpAnswer & { type: "error" }): ToolOutput {
  const content = message === "" ? `The server refused the call with code ${code}.` : message;
  return toolOutput({ content, isError: true, data: { code, ...(data !== undefined && { data }) } });
}

function contentOf({ content, structuredContent, toolResult }: McpResult): string | ContentPart[] {
  const parts = Array.isArray(content) ? content.map(partOf) : [];
  if (parts.length === 0) {
    const bare = structuredContent ?? toolResult;
    return bare === undefined ? "" : encodeJson(bare);
  }
  const [first] = parts;
  return parts.length === 1 && first?.type === "text" ? first.text : parts;
}

function partOf(block: unknown): ContentPart {
  if (!isRecord(block)) return asJson(block);
  switch (block.type) {
    case "text":
      return typeof block.text === "string" ? text(block.text) : asJson(block);
    case "image":
    case "audio":
      return typeof block.data === "string" ? file(block.data, block.mimeType) : asJson(block);
    case "resource":
      return isRecord(block.resource) ? resourcePart(block.resource) : asJson(block);
    case "resource_link":
      return typeof block.uri === "string" ? text(linkText(block, block.uri)) : asJson(block);
    default:
      return asJson(block);
  }
}

/** A text goes under its address, since several may stand in one result. */
function resourcePart(resource: Readonly<Record<string, unknown>>): ContentPart {
  const uri = typeof resource.uri === "string" ? resource.uri : "";
  if (typeof resource.text === "string") return text(uri === "" ? resource.text : `Resource ${uri}:\n${resource.text}`);
  return typeof resource.blob === "string" ? file(resource.blob, resource.mimeType, uri) : asJson(resource);
}

function linkText(link: Readonly<Record<string, unknown>>, uri: string): string {
  const name = [link.title, link.name].find((value) => typeof value === "string" && value !== "");
  const kind = typeof link.mimeType === "string" ? ` (${link.mimeType})` : "";
  const about = typeof link.description === "string" && link.description !== "" ? `: ${link.description}` : "";
  return `Resource link ${uri}${kind}${name === undefined ? "" : ` ${name}`}${about}`;
}

function text(value: string): ContentPart {
  return { type: "text", text: value };
}

function file(base64: string, mimeType: unknown, uri = ""): ContentPart {
  const mediaType = typeof mimeType === "string" && mimeType !== "" ? mimeType : "application/octet-stream";
  const filename = uri.split(/[?#]/)[0]!.split("/").at(-1)!;
  return { type: "file", mediaType, data: { type: "data", data: base64 }, ...(filename !== "" && { filename }) };
}

function asJson(value: unknown): ContentPart {
  return text(encodeJson(value));
}
