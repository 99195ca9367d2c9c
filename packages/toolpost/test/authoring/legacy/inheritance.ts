// Class tools that share a parent.
import { z } from "zod";
import { context, input, Tool, toolsOf } from "../../../src/doors/decorators.ts";
import type { ToolContext } from "../../../src/doors/index.ts";

const text = z.object({ text: z.string() });

abstract class Shouting {
  abstract readonly mark: string;
  execute(@context() ctx: ToolContext, @input() given: { text: string }) {
    return `${given.text}${this.mark} ${ctx.callId}`;
  }
}

@Tool({ name: "shout", description: "Shouts", input: text })
export class Shout extends Shouting {
  readonly mark = "!";
}

@Tool({ name: "ask", description: "Asks", input: text })
export class Ask extends Shouting {
  readonly mark = "?";
  override execute(@context() ctx: ToolContext, @input() given: { text: string }) {
    return `asked: ${super.execute(ctx, given)}`;
  }
}

/** Not decorated itself: it is no tool, whatever its parent is. */
export class Undecorated extends Shout {}

class Reads {
  @Tool({ name: "read", description: "Reads", input: text })
  read({ text: given }: { text: string }) {
    return `parent ${given}`;
  }
}

export class ReadsAndWrites extends Reads {
  override read({ text: given }: { text: string }) {
    return `child ${given}`;
  }
  @Tool({ name: "write", description: "Writes", input: text })
  write({ text: given }: { text: string }) {
    return `wrote ${given}`;
  }
}

export const ofInstance = () => toolsOf(new ReadsAndWrites());
