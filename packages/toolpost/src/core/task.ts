// Reading a task without waiting where that is not needed.
// The same code runs over every run: over a durable one no task is settled when it is made, and all are waited for.

import type { Soon } from "../std/soon.ts";
import type { Task } from "./run.ts";

/** The task's value where it is there already, else the task, to be awaited. */
export function outcomeOf<T>(task: Task<T>): Soon<T> {
  return task.settled === undefined ? task : task.settled.value;
}
