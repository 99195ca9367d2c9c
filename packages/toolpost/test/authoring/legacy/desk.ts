// The desk with classes, under legacy decorators.
import type { z } from "zod";
import { context, Injectable, input, provide, Tool, type ToolHandler, token } from "../../../src/doors/decorators.ts";
import { ok, type ToolContext, ToolError } from "../../../src/doors/index.ts";
import { milliseconds } from "../../../src/doors/units.ts";
import type { CreateDesk, DeskWorld } from "../lib/desk.ts";
import { noteInput, nothing, refundInput, searchInput, searchOutput } from "../lib/desk.ts";

const REFUNDS = token<string[]>("REFUNDS");
const WORLD = token<DeskWorld>("WORLD");

abstract class IssuesApi {
  abstract search(query: string, limit: number): Promise<readonly string[]>;
}

@Injectable({ deps: [WORLD] })
class WorldIssues extends IssuesApi {
  constructor(private readonly world: DeskWorld) {
    super();
  }
  override search(query: string, limit: number) {
    return this.world.issues.search(query, limit);
  }
}

@Tool({
  name: "search_issues",
  description: "Searches the issues",
  input: searchInput,
  output: searchOutput,
  tags: ["issues"],
  annotations: { readOnly: true },
  examples: [{ query: "login" }],
  deps: [IssuesApi],
})
class SearchIssues implements ToolHandler<z.infer<typeof searchInput>, z.input<typeof searchOutput>> {
  constructor(private readonly issues: IssuesApi) {}
  async execute({ query, limit }: z.infer<typeof searchInput>) {
    return { titles: [...(await this.issues.search(query, limit))] };
  }
}

@Tool({
  name: "refund",
  description: "Refunds an order",
  input: refundInput,
  annotations: { destructive: true, idempotent: true },
  policy: ({ input }) =>
    input.cents > 5_000 ? { verdict: "needs-approval", rejectionText: "The refund was declined." } : "allow",
  visibleWhen: ({ executed }) => executed.includes("search_issues"),
  endsRun: ({ input }) => input.cents === 1,
  timeout: milliseconds(50),
  deps: [REFUNDS],
})
class Refund {
  constructor(private readonly refunds: string[]) {}
  execute({ orderId, cents }: z.infer<typeof refundInput>, ctx: ToolContext) {
    if (orderId === "none") throw new ToolError({ code: "NO_ORDER", status: 404, userMessage: "No such order." });
    this.refunds.push(`${ctx.idempotencyKey} ${orderId} ${cents}`);
    return `refunded ${cents}`;
  }
}

@Injectable()
class Notes {
  readonly #notes: string[] = [];

  @Tool({ name: "add_note", description: "Adds a note", input: noteInput })
  add({ text }: z.infer<typeof noteInput>) {
    this.#notes.push(text);
    return ok("added", { count: this.#notes.length });
  }

  @Tool({ name: "read_notes", description: "Reads the notes", input: nothing })
  read() {
    return this.#notes;
  }
}

@Tool({ name: "who", description: "Says who calls", input: noteInput })
class Who {
  execute(@context() ctx: ToolContext, @input() { text }: { text: string }) {
    return `${text}: ${ctx.user?.id} ${ctx.callId}`;
  }
}

export const createDesk: CreateDesk = (world) => ({
  style: "legacy classes",
  contextTool: "who",
  tools: [SearchIssues, Refund, Notes, Who],
  providers: [WorldIssues, provide(WORLD, world), provide(REFUNDS, world.refunds)],
});
