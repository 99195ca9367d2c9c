// The desk with functions.
import type { ToolContext } from "../../../src/doors/index.ts";
import { defineTool, ok, ToolError } from "../../../src/doors/index.ts";
import { milliseconds } from "../../../src/doors/units.ts";
import type { CreateDesk } from "../lib/desk.ts";
import { noteInput, nothing, refundInput, searchInput, searchOutput } from "../lib/desk.ts";

export const createDesk: CreateDesk = ({ issues, refunds }) => {
  const notes: string[] = [];
  return {
    style: "functions",
    contextTool: "who",
    tools: [
      defineTool({
        name: "search_issues",
        description: "Searches the issues",
        input: searchInput,
        output: searchOutput,
        tags: ["issues"],
        annotations: { readOnly: true },
        examples: [{ query: "login" }],
        async execute({ query, limit }) {
          return { titles: [...(await issues.search(query, limit))] };
        },
      }),
      defineTool({
        name: "refund",
        description: "Refunds an order",
        input: refundInput,
        annotations: { destructive: true, idempotent: true },
        policy: ({ input }) =>
          input.cents > 5_000 ? { verdict: "needs-approval", rejectionText: "The refund was declined." } : "allow",
        visibleWhen: ({ executed }) => executed.includes("search_issues"),
        endsRun: ({ input }) => input.cents === 1,
        timeout: milliseconds(50),
        execute({ orderId, cents }, ctx) {
          if (orderId === "none") throw new ToolError({ code: "NO_ORDER", status: 404, userMessage: "No such order." });
          refunds.push(`${ctx.idempotencyKey} ${orderId} ${cents}`);
          return `refunded ${cents}`;
        },
      }),
      defineTool({
        name: "add_note",
        description: "Adds a note",
        input: noteInput,
        execute({ text }) {
          notes.push(text);
          return ok("added", { count: notes.length });
        },
      }),
      defineTool({
        name: "read_notes",
        description: "Reads the notes",
        input: nothing,
        execute: () => notes,
      }),
      defineTool({
        name: "who",
        description: "Says who calls",
        input: noteInput,
        execute: ({ text }, ctx: ToolContext) => `${text}: ${ctx.user?.id} ${ctx.callId}`,
      }),
    ],
  };
};
