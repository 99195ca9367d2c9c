// What authors of classes get wrong, each with the one message that says so, under both decorator systems.
import { z } from "zod";
import { Channel, Injectable, provide, Tool, token } from "../../../src/doors/decorators.ts";
import { AutoApproveChannel, awaitReply } from "../../../src/doors/index.ts";
import type { Mistake } from "../lib/mistake.ts";

abstract class Mailer {
  abstract send(text: string): void;
}
class PlainMailer extends Mailer {
  send() {}
}
class LoudMailer extends Mailer {
  send() {}
}
const PAGE_SIZE = token<number>("PAGE_SIZE");
const echo = { name: "echo", description: "Echoes", input: z.object({ text: z.string() }) } as const;

class MyTool {
  execute() {}
}

// @ts-expect-error the compiler sees it too
@Tool(echo)
class WithoutExecute {}

@Tool({ ...echo, deps: [Mailer, PAGE_SIZE] })
class Dependent {
  constructor(
    readonly mailer: Mailer,
    readonly size: number,
  ) {}
  execute() {}
}

// @ts-expect-error the compiler sees it too
@Tool({ ...echo, deps: [PAGE_SIZE] })
class WithoutDeps {
  constructor(
    readonly size: number,
    readonly mailer: Mailer,
  ) {}
  execute() {}
}

const imported: { later?: typeof PlainMailer } = {};

@Tool({ ...echo, deps: [imported.later as typeof PlainMailer] })
class ImportedInACircle {
  constructor(readonly mailer: PlainMailer) {}
  execute() {}
}

@Injectable({ deps: [Mailer] })
class Archive {
  constructor(readonly mailer: Mailer) {}
}
@Injectable({ deps: [Archive] })
class ArchivingMailer extends Mailer {
  constructor(readonly archive: Archive) {
    super();
  }
  send() {}
}
@Tool({ ...echo, deps: [Archive] })
class Archiving {
  constructor(readonly archive: Archive) {}
  execute() {}
}

// @ts-expect-error the compiler sees it too
@Tool({ ...echo, inject: ["input", "user"] })
class InjectsStranger {
  execute(_input: unknown, _user: unknown) {}
}

@Tool({ ...echo, inject: ["input", "input"] })
class InjectsTwice {
  execute(_input: unknown, _again: unknown) {}
}

@Tool({ ...echo, inject: ["state", "input"] })
class WantsState {
  execute(_state: unknown, _input: unknown) {}
}

// @ts-expect-error the compiler sees it too
@Tool({ ...echo, timeout: 10 })
class BareTimeout {
  execute() {}
}

// @ts-expect-error the compiler sees it too
@Tool({ ...echo, timeoutMs: 10 })
class StrangeSetting {
  execute() {}
}

@Tool({ ...echo, name: "say it" })
class StrangeName {
  execute() {}
}

class Support {}

class Undecorated {
  send() {
    return awaitReply();
  }
}

// @ts-expect-error the compiler sees it too
@Channel({ name: "silent", description: "Asks nobody" })
class Silent {}

@Channel({ name: " ", description: "Asks the desk" })
class Nameless extends Undecorated {}

@Channel({ name: "blank", description: "" })
class Blank extends Undecorated {}

// @ts-expect-error the compiler sees it too
@Channel({ name: "mail" })
class Undescribed extends Undecorated {}

@Channel({ name: "mail", description: "Asks by mail", deps: [Mailer] })
class Mailing extends Undecorated {
  constructor(readonly mailer: Mailer) {
    super();
  }
}

// @ts-expect-error the compiler sees it too
@Channel({ name: "mail", description: "Asks by mail" })
class MailingBlindly extends Undecorated {
  constructor(readonly mailer: Mailer) {
    super();
  }
}

@Channel({ name: "first", description: "Asks the desk" })
@Channel({ name: "second", description: "Asks the desk" })
class DecoratedTwice extends Undecorated {}

@Channel({ name: "desk", description: "Asks the desk" })
class Desk extends Undecorated {}
@Channel({ name: "desk", description: "Asks another desk" })
class OtherDesk extends Undecorated {}

class AlmostOwn extends AutoApproveChannel {}

export const mistakes: readonly Mistake[] = [
  { says: ['[tool.not-decorated] The class "MyTool" is not decorated with @Tool().'], options: { tools: [MyTool] } },
  {
    says: ['[tool.no-execute] The class "WithoutExecute" does not implement execute(input).'],
    options: { tools: [WithoutExecute] },
  },
  {
    says: [
      '[di.missing-implementation] parameter 1 of the constructor of "Dependent" is Mailer, and nothing provides it: add a class that extends it to `providers`, or decorate it with `@Injectable()` if it is to be constructed itself',
      '[di.missing-implementation] parameter 2 of the constructor of "Dependent" is PAGE_SIZE, and nothing provides it: add `provide(PAGE_SIZE, …)` to `providers`',
    ],
    options: { tools: [Dependent] },
  },
  {
    says: [
      '[di.ambiguous-implementation] parameter 1 of the constructor of "Dependent" is Mailer, and PlainMailer and LoudMailer provide it: choose one, `provide(Mailer, PlainMailer)`',
    ],
    options: { tools: [Dependent], providers: [PlainMailer, LoudMailer, provide(PAGE_SIZE, 3)] },
  },
  {
    says: [
      '[di.invalid-deps] "WithoutDeps": its constructor takes 2 parameters and `deps` names 1: name a dependency for each in `deps`, of `@Tool` or of `@Injectable` from toolpost/decorators',
    ],
    options: { tools: [WithoutDeps], providers: [provide(PAGE_SIZE, 3)] },
  },
  {
    says: [
      '[di.invalid-deps] parameter 1 of the constructor of "ImportedInACircle": `deps` has `undefined` there: the class is imported in a circle: write `() => TheClass`, or move one of the two to a file of its own',
    ],
    options: { tools: [ImportedInACircle] },
  },
  {
    says: [
      "[di.circular-dependency] Archive → ArchivingMailer → Archive: each needs the next to be constructed: take what two of them share into a class of its own",
    ],
    options: { tools: [Archiving], providers: [ArchivingMailer] },
  },
  {
    says: [
      '[tool.parameter-invalid] "InjectsStranger".execute: `inject` has `user`: use "input", "context" or "state"',
    ],
    options: { tools: [InjectsStranger] },
  },
  {
    says: ['[tool.parameter-invalid] "InjectsTwice".execute: `inject` has "input" twice: give it to one parameter'],
    options: { tools: [InjectsTwice] },
  },
  {
    says: [
      '[tool.no-state] "echo" of "WantsState" on the application: a parameter is @state(), and no workflow gives one: take it out, or use the tool in a workflow',
    ],
    options: { tools: [WantsState] },
  },
  {
    says: [
      '[tools.timeout-invalid] "echo" of "BareTimeout" on the application: timeout is `10`, expected a positive duration such as seconds(10), or "none"',
    ],
    options: { tools: [BareTimeout] },
  },
  {
    says: [
      '[tool.invalid-setting] "echo" of "StrangeSetting" on the application: there is no setting `timeoutMs`: remove it, and write timeout: milliseconds(…)',
    ],
    options: { tools: [StrangeSetting] },
  },
  {
    says: [
      '[tool.name-invalid] "say it" of "StrangeName" on the application: only letters, digits, `_` and `-` are allowed: name it "say_it"',
    ],
    options: { tools: [StrangeName] },
  },
  {
    says: [
      '[tool.not-decorated] an instance of the class "WantsState" is no tool: give the class itself, or `...toolsOf(instance)`',
    ],
    // @ts-expect-error the compiler sees it too
    options: { tools: [new WantsState()] },
  },
  {
    says: ['[agent.not-decorated] The class "Support" is not decorated with @Agent().'],
    options: { agents: [Support] },
  },
  {
    says: ["[di.invalid-deps] `providers[0]` is `undefined`: give a class, an instance, or `provide(…)`"],
    // A circular import leaves a hole like this.
    options: { providers: [imported.later as typeof PlainMailer] },
  },
  {
    says: ['[channel.not-decorated] The class "Undecorated" is not decorated with @Channel().'],
    options: { approvals: { channel: Undecorated } },
  },
  {
    says: ['[channel.not-decorated] The class "AlmostOwn" is not decorated with @Channel().'],
    options: { approvals: { channels: [AlmostOwn] } },
  },
  {
    says: ['[channel.no-send] The class "Silent" does not implement send(ask).'],
    // @ts-expect-error the compiler sees it too
    options: { approvals: { channel: Silent } },
  },
  {
    says: ['[channel.invalid] "Nameless": `name` is `" "`, expected the text by which tools name the channel'],
    options: { approvals: { channel: Nameless } },
  },
  {
    says: ['[channel.invalid] "Blank": `description` is `""`, expected a text that says who is asked'],
    options: { approvals: { channels: [Blank] } },
  },
  {
    says: ['[channel.invalid] "Undescribed": `description` is `undefined`, expected a text that says who is asked'],
    options: { approvals: { channels: [Undescribed] } },
  },
  {
    says: [
      '[di.missing-implementation] parameter 1 of the constructor of "Mailing" is Mailer, and nothing provides it: add a class that extends it to `providers`, or decorate it with `@Injectable()` if it is to be constructed itself',
    ],
    options: { approvals: { channel: Mailing, channels: [Mailing] } },
  },
  {
    says: [
      '[di.invalid-deps] "MailingBlindly": its constructor takes 1 parameter and says nothing of it: name a dependency for it in `deps`, of `@Channel` or of `@Injectable` from toolpost/decorators',
    ],
    options: { approvals: { channel: MailingBlindly } },
  },
  {
    says: [
      '[channel.invalid] "DecoratedTwice" is decorated with @Channel() 2 times: keep one, or make a class of each',
    ],
    options: { approvals: { channel: DecoratedTwice } },
  },
  {
    says: ['[channel.not-decorated] an instance of the class "Desk" is no channel: give the class itself'],
    // @ts-expect-error the compiler sees it too: its name is the decorator's
    options: { approvals: { channel: new Desk() } },
  },
  {
    says: ["[channel.invalid] two of `approvals.channels` are named `desk`: rename one of them"],
    options: { approvals: { channel: OtherDesk, channels: [Desk, OtherDesk, Desk, OtherDesk] } },
  },
  {
    says: ['[name.kind-suffix] "desk" on @Channel: name it "desk-channel"'],
    options: { names: "kebab-tool", approvals: { channel: Desk, channels: [AutoApproveChannel] } },
  },
  {
    says: [
      "[app.invalid] the application, `approvals`: `channel` is `an object with send`, expected a channel: an object with `name` and `send`, or a class decorated with @Channel()",
      "[app.invalid] the application, `approvals`: `channels` is `a list of 2`, expected a list of channels, each a channel: an object with `name` and `send`, or a class decorated with @Channel()",
    ],
    options: {
      approvals: {
        // @ts-expect-error the compiler sees it too
        channel: { send: awaitReply },
        channels: [AutoApproveChannel, (imported as { channel?: typeof AutoApproveChannel }).channel!],
      },
    },
  },
];
