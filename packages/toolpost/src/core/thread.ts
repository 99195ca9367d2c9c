// The history of a conversation over many runs.
// Types only. A store never changes a message and never drops one on its own.

import type { Message } from "./message.ts";

/**
 * Keeps messages per thread and owner. `append` is atomic and in order; two appends at once lose nothing; one that names
 * the run it is of is made once, however often it is tried. A thread of another owner reads as empty and an append to it
 * rejects. Both reject when the store cannot be reached.
 */
export interface ThreadStore {
  read(thread: ThreadKey): Promise<readonly Message[]>;
  append(thread: ThreadKey, messages: readonly Message[], runId?: string): Promise<void>;
}

export interface ThreadKey {
  readonly threadId: string;
  readonly ownerId: string | undefined;
}
