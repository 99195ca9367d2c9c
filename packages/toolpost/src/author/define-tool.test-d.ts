// What `defineTool` infers and what it refuses to compile. Never run.

import { type } from "arktype";
import * as v from "valibot";
import { z } from "zod";
import type { ToolContext } from "../core/context.ts";
import type { ToolAsk, ToolOutput } from "../core/result.ts";
import { ask, ok } from "../core/result.ts";
import type { AnyTool, Tool } from "../core/tool.ts";
import { kilobytes, seconds } from "../std/units.ts";
import type { ToolInput, ToolOutputOf, ToolWire } from "./define-tool.ts";
import { defineTool } from "./define-tool.ts";

type Equal<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;
function is<_T extends true>(): void {}

const parts = { name: "t", description: "d" } as const;

// Input as written, as parsed, and the output.
const order = defineTool({
  ...parts,
  input: z.object({ id: z.string(), limit: z.number().default(3), since: z.date().optional() }),
  output: z.object({ status: z.enum(["open", "closed"]), count: z.string().transform(Number) }),
  tags: ["a"],
  annotations: { readOnly: true },
  examples: [{ id: "o-1" }],
  strict: true,
  policy: ({ input }) => {
    is<Equal<typeof input, { id: string; limit: number; since?: Date | undefined }>>();
    return input.limit > 5 ? { verdict: "needs-approval", rejectionText: "no" } : "allow";
  },
  visibleWhen: ({ step, executed }) => step > 0 && executed.includes("x"),
  endsRun: ({ input, output }) => {
    is<Equal<typeof output, { status: "open" | "closed"; count: number }>>();
    return output.status === "closed" && input.limit > 1;
  },
  timeout: seconds(3),
  maxResultSize: kilobytes(4),
  exclusive: true,
  toolErrors: "observe",
  channel: "ops",
  async execute({ id, limit, since }, ctx) {
    is<Equal<typeof since, Date | undefined>>();
    is<Equal<typeof ctx, ToolContext>>();
    ctx.signal.throwIfAborted();
    return { status: "open", count: id + limit };
  },
});
is<Equal<ToolWire<typeof order>, { id: string; limit?: number | undefined; since?: Date | undefined }>>();
is<Equal<ToolInput<typeof order>, { id: string; limit: number; since?: Date | undefined }>>();
is<Equal<ToolOutputOf<typeof order>, { status: "open" | "closed"; count: number }>>();

// With an output schema a ToolOutput or a ToolAsk may come instead, sync or not.
const either = defineTool({
  ...parts,
  input: v.object({ q: v.string() }),
  output: v.object({ n: v.number() }),
  execute: ({ q }) => (q === "" ? ok("nothing") : q === "?" ? ask({ question: "which?" }) : { n: q.length }),
});
is<Equal<ToolOutputOf<typeof either>, { n: number }>>();
defineTool({
  ...parts,
  input: z.object({}),
  output: z.object({ n: z.number() }),
  execute: async () => (Math.random() > 1 ? ok("x") : { n: 1 }),
});

// Without one, endsRun after execute sees what execute gives.
const free = defineTool({
  ...parts,
  input: type({ q: "string" }),
  execute: async ({ q }) => (q === "" ? ok("nothing") : { len: q.length }),
  endsRun: ({ output }) => {
    is<Equal<typeof output, { len: number }>>();
    return output.len > 3;
  },
});
is<Equal<ToolOutputOf<typeof free>, { len: number }>>();
is<Equal<ToolInput<typeof free>, { q: string }>>();

// Raw JSON Schema: the handler narrows by itself.
const raw = defineTool({
  ...parts,
  input: { type: "object", properties: {} },
  execute: (input) => {
    is<Equal<typeof input, unknown>>();
    return 1;
  },
});
is<Equal<ToolInput<typeof raw>, unknown>>();

const narrowed = defineTool({
  ...parts,
  input: { type: "object" },
  execute: ({ q }: { q: string }) => q.length,
});

// A direct call gives what execute returns.
const called = await order.execute({ id: "1", limit: 1 });
is<Equal<typeof called, ToolOutput | ToolAsk | { status: "open" | "closed"; count: string }>>();
void called;
const direct = await either.execute({ q: "" });
is<Equal<typeof direct, ToolOutput | ToolAsk | { n: number }>>();
void direct;

// A DTO class: instances in, and what it holds out.
class Order {
  id!: string;
  placed!: Date;
  total(): number {
    return 1;
  }
}
const ordered = defineTool({
  ...parts,
  input: Order,
  output: Order,
  examples: [{ id: "o-1", placed: "2026-01-01" }],
  policy: ({ input }) => (input.total() > 1 ? "deny" : "allow"),
  endsRun: ({ output }) => output.placed.valueOf() > 0,
  execute: (order, ctx) => {
    is<Equal<typeof order, Order>>();
    is<Equal<typeof ctx, ToolContext>>();
    return order.id === "" ? ok("none") : order;
  },
});
is<Equal<ToolInput<typeof ordered>, Order>>();
is<Equal<ToolOutputOf<typeof ordered>, Order>>();
is<Equal<ToolWire<typeof ordered>, { readonly id?: string | undefined; readonly placed?: string | undefined }>>();

// Collections hold them.
export const tools: readonly AnyTool[] = [order, either, free, raw, narrowed, ordered];
export const plain: Tool<{ a: string }> = {
  name: "p",
  description: "d",
  source: "custom",
  inputSchema: { type: "object" },
  execute: ({ a }) => a,
};
export const anyPlain: AnyTool = plain;

// @ts-expect-error no name
defineTool({ description: "d", input: z.object({}), execute: () => "x" });
// @ts-expect-error no description
defineTool({ name: "t", input: z.object({}), execute: () => "x" });
// @ts-expect-error no input
defineTool({ name: "t", description: "d", execute: () => "x" });
// @ts-expect-error no execute
defineTool({ name: "t", description: "d", input: z.object({}) });
// @ts-expect-error a bare number is no duration
defineTool({ ...parts, input: z.object({}), timeout: 10, execute: () => "x" });
// @ts-expect-error a bare number is no size
defineTool({ ...parts, input: z.object({}), maxResultSize: 10, execute: () => "x" });
// @ts-expect-error there is no timeoutMs
defineTool({ ...parts, input: z.object({}), timeoutMs: 10, execute: () => "x" });
const input = z.object({});
const flag = z.object({ ok: z.boolean() });
const count = z.object({ n: z.string().transform(Number) });
// @ts-expect-error wrong output
defineTool({ ...parts, input, output: flag, execute: () => ({ ok: "no" }) });
// @ts-expect-error wrong output in a promise
defineTool({ ...parts, input, output: flag, execute: async () => ({ ok: "no" }) });
// @ts-expect-error the parsed output is not what the handler gives
defineTool({ ...parts, input, output: count, execute: () => ({ n: 1 }) });
// @ts-expect-error what a handler gives is the class, not what is written for it
defineTool({ ...parts, input, output: Order, execute: () => ({ id: "1", placed: "2026-01-01", total: () => 1 }) });
// @ts-expect-error and nothing of it may lack
defineTool({ ...parts, input, output: Order, execute: () => ({ id: "1" }) });
// @ts-expect-error the example has another type
defineTool({ ...parts, input: Order, examples: [{ id: 1 }], execute: () => "x" });
// @ts-expect-error no such verdict
defineTool({ ...parts, input, policy: "maybe", execute: () => "x" });
// @ts-expect-error the example lacks a field
defineTool({ ...parts, input: z.object({ a: z.string() }), examples: [{}], execute: () => "x" });
// @ts-expect-error no such source
export const wrongSource: AnyTool = { ...parts, source: "plugin", inputSchema: {}, execute: () => "x" };
