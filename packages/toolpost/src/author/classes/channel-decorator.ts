// `@Channel`: a class with `send` as a channel that asks people. Under legacy and TC39 decorators alike.
// It only notes what it is given: channels are made of classes when an application is put together.

import type { Channel as NamedChannel } from "../../core/approval.ts";
import { noteOn, ownNote } from "./class-notes.ts";
import { noteDeps } from "./injectable.ts";
import type { Instances, NamedDependency } from "./token.ts";

const CHANNEL = Symbol.for("toolpost.channel");

/** Types `send` of a class whole: `class SlackApproval implements ChannelHandler`. Its name is the decorator's. */
export type ChannelHandler = Pick<NamedChannel, "send">;

export interface ChannelSettings<Deps extends readonly NamedDependency[]> {
  /** By which a tool's `channel` finds it; on the record of what it decides. */
  readonly name: string;
  /** Who is asked, and how. */
  readonly description: string;
  /** What the constructor is given, in order. */
  readonly deps?: Deps;
}

/**
 * A channel as a class, given to an application in `approvals`. It is constructed when it is first asked through, once per
 * application.
 * @example
 * \@Channel({ name: "slack", description: "Asks the managers in Slack", deps: [SlackClient] })
 * class SlackApproval implements ChannelHandler {
 *   constructor(private readonly slack: SlackClient) {}
 *   async send({ pauseId, value }: Ask) { await this.slack.post(pauseId, value); return awaitReply(); }
 * }
 */
export function Channel<const Deps extends readonly NamedDependency[] = []>(
  settings: ChannelSettings<Deps>,
): <C extends new (...args: Instances<Deps>) => ChannelHandler>(type: C, context?: ClassDecoratorContext) => void {
  return (type) => {
    noteDeps(type, settings.deps);
    noteOn<object[]>(type, CHANNEL, () => []).push(settings);
  };
}

/** The settings a class was decorated with; one, unless something is wrong. */
export function channelSettingsOf(type: object): readonly object[] {
  return ownNote<readonly object[]>(type, CHANNEL) ?? [];
}
