// Classes that learn of their call in every way there is, and agents as classes.
import { z } from "zod";
import { Agent, ExecutionContext, Injectable, SpendRecorder, Tool } from "../../../src/doors/decorators.ts";
import { currentContext, type ToolContext, ToolError } from "../../../src/doors/index.ts";
import { scriptedModel } from "../../../src/doors/testing.ts";
import { usd } from "../../../src/doors/units.ts";

@Injectable({ deps: [ExecutionContext] })
export class Ledger {
  static made = 0;
  constructor(private readonly call: ExecutionContext) {
    Ledger.made++;
  }
  key(): string {
    return `${this.call.callId} ${this.call.user?.id} ${this.call.idempotencyKey}`;
  }
}

/** Reads its call by parameter, injection and function, before and after it waited; all must agree. */
@Tool({ name: "where", description: "Says whose call it is", input: z.object({ hops: z.number() }), deps: [Ledger] })
export class Where {
  static made = 0;
  constructor(private readonly ledger: Ledger) {
    Where.made++;
  }
  async execute({ hops }: { hops: number }, ctx: ToolContext) {
    const seen = new Set<string>();
    for (let hop = 0; hop <= hops; hop++) {
      seen.add(`${ctx.callId} ${ctx.user?.id} ${ctx.idempotencyKey}`);
      seen.add(this.ledger.key());
      const { callId, user, idempotencyKey } = currentContext();
      seen.add(`${callId} ${user?.id} ${idempotencyKey}`);
      await (hop % 2 === 0 ? Promise.resolve() : new Promise(setImmediate));
    }
    return [...seen].join(" | ");
  }
}

@Tool({
  name: "pay",
  description: "Pays",
  input: z.object({ fail: z.boolean().default(false) }),
  deps: [SpendRecorder],
})
export class Pay {
  constructor(private readonly spend: SpendRecorder) {}
  execute({ fail }: { fail: boolean }) {
    this.spend.record({ service: "maps-api", cost: usd(0.3) });
    if (fail) throw new ToolError({ code: "NO_ROUTE", userMessage: "There is no route." });
    return "paid";
  }
}

@Injectable()
export class Closing {
  static log: string[] = [];
  [Symbol.dispose]() {
    Closing.log.push("closed");
  }
}

@Tool({ name: "use", description: "Uses what is closed later", input: z.object({}), deps: [Closing] })
export class Use {
  constructor(readonly closing: Closing) {}
  execute() {
    return "used";
  }
}

/** Started by the first call that needs it, and of no call. */
@Injectable({ deps: [ExecutionContext] })
export class Poller {
  static readonly seen: string[] = [];
  constructor(private readonly call: ExecutionContext) {
    setImmediate(() => Poller.seen.push(this.look()));
  }
  look(): string {
    try {
      return this.call.callId;
    } catch (error) {
      return (error as { code: string }).code;
    }
  }
}

@Tool({ name: "poll", description: "Polls", input: z.object({}), deps: [Poller] })
export class Poll {
  constructor(private readonly poller: Poller) {}
  async execute() {
    await new Promise(setImmediate);
    return this.poller.look();
  }
}

@Tool({ name: "eager", description: "Reads its call too early", input: z.object({}), deps: [ExecutionContext] })
export class Eager {
  readonly callId: string;
  constructor(call: ExecutionContext) {
    this.callId = call.callId;
  }
  execute() {
    return this.callId;
  }
}

@Tool({ name: "broken", description: "Cannot be constructed", input: z.object({}) })
export class Broken {
  constructor() {
    throw new Error("no key");
  }
  execute() {
    return "never";
  }
}

@Agent({ name: "broken", description: "Breaks", model: scriptedModel(() => "Hello."), tools: [Broken] })
export class BrokenAgent {}
