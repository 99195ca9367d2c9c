// What an embedded engine is opened with: every option known, each of its kind.
// A misspelt lease or codec must not vanish, so unknown names are refused like wrong values. Nothing is opened here.

import { ToolpostError } from "../../core/errors.ts";
import type { Clock } from "../../std/clock.ts";
import { closestName } from "../../std/closest-name.ts";
import { isRecord } from "../../std/is-record.ts";
import { encodeJson } from "../../std/json.ts";
import { cutUtf8 } from "../../std/text.ts";
import type { Duration } from "../../std/units.ts";
import type { CommitHook } from "./group-commit.ts";
import type { Codec } from "./payloads.ts";

export interface SqliteOptions {
  /** How long a run stays with an instance that is no longer heard of; default 30 s. */
  readonly lease?: Duration;
  /** Every stored payload passes it, such as to be encrypted. */
  readonly codec?: Codec;
  /** Ended runs older than this are deleted; without it all are kept until `prune` is called. */
  readonly retention?: Duration;
  readonly clock?: Clock;
  /** How many runs are moved at once by this process; default as many as there are. */
  readonly maxRuns?: number;
}

/** For tests that end the process at a commit, or look at what is written. */
export interface WatchedOptions extends SqliteOptions {
  readonly onCommit?: CommitHook;
}

const duration = "a positive duration, such as `seconds(30)`";
const isDuration = (value: unknown): boolean =>
  isRecord(value) && value.kind === "duration" && Number.isFinite(value.ms) && (value.ms as number) > 0;
const has =
  (...methods: readonly string[]) =>
  (value: unknown): boolean =>
    isRecord(value) && methods.every((method) => typeof value[method] === "function");

const settings: Readonly<Record<keyof WatchedOptions, readonly [string, (value: unknown) => boolean]>> = {
  lease: [duration, isDuration],
  codec: ["an object with `encode` and `decode`", has("encode", "decode")],
  retention: [duration, isDuration],
  clock: ["a clock with `now` and `schedule`", has("now", "schedule")],
  maxRuns: ["a number of 1 or more", (value) => typeof value === "number" && value >= 1],
  onCommit: ["a function", (value) => typeof value === "function"],
};

/** Throws `engine.invalid`. */
export function checkSqliteOptions(path: unknown, options: unknown): void {
  if (typeof path !== "string" || path === "") throw invalid("`path`", "a file name or `:memory:`", path);
  if (!isRecord(options)) throw invalid("the options", "an object", options);
  for (const name in options) {
    const value = options[name];
    if (!Object.hasOwn(settings, name)) throw unknown(name);
    const [expected, isRight] = settings[name as keyof WatchedOptions];
    if (value !== undefined && !isRight(value)) throw invalid(`\`${name}\``, expected, value);
  }
}

function unknown(name: string): ToolpostError {
  const meant = closestName(name, Object.keys(settings));
  const mend = meant === undefined ? "remove it" : `did you mean \`${meant}\`?`;
  return new ToolpostError("engine.invalid", `an engine has no option \`${name}\`: ${mend}`);
}

function invalid(what: string, expected: string, value: unknown): ToolpostError {
  return new ToolpostError("engine.invalid", `${what} of an engine must be ${expected}, not \`${show(value)}\``);
}

function show(value: unknown): string {
  if (typeof value === "function") return "a function";
  if (typeof value !== "object" || value === null) return String(value);
  return cutUtf8(encodeJson(value), 200).text;
}
