// The history of a conversation over many runs.
// Types only. A store never changes a message and never drops one on its own.

import type { Message } from "./message.ts";

/**
 * Keeps messages per thread and owner. `append` is atomic and in order; two appends at once lose nothing; one that names
 * the run it is of is made once per thread, however often it is tried, and the later ones resolve and change nothing. An
 * append of no messages leaves no trace. A thread of another owner reads as empty and an append to it rejects
 * (`thread.foreign`). All methods reject when the store cannot be reached.
 *
 * A store that keeps summaries has both of the last two methods; one without them has its turns summarised anew for each
 * run. A turn is told by its place in the thread, from 0. The first summary kept of a turn stays; a thread that nobody wrote
 * to keeps none. Owners are told apart as for messages.
 */
export interface ThreadStore {
  read(thread: ThreadKey): Promise<readonly Message[]>;
  append(thread: ThreadKey, messages: readonly Message[], runId?: string): Promise<void>;
  summaries?(thread: ThreadKey): Promise<ReadonlyMap<number, string>>;
  keepSummary?(thread: ThreadKey, turn: number, text: string): Promise<void>;
}

export interface ThreadKey {
  readonly threadId: string;
  readonly ownerId: string | undefined;
}
