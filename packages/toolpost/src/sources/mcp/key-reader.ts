// An object of a configuration, read key by key: whatever is wrong is noted with its path, and reading goes on.
// It must not show a value in what it notes: configuration holds secrets.

import { isRecord } from "../../std/is-record.ts";
import { type Duration, seconds } from "../../std/units.ts";

/** Milliseconds: the longest delay that timers know. */
export const longestMs = 2_147_483_647;

/** Reads the keys of one object; what is wrong with them goes to `problems`. A key set to nothing is absent. */
export class KeyReader {
  readonly #object: Readonly<Record<string, unknown>>;
  readonly #path: string;
  readonly #problems: string[];
  readonly #read = new Set<string>();

  constructor(object: Readonly<Record<string, unknown>>, path: string, problems: string[]) {
    this.#object = object;
    this.#path = path;
    this.#problems = problems;
  }

  has(key: string): boolean {
    return this.#take(key) !== undefined;
  }

  text(key: string): string | undefined {
    const value = this.#take(key);
    if (value === undefined || typeof value === "string") return value;
    return this.#wrong(key, "a string", value);
  }

  flag(key: string): boolean {
    const value = this.#take(key);
    if (value !== undefined && typeof value !== "boolean") this.#wrong(key, "true or false", value);
    return value === true;
  }

  seconds(key: string): Duration | undefined {
    const value = this.#take(key);
    if (value === undefined) return undefined;
    if (typeof value === "number" && value > 0 && value <= longestMs / 1_000) return seconds(value);
    return this.#wrong(key, "a number of seconds above 0 and up to 2,147,483 (24 days)", value);
  }

  texts(key: string): string[] | undefined {
    const value = this.#take(key);
    if (value === undefined) return undefined;
    if (!Array.isArray(value)) return this.#wrong(key, "a list of strings", value);
    for (const [index, item] of value.entries()) {
      if (typeof item !== "string") this.#wrong(`${key}[${index}]`, "a string", item);
    }
    return value;
  }

  textsByName(key: string): Record<string, string> {
    const value = this.#take(key);
    if (value === undefined) return {};
    if (!isRecord(value)) return this.#wrong(key, "an object", value) ?? {};
    for (const [name, item] of Object.entries(value)) {
      if (typeof item !== "string") this.#wrong(`${key}.${name}`, "a string", item);
    }
    return value as Record<string, string>;
  }

  /** A required text, or a list that begins with it. `what` says what it stands for. */
  words(key: string, what: string): string[] {
    const value = this.#take(key);
    if (value === undefined) {
      this.#problems.push(`${this.#path}: expected \`${key}\`, ${what}`);
      return [];
    }
    const words = Array.isArray(value) ? this.texts(key) : this.text(key);
    const list = typeof words === "string" ? [words] : (words ?? []);
    if (words !== undefined && (list[0] ?? "") === "")
      this.#problems.push(`${this.#path}.${key}: expected ${what}, got nothing`);
    return list;
  }

  /** A key nobody read is a misspelling, or says something elsewhere: `mends` has what to write instead. */
  refuseOthers(mends: Readonly<Record<string, string>>, harmless: ReadonlySet<string>): void {
    for (const key of Object.keys(this.#object)) {
      if (this.#read.has(key) || harmless.has(key)) continue;
      const mend = Object.hasOwn(mends, key) ? mends[key] : `known keys are ${[...this.#read].sort().join(", ")}`;
      this.#problems.push(`${this.#path}.${key}: not a known key; ${mend}`);
    }
  }

  #take(key: string): unknown {
    this.#read.add(key);
    return (Object.hasOwn(this.#object, key) ? this.#object[key] : undefined) ?? undefined;
  }

  #wrong(key: string, expected: string, value: unknown): undefined {
    this.#problems.push(`${this.#path}.${key}: expected ${expected}, got ${kindOf(value)}`);
  }
}

export function kindOf(value: unknown): string {
  if (value === null) return "null";
  if (Array.isArray(value)) return "an array";
  return typeof value === "object" ? "an object" : `a ${typeof value}`;
}
