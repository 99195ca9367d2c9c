// What a worker does to the world outside of its run, each written down at once: what a crash leaves is on disk.
// Before and after each there is a point at which the worker may be told to kill itself.

import { appendFileSync, readFileSync } from "node:fs";
import type { WorkerOrder } from "./order.ts";

export type EffectKind =
  | "tool-start"
  | "tool-end"
  | "tool-signal"
  | "model-start"
  | "model-end"
  | "before-tool"
  | "send"
  | "step"
  | "hook"
  | "event"
  | "log";

export interface Effect {
  readonly kind: EffectKind;
  /** Tells it from the other effects of its kind and its run. */
  readonly name: string;
  /** By which the world outside knows the effect again. */
  readonly key: string;
  /** Of the run, or, where the effect knows only that, the name of its agent. */
  readonly run: string;
  /** The key of the journal's entry that, once it is there, says that the effect was made. */
  readonly step?: string;
}

export type NotedEffect = Effect & { readonly pid: number };

export class Effects {
  readonly #order: WorkerOrder;
  readonly #passed = new Map<string, number>();

  constructor(order: WorkerOrder) {
    this.#order = order;
  }

  note(effect: Effect): void {
    const what = `${effect.kind} ${effect.name}`;
    // What is only told of something lies right behind what it tells of.
    if (isAct(effect)) this.pass(`before ${what}`);
    appendFileSync(this.#order.effects, `${JSON.stringify({ ...effect, pid: process.pid })}\n`);
    if (effect.kind !== "log") this.pass(`after ${what}`);
  }

  /** The key of the point where a batch of writes stands is that of its first write, without the run's id. */
  readonly onCommit = (when: "before" | "after", keys: readonly string[]): void => {
    const named = keys.filter((key) => key !== "beat").map((key) => key.replace(/run_[\w-]+/, "run"));
    const points = named.map((key) => this.#counted(`${when} commit ${key}`));
    const [first] = points;
    if (first !== undefined) this.#write(first);
    for (const point of points) this.#dieAt(point);
  };

  pass(point: string): void {
    const counted = this.#counted(point);
    this.#write(counted);
    this.#dieAt(counted);
  }

  #counted(point: string): string {
    const count = (this.#passed.get(point) ?? 0) + 1;
    this.#passed.set(point, count);
    return count === 1 ? point : `${point} #${count}`;
  }

  #write(point: string): void {
    if (this.#order.points !== undefined) appendFileSync(this.#order.points, `${point}\n`);
  }

  #dieAt(point: string): void {
    if (point === this.#order.killAt) process.kill(process.pid, "SIGKILL");
  }
}

/** Whether the effect is one of a step, and not word of what happened. */
export function isAct({ step }: Effect): boolean {
  return step !== undefined;
}

export function readEffects(path: string): readonly NotedEffect[] {
  return linesOf(path).map((line) => JSON.parse(line) as NotedEffect);
}

export function linesOf(path: string): readonly string[] {
  try {
    return readFileSync(path, "utf8").split("\n").filter(Boolean);
  } catch {
    return [];
  }
}
