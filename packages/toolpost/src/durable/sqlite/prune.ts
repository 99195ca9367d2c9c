// Deletes runs that have ended, with all below them and what only they kept beside the tables.
// A few hundred at a time: others want to write too.
// A cancelled run whose exchange is still to come into its thread is kept a day longer, for an instance that serves it.

import { isUnder, under } from "./statements.ts";
import type { Store } from "./store.ts";

const atOnce = 200;
const closingMs = 86_400_000;

/** Gives how many runs there were. */
export async function pruneRuns(store: Store, endedBefore: number): Promise<number> {
  const { db, commit, payloads } = store;
  const roots = db.prepare(
    `select id from runs where ended_at < ? and parent is null and owner is null
      and (closing = 0 or lane is null or ended_at < ?) order by ended_at limit ?`,
  );
  const below = db.prepare(`select number from runs where ${isUnder}`);
  const deletions = ["delete from entries where run = ?", "delete from pauses where run = ?"]
    .concat("delete from payload_uses where run = ?", "delete from runs where number = ?")
    .map((sql) => db.prepare(sql));
  let deleted = 0;
  for (;;) {
    const count = await commit.run("prune", () => {
      const numbers = roots
        .all(endedBefore, endedBefore - closingMs, atOnce)
        .flatMap(({ id }) => below.all(...under(String(id))));
      for (const { number } of numbers) for (const deletion of deletions) deletion.run(Number(number));
      return numbers.length;
    });
    if (count === 0) break;
    deleted += count;
  }
  if (deleted > 0) await commit.run("collect", () => payloads.collect());
  return deleted;
}
