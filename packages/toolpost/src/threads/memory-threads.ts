// Threads in the memory of one process: for scripts, tests and servers that may forget.
// It must not hand out anything through which a stored message could be changed.

import { ToolpostError } from "../core/errors.ts";
import type { Message } from "../core/message.ts";
import type { ThreadKey, ThreadStore } from "../core/thread.ts";

/**
 * A store that is gone with its process. The first append makes a thread and says whose it is; no owner at all is
 * an owner like any other. Stored messages are frozen copies.
 */
export function memoryThreads(): Required<ThreadStore> {
  const threads = new Map<string, StoredThread>();
  const readable = ({ threadId, ownerId }: ThreadKey): StoredThread | undefined => {
    const thread = threads.get(threadId);
    return thread !== undefined && thread.ownerId === ownerId ? thread : undefined;
  };
  return {
    async read(key) {
      return readable(key)?.messages.slice() ?? [];
    },

    async append(key, messages, runId) {
      // Copied before anything is stored, so that a message that cannot be copied stores none of its siblings.
      const copies = messages.map(frozenCopy);
      const thread = ownThread(threads.get(key.threadId), key);
      if (copies.length === 0 || (runId !== undefined && thread.runs.has(runId))) return;
      if (runId !== undefined) thread.runs.add(runId);
      for (const copy of copies) thread.messages.push(copy);
      threads.set(key.threadId, thread);
    },

    async summaries(key) {
      return new Map(readable(key)?.summaries);
    },

    async keepSummary(key, turn, text) {
      const { summaries } = ownThread(threads.get(key.threadId), key);
      if (!summaries.has(turn)) summaries.set(turn, text);
    },
  };
}

interface StoredThread {
  readonly ownerId: string | undefined;
  readonly messages: Message[];
  /** Whose messages it has. */
  readonly runs: Set<string>;
  readonly summaries: Map<number, string>;
}

function ownThread(found: StoredThread | undefined, { threadId, ownerId }: ThreadKey): StoredThread {
  if (found === undefined) return { ownerId, messages: [], runs: new Set(), summaries: new Map() };
  if (found.ownerId === ownerId) return found;
  throw new ToolpostError("thread.foreign", `thread \`${threadId}\` belongs to another owner`);
}

/** A deep copy of plain JSON data, frozen. Strings are shared, so an image costs nothing. */
function frozenCopy<T>(value: T): T {
  if (typeof value !== "object" || value === null) return value;
  const copy = Array.isArray(value) ? value.map(frozenCopy) : copyFields(value);
  return Object.freeze(copy) as T;
}

function copyFields(value: object): object {
  const copy: Record<string, unknown> = {};
  for (const [key, field] of Object.entries(value)) {
    // Setting it would change the copy's prototype.
    if (key !== "__proto__") copy[key] = frozenCopy(field);
  }
  return copy;
}
