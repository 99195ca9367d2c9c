// What compiles and what does not of decorated parameters, which legacy decorators alone know. Never run.
import { z } from "zod";
import { context, input, state, Tool } from "../../../src/doors/decorators.ts";
import type { ToolContext } from "../../../src/doors/index.ts";

const text = { name: "echo", description: "Echoes", input: z.object({ text: z.string() }) } as const;
const counted = { ...text, output: z.object({ count: z.number() }) } as const;
type Text = { text: string };

@Tool(text)
export class DecoratedParameters {
  execute(@state() review: { step: number }, @input() { text: given }: Text, @context() ctx: ToolContext) {
    return `${review.step} ${given} ${ctx.callId}`;
  }
}

@Tool(counted)
export class DecoratedParametersAndOutput {
  async execute(@context() _ctx: ToolContext, @input() { text: given }: Text) {
    return { count: given.length };
  }
}

// @ts-expect-error the output is of another type than its schema, whatever the order of the parameters
@Tool(counted)
export class DecoratedParametersWrongOutput {
  execute(@context() _ctx: ToolContext, @input() { text: given }: Text) {
    return given;
  }
}
