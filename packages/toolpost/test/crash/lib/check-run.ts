// What must hold of the desk's run, wherever its process was killed. Each function gives what does not, in words.
// They read the effects, the journals as they lay there after the kill, and what is stored in the end.

import { isDeepStrictEqual } from "node:util";
import { atMostOnce } from "./desk.ts";
import type { NotedEffect } from "./effects.ts";
import { isAct } from "./effects.ts";
import type { Outcome } from "./outcome.ts";
import { readOutcome, withInterrupted } from "./outcome.ts";
import type { Scene } from "./scene.ts";

/** A process that was killed, what the journals held then, and the effects it had made. */
export interface Kill {
  readonly pid: number;
  readonly journals: ReadonlyMap<string, ReadonlySet<string>>;
  readonly effects: readonly NotedEffect[];
}

/** Told once at most, also of a process that was killed right after. */
const toldOnce = /^(run-start|run-end|step-start|tool-call-start|tool-call-end|approval-request)\b/;

export function faultsOf(effects: readonly NotedEffect[], kill: Kill | undefined): string[] {
  return [
    ...repeatedSteps(effects, kill),
    ...manyTimes(effects),
    ...manyKeys(effects),
    ...sharedKeys(effects),
    ...toldTwice(effects),
  ];
}

/** An effect whose step is in the journal never appears again; nor one of which it was told that it was over. */
function repeatedSteps(effects: readonly NotedEffect[], kill: Kill | undefined): string[] {
  if (kill === undefined) return [];
  const again = effects.filter((effect) => effect.pid !== kill.pid && isAct(effect));
  return again
    .filter((effect) => journalOf(effect, kill).has(effect.step ?? "") || wasTold(effect, kill))
    .map((effect) => `${nameOf(effect)} was made again, and its step was finished`);
}

/** Whether somebody heard of what comes after the effect: it was in the journal then, or should have been. */
function wasTold({ kind, name, run, step = "" }: NotedEffect, { effects }: Kill): boolean {
  const [callId] = name.split(" ");
  if (kind === "before-tool") return isTold(`tool-call-start ${callId}`, run, effects);
  if (kind === "tool-start" && step.endsWith("/act")) return isTold(`tool-call-end ${callId}`, run, effects);
  if (kind !== "model-start") return false;
  const ended = effects.filter((effect) => effect.kind === "event" && effect.name === name.replace(/^\w+/, "step-end"));
  return ended.some((effect) => effect.run.includes("/") === (run === "researcher"));
}

function isTold(event: string, run: string, effects: readonly NotedEffect[]): boolean {
  return effects.some((effect) => effect.kind === "event" && effect.name === event && effect.run === run);
}

function journalOf({ run }: NotedEffect, { journals }: Kill): ReadonlySet<string> {
  const found = journals.get(run);
  if (found !== undefined || run.startsWith("run_")) return found ?? new Set();
  // A model knows its agent alone, and there is one run of each.
  const isOf = (runId: string): boolean => runId.includes("/") === (run === "researcher");
  for (const [runId, journal] of journals) if (runId.startsWith("run_") && isOf(runId)) return journal;
  return new Set();
}

/** Twice where a crash came between; a tool that may not be run twice once. */
function manyTimes(effects: readonly NotedEffect[]): string[] {
  return groups(effects.filter(isAct), nameOf).flatMap(([name, { length, 0: first }]) => {
    const tool = first?.name.split(/[- ]/)[2] ?? "";
    const most = first?.kind === "tool-start" && atMostOnce.has(tool) ? 1 : 2;
    return length > most ? [`${name} was made ${length} times, ${most} at most`] : [];
  });
}

/** An effect that is made again has the key it had. */
function manyKeys(effects: readonly NotedEffect[]): string[] {
  return groups(effects.filter(isAct), nameOf).flatMap(([name, same]) => {
    const keys = new Set(same.map(({ key }) => key));
    return keys.size > 1 ? [`${name} was made under ${keys.size} keys: ${[...keys].join(", ")}`] : [];
  });
}

/** Two calls are never one to the world outside. */
function sharedKeys(effects: readonly NotedEffect[]): string[] {
  const starts = effects.filter(({ kind }) => kind === "tool-start");
  return groups(starts, ({ key }) => key).flatMap(([key, same]) => {
    const calls = new Set(same.map(({ run, name }) => `${run} ${name.split(" ")[0]}`));
    return calls.size > 1 ? [`${[...calls].join(" and ")} have one key: ${key}`] : [];
  });
}

function toldTwice(effects: readonly NotedEffect[]): string[] {
  const told = effects.filter(({ kind, name }) => kind === "hook" || (kind === "event" && toldOnce.test(name)));
  return groups(told, nameOf).flatMap(([name, { length }]) => (length > 1 ? [`${name} was told ${length} times`] : []));
}

/** What is stored is what an undisturbed run stores, but for calls that were interrupted and may not be run twice. */
export async function outcomeFaults(scene: Scene, expected: Outcome, kill: Kill | undefined): Promise<string[]> {
  const interrupted = kill === undefined ? new Set<string>() : interruptedCalls(kill);
  const outcome = await readOutcome(scene);
  const meant = withInterrupted(expected, interrupted);
  const faults: string[] = [];
  if (!isDeepStrictEqual(outcome, meant))
    faults.push(`came to\n${JSON.stringify(outcome, null, 1)}\nand not to\n${JSON.stringify(meant, null, 1)}`);
  return [...faults, ...(await pauseFaults(scene, interrupted)), ...threadFaults(outcome)];
}

/** Begun when the process was killed, and without an entry: nobody knows what came of them. */
export function interruptedCalls({ journals, effects }: Kill): ReadonlySet<string> {
  const found = [...journals].flatMap(([runId, journal]) =>
    [...journal]
      .filter((key) => key.endsWith("/act:intent") && !journal.has(key.replace(/:intent$/, "")))
      .map((key) => callIdOf(runId, key))
      .filter((callId) => !isTold(`tool-call-end ${callId}`, runId, effects)),
  );
  return new Set(found);
}

const placeOf: Readonly<Record<string, string>> = { "0:0": "charge", "2:0": "ship" };

function callIdOf(runId: string, key: string): string {
  const [, turn, position] = key.split(/[:/]/);
  const tool = runId.includes("/") ? "buy" : placeOf[`${turn}:${position}`];
  return `${turn}-${position}-${tool}`;
}

/** Each question was asked once, has one id, and was answered. */
async function pauseFaults({ app }: Scene, interrupted: ReadonlySet<string>): Promise<string[]> {
  const records = await app.approvals({ answered: true });
  const asked = records.map(({ value, state }) => `${value.tool} ${value.kind} ${state}`).sort();
  const meant = ["buy approval answered", "refund approval answered", "survey question answered"];
  if ([...interrupted].some((callId) => callId.endsWith("ship"))) meant.push("ship question answered");
  const ids = new Set(records.map(({ pauseId }) => pauseId));
  return [
    ...(isDeepStrictEqual(asked, meant.sort()) ? [] : [`asked: ${asked.join(", ")}; and not: ${meant.join(", ")}`]),
    ...(ids.size === records.length ? [] : ["two pauses have one id"]),
  ];
}

/** Every call of the thread has one result. */
function threadFaults({ thread }: Outcome): string[] {
  const idsOf = (type: string): string =>
    (thread as readonly { readonly content: readonly { readonly type: string; readonly toolCallId?: string }[] }[])
      .flatMap(({ content }) => content)
      .filter((part) => part.type === type)
      .map(({ toolCallId }) => toolCallId)
      .sort()
      .join(" ");
  const [calls, results] = [idsOf("tool-call"), idsOf("tool-result")];
  return calls === results ? [] : [`the thread has the calls ${calls}, and results of ${results}`];
}

/** A model knows its run by what it was asked. */
function nameOf({ kind, run, name, key }: NotedEffect): string {
  return `${kind} ${name} (${kind.startsWith("model") ? key : run})`;
}

function groups<T>(items: readonly T[], keyOf: (item: T) => string): [string, T[]][] {
  return [...Map.groupBy(items, keyOf)];
}
