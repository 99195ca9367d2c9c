// What a direct call is made with, as a toolkit takes it.
// Types, and the one name that no caller can write by mistake.

import type { Channel } from "../core/approval.ts";
import type { User } from "../core/context.ts";
import type { EventListener } from "../core/event.ts";

export interface DirectCallOptions {
  readonly user?: User;
  readonly tenant?: string;
  readonly data?: unknown;
  /** Aborting it cancels the call. */
  readonly signal?: AbortSignal;
  /** Makes the idempotency key stable over repeated attempts of the caller; default random. */
  readonly callId?: string;
  /** Asks for approval where neither the tool nor the toolkit has a channel. */
  readonly channel?: Channel;
  /** Called with every event of the call. */
  readonly onEvent?: EventListener;
}

export const sliceRunId: unique symbol = Symbol("the run of a call that has the id of others");

/** A call whose run is another one each time, though its id is not. */
export interface SliceOptions extends DirectCallOptions {
  readonly [sliceRunId]?: string | undefined;
}
