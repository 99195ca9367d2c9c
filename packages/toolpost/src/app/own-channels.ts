// The channels that come with the package, which stand in `approvals` as objects and as classes.
// Each has its name from the package, so no rule of an application says how it must be named.

import { AutoApproveChannel } from "../approvals/auto-approve-channel.ts";
import { AutoRejectChannel } from "../approvals/auto-reject-channel.ts";
import { TerminalUserChannel } from "../approvals/terminal-user-channel.ts";
import type { AnyClass } from "../author/classes/class-notes.ts";
import type { Channel } from "../core/approval.ts";

const ownChannels: readonly AnyClass<Channel>[] = [AutoApproveChannel, AutoRejectChannel, TerminalUserChannel];

/** One of the classes themselves, which need nothing to be constructed and do nothing before they are asked. */
export function isOwnChannelClass(type: unknown): type is new () => Channel {
  return ownChannels.some((own) => own === type);
}

export function isOwnChannel(channel: Channel): boolean {
  return ownChannels.some((own) => channel instanceof own);
}
