// What authors get wrong in decorating parameters, which legacy decorators alone can.
import { z } from "zod";
import { context, input, Tool } from "../../../src/doors/decorators.ts";
import type { Mistake } from "../lib/mistake.ts";

const echo = { name: "echo", description: "Echoes", input: z.object({ text: z.string() }) } as const;

@Tool(echo)
class UndecoratedBesideDecorated {
  execute(@input() _input: unknown, _ctx: unknown) {}
}

@Tool(echo)
class DecoratedTwice {
  execute(@input() @context() _both: unknown) {}
}

@Tool(echo)
class TwoInputs {
  execute(@input() _first: unknown, @context() _ctx: unknown, @input() _second: unknown) {}
}

@Tool({ ...echo, inject: ["input"] })
class InjectAndDecorators {
  execute(@input() _input: unknown) {}
}

// @ts-expect-error the compiler sees that `deps` lacks it
@Tool(echo)
class DecoratedConstructor {
  constructor(@context() readonly ctx: unknown) {}
  execute() {}
}

export const mistakes: readonly Mistake[] = [
  {
    says: [
      '[tool.parameter-invalid] "UndecoratedBesideDecorated".execute: parameter 2 has no decorator beside decorated ones: give it @input(), @context() or @state(), or take it out',
    ],
    options: { tools: [UndecoratedBesideDecorated] },
  },
  {
    says: [
      '[tool.parameter-invalid] "DecoratedTwice".execute: parameter 1 has 2 decorators, @context() and @input(): keep one',
    ],
    options: { tools: [DecoratedTwice] },
  },
  {
    says: ['[tool.parameter-invalid] "TwoInputs".execute: parameter 3 is a second @input(): give it to one parameter'],
    options: { tools: [TwoInputs] },
  },
  {
    says: [
      '[tool.parameter-invalid] "InjectAndDecorators".execute: has both `inject` and decorated parameters: keep one of the two',
    ],
    options: { tools: [InjectAndDecorators] },
  },
  {
    says: [
      '[tool.parameter-invalid] parameter 1 of the constructor of "DecoratedConstructor" is @context(): only parameters of execute are given that; a constructor gets the current call by `deps: [ExecutionContext]`',
      '[di.invalid-deps] "DecoratedConstructor": its constructor takes 1 parameter and says nothing of it: name a dependency for it in `deps`, of `@Tool` or of `@Injectable` from toolpost/decorators',
    ],
    options: { tools: [DecoratedConstructor] },
  },
];
