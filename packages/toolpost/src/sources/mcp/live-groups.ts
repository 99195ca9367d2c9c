// The process groups of servers that run now, so that none outlives this process: an uncaught exception and
// `process.exit()` wait for no `close()`. One listener in all, and only while there is a group.
// It must keep nothing alive, and must not end anything before the process itself ends.

const groups = new Set<number>();

/** From the start of the group's leader on. */
export function holdGroup(pid: number): void {
  if (groups.size === 0) process.once("exit", killAll);
  groups.add(pid);
}

/** Once nobody of the group is left: its number may be another one's then. */
export function releaseGroup(pid: number): void {
  if (groups.delete(pid) && groups.size === 0) process.off("exit", killAll);
}

/** A signal to the whole group; `0` asks only. False when nobody of it is left. */
export function signalGroup(pid: number, signal: NodeJS.Signals | 0): boolean {
  try {
    process.kill(-pid, signal);
    return true;
  } catch (error) {
    // Somebody is there who may not be told.
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}

function killAll(): void {
  for (const pid of groups) signalGroup(pid, "SIGKILL");
}
