// What `testTool` infers from a tool. Never run.

import { z } from "zod";
import { defineTool } from "../author/define-tool.ts";
import type { ToolOutput } from "../core/result.ts";
import { ok } from "../core/result.ts";
import type { AnyTool } from "../core/tool.ts";
import { testTool } from "./test-tool.ts";

type Equal<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;
function is<_T extends true>(): void {}

const parts = {
  name: "t",
  description: "d",
  input: z.object({ n: z.string().transform(Number), limit: z.number().default(3) }),
} as const;

const schemed = testTool(
  defineTool({ ...parts, output: z.object({ s: z.number().transform(String) }), execute: async ({ n }) => ({ s: n }) }),
);
is<Equal<Parameters<typeof schemed>[0], { n: string; limit?: number | undefined }>>();
is<Equal<Awaited<ReturnType<typeof schemed>>["output"], { s: string }>>();
is<Equal<Awaited<ReturnType<typeof schemed.run>>["output"], { s: string }>>();
// @ts-expect-error as the model writes it, not as the handler gets it
void schemed({ n: 1 });

const free = testTool(defineTool({ ...parts, execute: ({ n }) => (n > 1 ? ok("many") : { n }) }));
is<Equal<Awaited<ReturnType<typeof free>>["output"], ToolOutput | { n: number }>>();

class Query {
  words!: string;
  since?: Date;
}
const ofClass = testTool(
  defineTool({ name: "t", description: "d", input: Query, output: Query, execute: (query) => query }),
);
is<
  Equal<Parameters<typeof ofClass>[0], { readonly words?: string | undefined; readonly since?: string | undefined }>
>();
is<Equal<Awaited<ReturnType<typeof ofClass>>["output"], Query>>();

declare const any: AnyTool;
const open = testTool(any);
is<Equal<Parameters<typeof open>[0], unknown>>();
is<Equal<Awaited<ReturnType<typeof open>>["output"], unknown>>();
