// What compiles and what does not, under both decorator systems. Compiled only, never run.
import { z } from "zod";
import {
  Agent,
  Channel,
  type ChannelHandler,
  ExecutionContext,
  Injectable,
  provide,
  SpendRecorder,
  Tool,
  type ToolHandler,
  token,
} from "../../../src/doors/decorators.ts";
import {
  type App,
  type Ask,
  AutoApproveChannel,
  awaitReply,
  createApp,
  ok,
  type ToolContext,
} from "../../../src/doors/index.ts";
import { mockOf, override, testTool } from "../../../src/doors/testing.ts";

class IssuesApi {
  search(query: string): string[] {
    return [query];
  }
}
abstract class Mailer {
  abstract send(text: string): void;
}
const LIMIT = token<number>("LIMIT");
const text = { name: "echo", description: "Echoes", input: z.object({ text: z.string() }) } as const;
const counted = { ...text, output: z.object({ count: z.number() }) } as const;
type Text = { text: string };

// @ts-expect-error a class without execute is no tool
@Tool(text)
export class WithoutExecute {
  run(): void {}
}

// @ts-expect-error `deps` says less than the constructor takes
@Tool(text)
export class WithoutDeps {
  constructor(readonly issues: IssuesApi) {}
  execute() {}
}

// @ts-expect-error `deps` has the dependencies in another order than the constructor
@Tool({ ...text, deps: [LIMIT, IssuesApi] })
export class SwappedDeps {
  constructor(
    readonly issues: IssuesApi,
    readonly limit: number,
  ) {}
  execute() {}
}

@Tool({ ...text, deps: [IssuesApi, Mailer, LIMIT, ExecutionContext, SpendRecorder] })
export class EveryKindOfDependency {
  constructor(
    readonly issues: IssuesApi,
    readonly mailer: Mailer,
    readonly limit: number,
    readonly call: ExecutionContext,
    readonly spend: SpendRecorder,
  ) {}
  execute() {}
}

// @ts-expect-error an abstract class cannot be constructed
@Injectable()
export abstract class AbstractInjectable {}

// @ts-expect-error what is injected must fit the constructor
@Injectable({ deps: [Mailer] })
export class WrongInjectable {
  constructor(readonly issues: IssuesApi) {}
}

@Tool(counted)
export class RightOutput {
  async execute() {
    return { count: 1 };
  }
}

@Tool(counted)
export class OutputInFull {
  execute() {
    return ok("one", { count: 1 });
  }
}

// @ts-expect-error the output is of another type than its schema
@Tool(counted)
export class WrongOutput {
  async execute() {
    return { count: "one" };
  }
}

// @ts-expect-error a number has no unit
@Tool({ ...text, timeout: 10 })
export class BareTimeout {
  execute() {}
}

// @ts-expect-error a tool has a description
@Tool({ name: "echo", input: text.input })
export class WithoutDescription {
  execute() {}
}

@Tool({ ...text, policy: ({ input }) => (input.text === "" ? "deny" : "allow") })
export class TypedPolicy implements ToolHandler<Text, string> {
  execute({ text: given }: Text) {
    return given;
  }
}

@Tool({ ...counted, endsRun: ({ input, output }) => input.text === "" && output.count > 1 })
export class TypedEnd implements ToolHandler<Text, { count: number }> {
  execute({ text: given }: Text) {
    return { count: given.length };
  }
}

export class WrongHandler implements ToolHandler<Text, string> {
  // @ts-expect-error the handler gets another input than it says
  execute({ words }: { words: string }) {
    return words;
  }
}

@Tool({ ...text, inject: ["context", "input"] })
export class Injected {
  execute(ctx: ToolContext, { text: given }: Text) {
    return `${ctx.callId} ${given}`;
  }
}

// @ts-expect-error the parameters are in another order than `inject`
@Tool({ ...text, inject: ["input", "context"] })
export class InjectedInAnotherOrder {
  execute(ctx: ToolContext, { text: given }: Text) {
    return `${ctx.callId} ${given}`;
  }
}

// @ts-expect-error there is nothing of that word to inject
@Tool({ ...text, inject: ["user"] })
export class InjectedStranger {
  execute(_user: unknown) {}
}

// @ts-expect-error no parameter takes the input
@Tool(text)
export class WrongInput {
  execute({ words }: { words: string }) {
    return words;
  }
}

// @ts-expect-error no parameter takes the input, though a handler for another one is implemented
@Tool(text)
export class WrongHandlerInput implements ToolHandler<{ words: string }, string> {
  execute({ words }: { words: string }) {
    return words;
  }
}

@Tool({ ...text, input: { type: "object" } })
export class RawInput {
  execute({ words }: { words: string }) {
    return words;
  }
}

export class Methods {
  // @ts-expect-error no parameter takes the input
  @Tool(text)
  wrongInput({ words }: { words: string }) {
    return words;
  }

  @Tool(text)
  echo({ text: given }: Text) {
    return given;
  }

  @Tool(counted)
  async count({ text: given }: Text) {
    return { count: given.length };
  }

  // @ts-expect-error the output is of another type than its schema
  @Tool(counted)
  wrong() {
    return "one";
  }
}

@Agent({ name: "support", description: "Helps", model: "openai:gpt-5.2", tools: [RightOutput, Methods, "echo"] })
export class Support {}

// @ts-expect-error an agent says its model
@Agent({ name: "support", description: "Helps", tools: [] })
export class WithoutModel {}

// @ts-expect-error a tool is a class, an object or a name
@Agent({ name: "support", description: "Helps", model: "openai:gpt-5.2", tools: [undefined] })
export class MissingTool {}

@Channel({ name: "mail", description: "Asks by mail", deps: [Mailer, LIMIT] })
export class MailChannel implements ChannelHandler {
  constructor(
    readonly mailer: Mailer,
    readonly limit: number,
  ) {}
  async send({ pauseId }: Ask) {
    this.mailer.send(pauseId);
    return awaitReply();
  }
}

// @ts-expect-error `send` gives what a channel may say
@Channel({ name: "mail", description: "Asks by mail" })
export class SendsWrong {
  send() {
    return "approve";
  }
}

// @ts-expect-error `deps` has the dependencies in another order than the constructor
@Channel({ name: "mail", description: "Asks by mail", deps: [LIMIT, Mailer] })
export class SwappedChannelDeps extends MailChannel {}

void createApp({ agents: [], approvals: { channel: MailChannel, channels: [MailChannel, AutoApproveChannel] } });
// @ts-expect-error a class that is no channel
void createApp({ agents: [], approvals: { channel: IssuesApi } });

const app: App = createApp({ agents: [Support], tools: [RightOutput], providers: [IssuesApi, provide(LIMIT, 3)] });
void app.run(Support, "go");
void app.tool(RightOutput).invoke({ text: "a" });
// @ts-expect-error a token stands for its own type only
provide(LIMIT, "three");
const UNIT = token<"C" | "F">("UNIT");
provide(UNIT, "C");
// @ts-expect-error a token of literals takes no other
provide(UNIT, "K");
// @ts-expect-error what stands for a class has its members
provide(IssuesApi, Mailer);
provide(IssuesApi, mockOf(IssuesApi, { search: () => [] }));
// @ts-expect-error a mock has members of the contract only
mockOf(IssuesApi, { find: () => [] });

export async function tested(): Promise<number> {
  const { output } = await testTool(RightOutput, { overrides: [override(IssuesApi, IssuesApi)] })({ text: "a" });
  // @ts-expect-error the output has the type that execute gives
  const wrong: string = output.count;
  return output.count + wrong.length;
}
