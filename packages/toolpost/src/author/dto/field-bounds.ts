// Checks of the options of fields: known, of the right kind, and such that some value keeps them.
// A misspelt bound must not vanish, so an unknown option is a mistake too.

import { showValue } from "../show-value.ts";
import type { PlanWork } from "./field-type.ts";

export function checkKnown(label: string, options: object, known: readonly string[], work: PlanWork): void {
  const all = ["prompt", "default", ...known];
  for (const key of Object.keys(options))
    if (!all.includes(key)) work.problem(`${label}: there is no option \`${key}\`: use one of ${all.join(", ")}`);
}

/** A length or number of items. */
export function checkCount<Key extends string>(
  label: string,
  options: { readonly [K in Key]?: unknown },
  key: Key,
  work: PlanWork,
): void {
  const value: unknown = options[key];
  if (value !== undefined && !(Number.isSafeInteger(value) && (value as number) >= 0))
    work.problem(`${label}: \`${key}\` is \`${showValue(value)}\`, expected a whole number from 0`);
}

/** Whether the first bound is not above the second; else it is told. `isStrict`: they must not be equal either. */
export function checkOrder<Key extends string>(
  label: string,
  options: { readonly [K in Key]?: unknown },
  [lower, upper, isStrict = false]: readonly [Key, Key, boolean?],
  work: PlanWork,
): boolean {
  const [from, to] = [options[lower], options[upper]] as [number | Date | undefined, number | Date | undefined];
  if (from === undefined || to === undefined || !(from > to || (isStrict && from >= to))) return true;
  work.problem(
    `${label}: no value fits \`${lower}\` ${showValue(from)} and \`${upper}\` ${showValue(to)}: change one of them`,
  );
  return false;
}
