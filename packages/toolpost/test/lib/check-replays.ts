// What holds of any run that is taken up again, from all of its journal and from each part of it.
import assert from "node:assert/strict";
import { failureOf } from "../../src/core/failure.ts";
import type { PartialRun } from "../../src/core/run-errors.ts";
import type { Json } from "../../src/std/json.ts";
import type { Attempted } from "./attempts.ts";
import { attempt } from "./attempts.ts";
import type { Entry } from "./list-kernel.ts";
import type { RandomRun } from "./random-run.ts";

interface Taken {
  readonly attempted: Attempted;
  readonly done: readonly string[];
}

/** One whole attempt, then one from each part of its journal. Gives how many entries that has. */
export async function checkReplays({ order, make }: RandomRun): Promise<number> {
  const take = async (journal: readonly Entry[]): Promise<Taken> => {
    const { process, done, moved } = make(journal.length);
    const attempted = await within(attempt(process, { journal, order, moved }));
    return { attempted, done };
  };
  const whole = await take([]);
  checkCalls(whole.attempted);
  const { journal } = whole.attempted;
  for (let length = journal.length; length > 0; length--) {
    const prefix = journal.slice(0, length);
    try {
      const again = await take(prefix);
      checkCalls(again.attempted);
      checkDone(again, prefix);
      checkTold(whole.attempted, again.attempted, length);
      if (length === journal.length) checkSame(whole.attempted, again);
    } catch (error) {
      const keys = journal.map(({ key }, index) => `${index === length ? "| " : ""}${key}`).join(" ");
      throw new Error(`from ${length} of ${journal.length}: ${keys}`, { cause: error });
    }
  }
  return journal.length;
}

/** No attempt takes longer, as nothing waits for the machine's clock. */
async function within<T>(work: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error("the attempt does not come to an end")), 10_000);
  });
  return Promise.race([work, late]).finally(() => clearTimeout(timer));
}

/** Every call that the model made has one result, in its place. */
function checkCalls(attempted: Attempted): void {
  const { calls, messages } = endOf(attempted);
  const made: string[] = [];
  const read: string[] = [];
  for (const { role, content } of messages) {
    if (role === "assistant") for (const part of content) if (part.type === "tool-call") made.push(part.toolCallId);
    if (role === "tool") for (const part of content) read.push(part.toolCallId);
  }
  assert.deepEqual(read, made, "each call has its result in the messages");
  assert.deepEqual(
    calls.map(({ callId }) => callId),
    made,
    "each call has one result",
  );
}

function endOf({ result, error }: Attempted): PartialRun {
  const partial = result ?? (error as { readonly partial?: PartialRun } | undefined)?.partial;
  assert.ok(partial, `the run comes to an end of its own: ${String(error)}`);
  return partial;
}

/** Nothing is done but in a step that ran, and no act that somebody else may have begun. */
function checkDone({ attempted, done }: Taken, prefix: readonly Entry[]): void {
  const known = new Set(prefix.map(({ key }) => key));
  const { ran, journal } = attempted;
  assert.deepEqual(
    ran.filter((key) => known.has(key)),
    [],
    "what the journal holds is done again",
  );
  const allowed = (key: RegExp): number => ran.filter((each) => key.test(each) && !known.has(`${each}:intent`)).length;
  for (const what of new Set(done)) {
    const [kind, of = ""] = what.split(" ");
    const count = done.filter((each) => each === what).length;
    const place = /^c(\d+)_(\d+)$/.exec(of);
    const branch = place === null ? "" : `call:${place[1]}:${place[2]}/`;
    const steps =
      kind === "tool"
        ? new RegExp(`^${branch}act\\d*$`)
        : kind === "policy"
          ? new RegExp(`^${branch}(decide|recheck\\d*)$`)
          : kind === "send"
            ? new RegExp(`^${askOf(of, journal)}:send$`)
            : new RegExp(`^${what}$`);
    assert.ok(count <= allowed(steps), `${what} is done ${count} times in ${allowed(steps)} steps`);
  }
}

function askOf(pauseId: string, journal: readonly Entry[]): string {
  const made = journal.find(
    ({ value }) => (value as { value?: { pauseId?: Json } } | null)?.value?.pauseId === pauseId,
  );
  return made?.key.replace(/:ask$/, "") ?? "nobody";
}

const once = ["tool-call-start", "tool-call-end", "step-start", "step-end", "run-start"];

/** What one attempt told until its end is not told by the one that goes on, and nothing is left out between them. */
function checkTold(whole: Attempted, again: Attempted, length: number): void {
  const before = toldOnce(whole, length);
  const later = toldOnce(again);
  assert.deepEqual(
    later.filter((what) => before.includes(what)),
    [],
    "what was told is told again",
  );
  assert.deepEqual(
    endOf(again)
      .calls.flatMap(({ callId }) => [`tool-call-start ${callId}`, `tool-call-end ${callId}`])
      .filter((what) => !before.includes(what) && !later.includes(what)),
    [],
    "what happens is told",
  );
}

function toldOnce({ events, told }: Attempted, until: number = Number.POSITIVE_INFINITY): string[] {
  const places = told.filter(({ what }) => !what.startsWith("hook "));
  const names = events.flatMap((event, index) => {
    if (!once.includes(event.type) || (places[index]?.at ?? 0) > until) return [];
    return [`${event.type} ${"callId" in event ? event.callId : "step" in event ? event.step : ""}`];
  });
  assert.deepEqual(names, [...new Set(names)], "told once");
  return names;
}

/** All of a journal gives the end that it was written by, and nothing is done or told. */
function checkSame(whole: Attempted, { attempted: again, done }: Taken): void {
  assert.deepEqual(
    again.journal.map(({ key }) => key),
    whole.journal.map(({ key }) => key),
  );
  assert.deepEqual([done, again.ran], [[], []]);
  assert.deepEqual(
    again.told.map(({ what }) => what),
    ["run-end"],
  );
  assert.deepEqual(again.log, []);
  assert.deepEqual(again.result, whole.result);
  assert.deepEqual(errorOf(again), errorOf(whole));
  if (whole.error !== undefined) assert.deepEqual(endOf(again), endOf(whole));
  assert.deepEqual(again.events.at(-1)?.type, "run-end");
}

function errorOf({ error }: Attempted): unknown {
  return error === undefined ? undefined : failureOf(error);
}
