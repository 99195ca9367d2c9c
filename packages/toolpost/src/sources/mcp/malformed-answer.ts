// An answer that is none: a result of null, 5, "x" or a list, an error without a code. The client package drops what it
// cannot read, and whoever asked would wait for the timeout; with this in its place they hear of it at once.
// Source: JSON-RPC 2.0, section 5 (response object); MCP specification 2025-11-25, basic (responses).

import type { JSONRPCMessage } from "@modelcontextprotocol/client";
import { isRecord } from "../../std/is-record.ts";
import { kindOf } from "./key-reader.ts";

/** What stands in for the answer in `line`; `undefined` when that answers nothing. */
export function insteadOfMalformed(line: string): JSONRPCMessage | undefined {
  const answer = parsed(line);
  if (!isRecord(answer) || "method" in answer) return undefined;
  const { id, result, error } = answer;
  if (typeof id !== "number" && typeof id !== "string") return undefined;
  const fault =
    result === undefined || isRecord(result)
      ? `it sent an answer that is no JSON-RPC ${error === undefined ? "response" : "error"}`
      : `it answered with a result that is ${kindOf(result)}; the protocol wants an object`;
  return { jsonrpc: "2.0", id, error: { code: internalError, message: fault, data: mark } };
}

/** Whether an error's `data` is of such a stand-in. No server can send it: it is told by identity. */
export function isMalformedMark(data: unknown): boolean {
  return data === mark;
}

const mark = Object.freeze({});

const internalError = -32_603;

function parsed(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}
