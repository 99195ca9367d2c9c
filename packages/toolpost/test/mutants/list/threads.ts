// Breaks of what a thread keeps, and for whom.
import type { Mutant } from "../lib/mutant.ts";

export const threads: readonly Mutant[] = [
  {
    guarantee: "a thread is read by its owner only",
    file: "src/threads/memory-threads.ts",
    find: "thread !== undefined && thread.ownerId === ownerId ?",
    replace: "thread !== undefined ?",
    test: "src/threads/memory-threads.test.ts",
  },
  {
    guarantee: "a thread is written by its owner only",
    file: "src/threads/memory-threads.ts",
    find: "if (found.ownerId === ownerId) return found;",
    replace: "return found;",
    test: "src/threads/memory-threads.test.ts",
  },
  {
    guarantee: "a stored message cannot be changed by who holds it",
    file: "src/threads/memory-threads.ts",
    find: "return Object.freeze(copy) as T;",
    replace: "return copy as T;",
    test: "src/threads/memory-threads.test.ts",
  },
];
