// Gives every call of a reply an id of its own, whatever the provider said: missing, repeated, or used before.
// Deterministic: the same reply at the same place gets the same ids, also after a crash.

import { shortHash } from "../std/id.ts";
import { wellFormed } from "../std/text.ts";

/** A call with the id that the provider gave it, if any. */
export interface GivenCall {
  readonly toolCallId?: string | undefined;
}

export interface CallPlace {
  readonly runId: string;
  /** The model turn, from 0. */
  readonly visit: number;
  /** Ids of earlier turns, also of earlier runs on the thread. */
  readonly usedIds: ReadonlySet<string>;
}

/**
 * One id per call, in order. An id given once and new is kept; repeated in this turn each gets its position
 * (`call_0:0`, `call_0:1`); used in an earlier turn it gets the turn (`call_0:v2`); a missing one is made of run,
 * turn and position. No made id meets one that the provider gave.
 */
export function assignCallIds(calls: readonly GivenCall[], place: CallPlace): string[] {
  const given: (string | undefined)[] = calls.map(legalId);
  if (areNew(given, place.usedIds)) return given;
  const counts = new Map<string, number>();
  for (const id of given) if (isGiven(id)) counts.set(id, (counts.get(id) ?? 0) + 1);
  const taken = new Set<string>();
  return given.map((id, position) => {
    const isFree = (candidate: string): boolean =>
      !taken.has(candidate) && !place.usedIds.has(candidate) && !counts.has(candidate);
    const final =
      isGiven(id) && counts.get(id) === 1 && !place.usedIds.has(id) ? id : madeId(id, position, counts, place, isFree);
    taken.add(final);
    return final;
  });
}

/** The usual case: every call has an id, none has it twice. */
function areNew(ids: readonly (string | undefined)[], used: ReadonlySet<string>): ids is string[] {
  for (let index = 0; index < ids.length; index++) {
    const id = ids[index];
    if (id === undefined || used.has(id)) return false;
  }
  return ids.length < 2 || new Set(ids).size === ids.length;
}

function legalId({ toolCallId }: GivenCall): string | undefined {
  return isGiven(toolCallId) ? wellFormed(toolCallId) : undefined;
}

function isGiven(id: string | undefined): id is string {
  return typeof id === "string" && id.trim() !== "";
}

function madeId(
  id: string | undefined,
  position: number,
  counts: ReadonlyMap<string, number>,
  place: CallPlace,
  isFree: (candidate: string) => boolean,
): string {
  let candidate: string;
  if (!isGiven(id)) candidate = `call_${shortHash(place.runId)}_${place.visit}_${position}`;
  else candidate = counts.get(id) === 1 ? `${id}:v${place.visit}` : `${id}:${position}`;
  if (isFree(candidate)) return candidate;
  const stem = isGiven(id) ? `${id}:v${place.visit}:${position}` : candidate;
  for (let round = 0; ; round++) {
    const next = round === 0 ? stem : `${stem}:${round}`;
    if (isFree(next)) return next;
  }
}
