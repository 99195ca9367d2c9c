// What a run is started with, as an application takes it.
// Types only.

import type { UserContent } from "../agent/user-message.ts";
import type { User } from "../core/context.ts";
import type { LanguageModel, Model } from "../core/model.ts";
import type { Duration } from "../std/units.ts";

export interface RunOptions {
  /** Continues the conversation of that id; without one the run stands alone. */
  readonly threadId?: string;
  readonly user?: User;
  readonly tenant?: string;
  /** Data for tools and policies that the model never sees. */
  readonly data?: unknown;
  /** Aborting it cancels the run. */
  readonly signal?: AbortSignal;
  /** After this the run is cancelled. */
  readonly timeout?: Duration;
  /** In place of the agent's own. */
  readonly model?: string | LanguageModel | Model;
  /** Whether the model streams; default true. */
  readonly stream?: boolean;
  /**
   * Where an earlier run of the thread has not ended: wait for it (the default), refuse with `thread.busy`, or cancel it,
   * which declines what waits of it.
   */
  readonly onBusy?: "queue" | "reject" | "supersede";
}

export type RunInput = string | { readonly message: UserContent };
