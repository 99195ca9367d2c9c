// What a run or a direct call is started with: every option known, each of its kind.
// It is looked at for each run and each call, so it must cost next to nothing where all is well.

import type { Problem } from "../core/errors.ts";
import { ToolpostError } from "../core/errors.ts";
import { isRecord } from "../std/is-record.ts";
import type { Setting, Shape } from "./check-options.ts";
import { anything, channel, checkShape, duration, flag, func, text } from "./check-options.ts";

const shared: Shape = {
  user: { expected: "an object with `id`, a text", isRight: (user) => isRecord(user) && text.isRight(user.id) },
  tenant: text,
  data: anything,
  signal: { expected: "an AbortSignal", isRight: isSignal },
};

const runShape: Shape = {
  ...shared,
  threadId: text,
  timeout: duration,
  model: {
    expected: "a model, or a text such as `openai:gpt-5.2`",
    isRight: (model) => text.isRight(model) || isRecord(model),
  },
  stream: flag,
};

const callShape: Shape = { ...shared, callId: text, runId: text, channel, onEvent: func };

const byName = (shape: Shape): ReadonlyMap<string, Setting> => new Map(Object.entries(shape));
const runSettings = byName(runShape);
const callSettings = byName(callShape);

/** Why a run cannot be started with these options; `undefined` where it can. */
export function runOptionProblem(options: unknown): ToolpostError | undefined {
  return isFine(options, runSettings) ? undefined : problemOf(checkShape(options, runShape, "the run", code));
}

/** The same for a call made by code. */
export function callOptionProblem(options: unknown): ToolpostError | undefined {
  return isFine(options, callSettings) ? undefined : problemOf(checkShape(options, callShape, "the call", code));
}

const code = "run.invalid-input";

function isFine(options: unknown, settings: ReadonlyMap<string, Setting>): boolean {
  if (typeof options !== "object" || options === null) return false;
  for (const name in options) {
    const value = (options as Readonly<Record<string, unknown>>)[name];
    const setting = settings.get(name);
    if (setting === undefined || (value !== undefined && !setting.isRight(value))) return false;
  }
  return true;
}

function problemOf(problems: readonly Problem[]): ToolpostError | undefined {
  return problems.length === 0 ? undefined : new ToolpostError(code, problems.map(({ message }) => message).join("; "));
}

/** Of any realm or library: what is used of it is there. */
function isSignal(value: unknown): boolean {
  return (
    isRecord(value) &&
    typeof value.aborted === "boolean" &&
    typeof value.addEventListener === "function" &&
    typeof value.removeEventListener === "function"
  );
}
