// The name somebody meant, for errors about unknown keys.
// It must not guess far: a wrong hint is worse than the list of known names.

/** The name that needs the fewest edits to become `name`, if that is at most half its length (or one). */
export function closestName(name: string, names: readonly string[]): string | undefined {
  let closest: string | undefined;
  let fewest = Math.max(1, Math.floor(name.length / 2)) + 1;
  for (const candidate of names) {
    const distance = editDistance(name.toLowerCase(), candidate.toLowerCase());
    if (distance < fewest) [closest, fewest] = [candidate, distance];
  }
  return closest;
}

/** Levenshtein's distance, one row at a time. */
function editDistance(from: string, to: string): number {
  let row = Array.from({ length: to.length + 1 }, (_, index) => index);
  for (let i = 1; i <= from.length; i++) {
    const next = [i];
    for (let j = 1; j <= to.length; j++) {
      const replaced = row[j - 1]! + (from[i - 1] === to[j - 1] ? 0 : 1);
      next.push(Math.min(replaced, row[j]! + 1, next[j - 1]! + 1));
    }
    row = next;
  }
  return row[to.length]!;
}
