// The first instances of a DTO class show what its constructor does: initialisers, and fields that cannot be written.
// What only goes wrong later is a refusal of the value then, with its cause for the log.

import { showValue } from "../show-value.ts";
import { isTooDeep } from "../too-deep.ts";
import type { ClassPlan } from "./field-type.ts";

export type Instances = readonly [first: object | undefined, second: object | undefined];

/** Two instances, to see which initialisers give the same each time. None where a problem was told. */
export function constructTwice(plan: ClassPlan, problem: (message: string) => void): Instances {
  const first = construct(plan, problem);
  const second = first === undefined ? undefined : construct(plan, problem);
  if (first !== undefined && first === second) {
    problem(`the constructor of \`${plan.name}\` gives the same instance each time: calls would share it`);
    return [undefined, undefined];
  }
  return [first, second];
}

/** What an instance itself has for a field. */
export function own(instance: object | undefined, key: string): unknown {
  return instance !== undefined && Object.hasOwn(instance, key)
    ? (instance as Record<string, unknown>)[key]
    : undefined;
}

/** Why a value cannot be written into a field, if it cannot: tried with the value that is there. */
export function writeFault(instance: object | undefined, key: string): string | undefined {
  if (instance === undefined) return undefined;
  try {
    if (isAccessor(instance, key)) return "an accessor of its name stands in its place: rename one of them";
    (instance as Record<string, unknown>)[key] = own(instance, key);
    return undefined;
  } catch (error) {
    return `an instance does not take a value for it (${messageOf(error)}): do not freeze or lock it in the constructor`;
  }
}

export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

function construct({ type, name }: ClassPlan, problem: (message: string) => void): object | undefined {
  if (type.length > 0) {
    problem(`the constructor of \`${name}\` takes arguments: a DTO class is made without any`);
    return undefined;
  }
  try {
    const made = new type() as object;
    if (made instanceof type) return made;
    problem(`the constructor of \`${name}\` gives something else than an instance: let it return nothing`);
  } catch (error) {
    const message = isTooDeep(error) ? "it makes itself without end" : showValue(messageOf(error));
    problem(`the constructor of \`${name}\` throws: ${message}; a DTO class is made without arguments, and often`);
  }
  return undefined;
}

function isAccessor(instance: object, key: string): boolean {
  for (let each: object | null = instance; each !== null; each = Object.getPrototypeOf(each)) {
    const found = Object.getOwnPropertyDescriptor(each, key);
    if (found !== undefined) return found.get !== undefined || found.set !== undefined;
  }
  return false;
}
