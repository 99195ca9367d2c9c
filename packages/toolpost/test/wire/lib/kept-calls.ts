// A tool that keeps the keys of its calls, and what a request holds of calls and results in short.
import { z } from "zod";
import { defineTool } from "../../../src/author/define-tool.ts";
import type { AnyTool } from "../../../src/core/tool.ts";
import { callsIn, resultsIn } from "./check-request.ts";
import type { Group } from "./read-request.ts";

/** The keys under which the calls of a run went, in order. */
export function keeper(): { readonly tool: AnyTool; readonly keys: string[]; readonly ids: string[] } {
  const keys: string[] = [];
  const ids: string[] = [];
  const tool = defineTool({
    name: "search",
    description: "Searches",
    input: z.object({ q: z.string() }),
    execute: ({ q }, ctx) => {
      keys.push(ctx.idempotencyKey);
      ids.push(ctx.callId);
      return `found ${q}`;
    },
  });
  return { tool, keys, ids };
}

export function texts(group: Group | undefined): string[] {
  return resultsIn(group).map(({ text }) => text);
}

export function inputs(group: Group | undefined): unknown[] {
  return callsIn(group).map(({ input }) => (typeof input === "string" ? JSON.parse(input) : input));
}
