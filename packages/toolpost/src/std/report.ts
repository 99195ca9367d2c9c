// What to do with an error that a callback threw where no caller is left to catch it.
// It must not be swallowed, and must not unwind the loop that calls the other callbacks.

/** Throws `error` on an empty stack, where the process's `uncaughtException` handling takes it. */
export function reportUncaught(error: unknown): void {
  queueMicrotask(() => {
    throw error;
  });
}
