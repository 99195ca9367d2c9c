// Closes what was opened, side by side.
// One that fails must not keep the others open; it is logged.

import type { LogEntry } from "../core/govern.ts";

/** Closes each, whatever the others do. Never rejects. */
export async function closeAll(
  closables: Iterable<{ close(): Promise<void> }>,
  log: (entry: LogEntry) => void,
): Promise<void> {
  await Promise.all(
    Array.from(closables, async (closable) => {
      try {
        await closable.close();
      } catch (error) {
        log({ level: "error", message: "something could not be closed; the others were", error });
      }
    }),
  );
}
