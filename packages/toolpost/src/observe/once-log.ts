// What keeps failing is logged once: a listener that throws at every event must not fill the log.
// It must not keep what it was told about alive, nor grow with the life of the process.

import type { Log, LogEntry } from "../core/govern.ts";

/** Logs the first entry per key and drops later ones. Never throws. */
export type OnceLog = (key: object | string, entry: LogEntry) => void;

/** A log that takes one entry per key: an object for as long as it lives, a text among the last thousand texts. */
export function createOnceLog(log: Log): OnceLog {
  const objects = new WeakSet<object>();
  const texts = new Set<string>();
  return (key, entry) => {
    if (typeof key === "string" ? texts.has(key) : objects.has(key)) return;
    if (typeof key === "string") texts.add(key);
    else objects.add(key);
    if (texts.size > maxTexts) texts.delete(oldestOf(texts));
    try {
      log(entry);
    } catch {
      // The log failed at the one entry it was to take: there is nobody left to tell.
    }
  };
}

const maxTexts = 1_000;

function oldestOf(texts: ReadonlySet<string>): string {
  const [oldest = ""] = texts;
  return oldest;
}
