// What to do with an error that a callback threw where no caller is left to catch it.
// It must not be swallowed, and must not unwind the loop that calls the other callbacks.

/** Throws `error` on an empty stack, where the process's `uncaughtException` handling takes it. */
export function reportUncaught(error: unknown): void {
  queueMicrotask(() => {
    throw error;
  });
}

/** Calls somebody else's listener: its throw is no matter of whoever calls it. */
export function tell(listener: () => void): void {
  try {
    listener();
  } catch (error) {
    reportUncaught(error);
  }
}
