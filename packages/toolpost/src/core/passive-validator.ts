// Which validators run no code of an author and leave every part of a value where it stands: what they are given may be held
// by others, such as the history of a run. Any other may change it, or carry a part of it to another place.
// It must not take a validator for one of them because nothing is known of it.

import type { Validate } from "./schema.ts";

const passive = new WeakSet<Validate>();
const inner = new WeakMap<Validate, () => Validate | undefined>();

export function markPassive(validate: Validate): void {
  passive.add(validate);
}

/** Says that `validate` does nothing of its own: it is what the validator behind it is, once that is made. */
export function markWrapper(validate: Validate, behind: () => Validate | undefined): void {
  inner.set(validate, behind);
}

export function isPassive(validate: Validate): boolean {
  if (passive.has(validate)) return true;
  const behind = inner.get(validate)?.();
  if (behind === undefined || !isPassive(behind)) return false;
  passive.add(validate);
  return true;
}
