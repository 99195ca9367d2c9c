// What the words of a run come to in a kernel's operations: a step is one, an act that happens at most once is two, a pause
// with an expiry up to three. Each is a generator that gives the operations it waits for and is told which one settled.
// It must read nothing but their values: anything else would differ on replay.

import { failureOf } from "../core/failure.ts";
import type { Kernel, Leaf, Op, PauseRequest, StepInfo } from "../core/run.ts";
import type { Clock } from "../std/clock.ts";
import type { Json } from "../std/json.ts";
import { toJson } from "../std/json.ts";
import type { Soon } from "../std/soon.ts";
import type { Operation, Outcome, Unit } from "./unit.ts";

/** The work of a step; `value` is what the journal is to hold. */
export type Perform = (step: StepInfo) => Soon<unknown>;

/** A step is all there is to it: its leaf's value is the outcome. */
export function stepLeaf(kernel: Kernel, unit: Unit, perform: Perform, isAnnounced = false): Leaf {
  const fn = (signal: AbortSignal): Promise<Json> => done(kernel, unit, perform, signal);
  return kernel.issue({ kind: "step", key: unit.key, fn, isAnnounced });
}

/** What work comes to. A throw is a value like any other: a journal holds it, and nobody tries again. */
async function done(kernel: Kernel, unit: Unit, perform: Perform, signal: AbortSignal): Promise<Json> {
  try {
    const value = await perform(new Step(kernel.runId, unit.key, signal));
    return { ok: true, value: value === undefined ? null : toJson(value) };
  } catch (error) {
    unit.thrown = { error };
    return { ok: false, error: failureOf(error) as never };
  }
}

class Step implements StepInfo {
  readonly #runId: string;
  readonly #key: string;
  readonly signal: AbortSignal;

  constructor(runId: string, key: string, signal: AbortSignal) {
    this.#runId = runId;
    this.#key = key;
    this.signal = signal;
  }

  get idempotencyKey(): string {
    return `${this.#runId}/${this.#key}`;
  }
}

/** A step at most once: who means to begin it is journaled first. */
export function* actOnce(kernel: Kernel, unit: Unit, perform: Perform, interrupted: () => Soon<unknown>): Operation {
  const intent = kernel.issue({ kind: "step", key: `${unit.key}:intent`, fn: async () => bootId });
  yield [intent];
  const act = `${kernel.place ?? ""}:${kernel.runId}/${unit.key}`;
  const once: Perform = (step) => {
    // Meant to start by another process, or begun by this one: what became of it nobody knows.
    if (intent.value !== bootId || begun.has(act)) return interrupted();
    begun.add(act);
    return perform(step);
  };
  const leaf = stepLeaf(kernel, unit, once, true);
  yield [leaf];
  begun.delete(act);
  return leaf.value as unknown as Outcome;
}

/** Tells this process from the one before a crash; a replay in the same process is none. */
const bootId: string = `${process.pid}-${Math.random().toString(36).slice(2)}`;
/** Acts that this process has begun and whose outcome no journal holds yet. */
const begun = new Set<string>();

/** A run has ended: whatever it had begun is nobody's any more, and its id may be another's. */
export function forgetActs({ place = "", runId }: Pick<Kernel, "place" | "runId">): void {
  if (begun.size === 0) return;
  for (const act of begun) if (act.startsWith(`${place}:${runId}/`)) begun.delete(act);
}

/** `waiting` holds the pause as long as nobody has its answer. */
export function* pause(kernel: Kernel, key: string, request: PauseRequest, waiting: Set<string>): Operation {
  const asked = kernel.issue({ kind: "pause", key, request });
  waiting.add(key);
  if (request.expiresAt === undefined) yield [asked];
  else {
    const expiry = kernel.issue({ kind: "timer", key: `${key}:expiry`, at: request.expiresAt });
    const first = yield [asked, expiry];
    if (first === expiry) {
      // One judge: whoever closes the pause first, a person or its expiry, has the word.
      yield [kernel.issue({ kind: "close", key: `${key}:close`, pause: key, answer: { type: "expired" } })];
      yield [asked];
    }
  }
  waiting.delete(key);
  return { ok: true, value: asked.value as Json };
}

/** Settles a pause, unless somebody was first. */
export function* settlePause(kernel: Kernel, op: Op & { readonly kind: "close" }): Operation {
  yield [kernel.issue(op)];
  return { ok: true, value: null };
}

/** What a run waits for that people bring about. */
export interface OpenWaits {
  readonly pauses: Iterable<string>;
  readonly children: Iterable<string>;
  readonly cancelsChildren: boolean;
}

/** Closes all of these pauses; where one was answered before, that stands. The same of what waits in children. */
export function* closePauses(kernel: Kernel, key: string, { pauses, children, cancelsChildren }: OpenWaits): Operation {
  let open = [
    ...Array.from(pauses, (pause) =>
      kernel.issue({ kind: "close", key: `${key}:${pause}`, pause, answer: { type: "closed" } }),
    ),
    ...Array.from(children, (child) =>
      kernel.issue({ kind: "close-child", key: `${key}:${child}`, child, isCancelled: cancelsChildren }),
    ),
  ];
  while (open.length > 0) {
    const closed = yield open;
    open = open.filter((leaf) => leaf !== closed);
  }
  return { ok: true, value: null };
}

/** `waiting` holds the child as long as it goes on. */
export function* child(kernel: Kernel, op: Op & { readonly kind: "child" }, waiting: Set<string>): Operation {
  const leaf = kernel.issue(op);
  waiting.add(op.key);
  yield [leaf];
  waiting.delete(op.key);
  return leaf.value as unknown as Outcome;
}

/** Until a moment; of a time from now the moment is journaled first, so that a replay waits for the same one. */
export function* sleep(
  kernel: Kernel,
  key: string,
  wait: { readonly ms: number } | { readonly at: number },
  clock: Clock,
): Operation {
  let at: number;
  if ("at" in wait) at = wait.at;
  else {
    const until = kernel.issue({ kind: "step", key: `${key}:until`, fn: async () => clock.now() + wait.ms });
    yield [until];
    at = until.value as number;
  }
  yield [kernel.issue({ kind: "timer", key, at })];
  return { ok: true, value: null };
}
