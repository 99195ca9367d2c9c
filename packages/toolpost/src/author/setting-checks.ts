// What is wrong with the settings of a tool: each of the kind its type says, though no compiler may have looked.
// It must not call any of them.

import { isEnvironmentName } from "../core/environment.ts";
import type { Problem } from "../core/errors.ts";
import { closestName } from "../std/closest-name.ts";
import { isRecord } from "../std/is-record.ts";
import { anatomyOf } from "./define-tool.ts";
import { showValue } from "./show-value.ts";

/** @param about the tool's name and place, with which messages begin */
export function settingProblems(tool: object, read: (key: string) => unknown, about: string): Problem[] {
  const problems: Problem[] = [];
  for (const [setting, { expected, code = "tool.invalid-setting", isRight }] of Object.entries(settings)) {
    const value = read(setting);
    if (value !== undefined && !isRight(value)) {
      problems.push({ code, message: `${about}: ${setting} is \`${showValue(value)}\`, expected ${expected}` });
    }
  }
  for (const key of Object.keys(anatomyOf(tool) ?? {})) {
    if (!known.has(key))
      problems.push({
        code: "tool.invalid-setting",
        message: `${about}: there is no setting \`${key}\`${mendOf(key)}`,
      });
  }
  return problems;
}

interface Setting {
  readonly expected: string;
  readonly code?: string;
  readonly isRight: (value: unknown) => boolean;
}

const isBoolean = (value: unknown): boolean => typeof value === "boolean";
const isFunction = (value: unknown): boolean => typeof value === "function";
const isText = (value: unknown): boolean => typeof value === "string" && value.trim() !== "";
/** An async function gives a promise, and that is neither shown nor awaited. */
const isSyncFunction = (value: unknown): boolean =>
  isFunction(value) && (value as object).constructor.name !== "AsyncFunction";

const settings: Readonly<Record<string, Setting>> = {
  timeout: {
    expected: 'a positive duration such as seconds(10), or "none"',
    code: "tools.timeout-invalid",
    isRight: (value) =>
      value === "none" ||
      (isRecord(value) && value.kind === "duration" && Number.isFinite(value.ms) && (value.ms as number) > 0),
  },
  maxResultSize: {
    expected: "a whole number of bytes from 1, such as kilobytes(64)",
    code: "tools.max-result-size-invalid",
    isRight: (value) =>
      isRecord(value) && value.kind === "size" && Number.isSafeInteger(value.bytes) && (value.bytes as number) >= 1,
  },
  tags: { expected: "a list of words", isRight: (value) => Array.isArray(value) && value.every(isText) },
  annotations: { expected: "an object of title, readOnly, destructive, idempotent, openWorld", isRight: isAnnotations },
  examples: {
    expected: "a list of inputs, each an object",
    isRight: (value) => Array.isArray(value) && value.every(isRecord),
  },
  strict: { expected: "true or false", isRight: isBoolean },
  exclusive: { expected: "true or false", isRight: isBoolean },
  policy: {
    expected: '"allow", "deny", "needs-approval", an object with such a `verdict`, or a function',
    isRight: isPolicy,
  },
  visibleWhen: { expected: "a function that gives a boolean, not a promise", isRight: isSyncFunction },
  endsRun: { expected: "true, false or a function", isRight: (value) => isBoolean(value) || isFunction(value) },
  toolErrors: {
    expected: '"mask", "observe" or "throw"',
    isRight: (value) => value === "mask" || value === "observe" || value === "throw",
  },
  onUnknown: {
    expected: '"ask", "tell-model" or "fail"',
    isRight: (value) => value === "ask" || value === "tell-model" || value === "fail",
  },
  channel: { expected: "the name of a channel", isRight: isText },
  environment: {
    expected: 'a list of names of environment variables, such as ["NOTES_FILE"]',
    isRight: (value) => Array.isArray(value) && value.every(isEnvironmentName),
  },
  validateInput: { expected: "a function", isRight: isFunction },
  validateOutput: { expected: "a function", isRight: isFunction },
};

const known: ReadonlySet<string> = new Set([
  ...Object.keys(settings),
  "name",
  "description",
  "input",
  "output",
  "execute",
]);

/** What was probably meant. */
const hints: Readonly<Record<string, string>> = {
  timeoutMs: ", and write timeout: milliseconds(…)",
  inputSchema: ", and give the schema as input",
  outputSchema: ", and give the schema as output",
  parameters: ", and give the schema as input",
};

function mendOf(key: string): string {
  if (Object.hasOwn(hints, key)) return `: remove it${hints[key]}`;
  const meant = closestName(key, [...known]);
  return meant === undefined ? ": remove it" : `: did you mean \`${meant}\`?`;
}

function isAnnotations(value: unknown): boolean {
  if (!isRecord(value)) return false;
  const flags = ["readOnly", "destructive", "idempotent", "openWorld"];
  return Object.entries(value).every(
    ([key, part]) =>
      part === undefined || (key === "title" ? typeof part === "string" : flags.includes(key) && isBoolean(part)),
  );
}

function isPolicy(value: unknown): boolean {
  const verdict = isRecord(value) ? value.verdict : value;
  return isFunction(value) || verdict === "allow" || verdict === "deny" || verdict === "needs-approval";
}
