// Reading a task without waiting where that is not needed.
// The same code runs over every run: over a durable one no outcome is there when a task is made, and all are waited for.

import type { Soon } from "../std/soon.ts";
import type { Task } from "./run.ts";

/** The task's value where it is there already, else what is to be awaited for it. */
export function outcomeOf<T>(task: Task<T>): Soon<T> {
  return task.direct === undefined ? task : task.direct.outcome;
}
