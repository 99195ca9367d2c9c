// What each style of authoring writes: the same desk, so that one suite can hold all three against each other.
import { z } from "zod";
import type { AppOptions } from "../../../src/doors/index.ts";

/** What the desk's tools work on, as the suite sees it. */
export interface DeskWorld {
  readonly issues: { search(query: string, limit: number): Promise<readonly string[]> };
  /** One line for each refund: the key, the order and the cents. */
  readonly refunds: string[];
}

export interface Desk extends Pick<AppOptions, "tools" | "providers"> {
  readonly style: string;
  /** Of `tools`, the one that gives back a word for each thing it was given. */
  readonly contextTool: string;
}

export type CreateDesk = (world: DeskWorld) => Desk;

export const searchInput = z.object({
  query: z.string().min(2).describe("words to search the issues for"),
  limit: z.number().int().default(3),
});
export const searchOutput = z.object({ titles: z.array(z.string()) });
export const refundInput = z.object({ orderId: z.string(), cents: z.number().int().positive() });
export const noteInput = z.object({ text: z.string() });
export const nothing = z.object({});

/** Names of all tools, in order. */
export const toolNames: readonly string[] = ["search_issues", "refund", "add_note", "read_notes", "who"];
