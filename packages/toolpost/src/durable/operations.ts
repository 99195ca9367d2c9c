// What the words of a run come to in a kernel's operations: a step is one, an act that happens at most once is two, a pause
// with an expiry up to three. Each is a generator that gives the operations it waits for and is told which one settled.
// It must read nothing but their values: anything else would differ on replay.

import type { Kernel, Leaf, PauseRequest, StepInfo, StepOptions } from "../core/run.ts";
import type { Clock } from "../std/clock.ts";
import type { Json } from "../std/json.ts";
import { toJson } from "../std/json.ts";
import type { Soon } from "../std/soon.ts";

/** What came of a step or a branch, as a journal holds it. */
export type Outcome = { readonly ok: true; readonly value: Json } | { readonly ok: false; readonly error: string };

export type Operation = Generator<readonly Leaf[], Outcome, Leaf>;

/** What `work` comes to. A throw is a value like any other: a journal holds it, and nobody tries again. */
export async function outcomeOf(work: () => Soon<unknown>, onThrow?: (error: unknown) => void): Promise<Outcome> {
  try {
    return { ok: true, value: toJson((await work()) ?? null) };
  } catch (error) {
    onThrow?.(error);
    return { ok: false, error: textOf(error) };
  }
}

function textOf(error: unknown): string {
  try {
    return error instanceof Error ? error.message : String(error);
  } catch {
    return "an error that cannot be read";
  }
}

export function* step<T>(
  kernel: Kernel,
  key: string,
  fn: (step: StepInfo) => Soon<T>,
  { interrupted }: StepOptions<T>,
): Operation {
  const idempotencyKey = `${kernel.runId}/${key}`;
  let startedBy: Json = bootId;
  if (interrupted !== undefined) {
    const intent = kernel.issue({ kind: "step", key: `${key}:intent`, fn: async () => bootId });
    yield [intent];
    startedBy = intent.value ?? null;
  }
  const act = kernel.issue({
    kind: "step",
    key,
    fn: (signal) =>
      outcomeOf(() => {
        if (interrupted === undefined) return fn({ idempotencyKey, signal });
        // Meant to start by another process, or begun by this one: what became of it nobody knows.
        if (startedBy !== bootId || begun.has(idempotencyKey)) return interrupted();
        begun.add(idempotencyKey);
        return fn({ idempotencyKey, signal });
      }),
  });
  yield [act];
  begun.delete(idempotencyKey);
  return act.value as unknown as Outcome;
}

/** Tells this process from the one before a crash; a replay in the same process is none. */
const bootId: string = `${process.pid}-${Math.random().toString(36).slice(2)}`;
/** Acts that this process has begun and whose outcome no journal holds yet. */
const begun = new Set<string>();

export function* pause(kernel: Kernel, key: string, request: PauseRequest): Operation {
  const asked = kernel.issue({ kind: "pause", key, request });
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
  return { ok: true, value: asked.value as Json };
}

export function* child(kernel: Kernel, key: string, flow: string, input: Json): Operation {
  const leaf = kernel.issue({ kind: "child", key, flow, input });
  yield [leaf];
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
