// Channels as classes, under both decorator systems: with what they are constructed, and what they are asked.
import { z } from "zod";
import { Channel, type ChannelHandler, Injectable, Tool } from "../../../src/doors/decorators.ts";
import { type Ask, awaitReply, decided } from "../../../src/doors/index.ts";

@Injectable()
export class Inbox {
  readonly asks: Ask[] = [];
}

@Channel({ name: "managers", description: "Asks the managers", deps: [Inbox] })
export class Managers implements ChannelHandler {
  static made = 0;
  constructor(private readonly inbox: Inbox) {
    Managers.made++;
  }
  send(ask: Ask) {
    this.inbox.asks.push(ask);
    return decided({ decision: "approve", comment: `${this.inbox.asks.length}` });
  }
}

@Channel({ name: "post", description: "Asks by letter" })
export class Post implements ChannelHandler {
  static made = 0;
  constructor() {
    Post.made++;
  }
  async send() {
    return awaitReply();
  }
}

@Channel({ name: "broken", description: "Cannot be constructed" })
export class Broken {
  constructor() {
    throw new Error("no key");
  }
  send() {
    return awaitReply();
  }
}

const input = z.object({});

@Tool({
  name: "leave",
  description: "Books leave",
  input,
  policy: "needs-approval",
  channel: "managers",
  deps: [Inbox],
})
export class Leave {
  constructor(private readonly inbox: Inbox) {}
  execute() {
    return `booked after ${this.inbox.asks.length}`;
  }
}

@Tool({ name: "letter", description: "Sends a letter", input, policy: "needs-approval", channel: "post" })
export class Letter {
  execute() {
    return "sent";
  }
}

@Tool({ name: "free", description: "Names no channel", input, policy: "needs-approval" })
export class Free {
  execute() {
    return "done";
  }
}
