// Wire aliases: names that every provider takes for tools whose own name is not one, as sources bring them.
// An alias must depend on the names alone, never on their order, and a legal name is never changed.

import { isLegalName, longestName, sanitizeName } from "../core/name.ts";
import { shortHash } from "../std/id.ts";

/**
 * An alias for each illegal name, by name: sanitised where that is free, else with the hash of the name at its end.
 * `admin.tools/list` is `admin_tools_list`; `a b` beside `a_b` is `a_b_` and 8 hex digits; at most 64 characters.
 */
export function aliasesFor(names: Iterable<string>): ReadonlyMap<string, string> {
  const all = new Set(names);
  const taken = new Set([...all].filter(isLegalName));
  // Sorted, so that even a clash of hashes is settled the same way each time.
  const illegal = [...all].filter((name) => !taken.has(name)).sort();
  const wishes = new Map<string, number>();
  for (const name of illegal) wishes.set(sanitizeName(name), (wishes.get(sanitizeName(name)) ?? 0) + 1);
  const aliases = new Map<string, string>();
  for (const name of illegal) {
    const wish = sanitizeName(name);
    const isFree = isLegalName(wish) && !taken.has(wish) && wishes.get(wish) === 1;
    const alias = isFree ? wish : hashedName(wish, name, taken);
    taken.add(alias);
    aliases.set(name, alias);
  }
  return aliases;
}

/** `stem`, cut, with the hash of `identity`; legal and not in `taken`. */
export function hashedName(stem: string, identity: string, taken: ReadonlySet<string>): string {
  for (let attempt = 0; ; attempt++) {
    const hash = shortHash(attempt === 0 ? identity : `${identity} ${attempt}`);
    const name = `${stem.slice(0, longestName - hash.length - 1)}_${hash}`;
    if (!taken.has(name)) return name;
  }
}
