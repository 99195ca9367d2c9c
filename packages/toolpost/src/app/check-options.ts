// The shape of what applications, toolkits and agents are made from: every setting known, each of its kind.
// A misspelt guard must not vanish, so unknown names are problems too. Nothing is called or read here.

import type { Problem } from "../core/errors.ts";
import { isLegalName } from "../core/name.ts";
import { closestName } from "../std/closest-name.ts";
import { isRecord } from "../std/is-record.ts";

/** One setting: what it must be, in words, and how to tell. */
export interface Setting {
  readonly expected: string;
  readonly isRight: (value: unknown) => boolean;
}

export type Shape = Readonly<Record<string, Setting>>;

/** Problems of an object's settings; those that are `undefined` count as left out. */
export function checkShape(value: unknown, shape: Shape, place: string, code: string): Problem[] {
  if (!isRecord(value)) return [{ code, message: `${place} is \`${show(value)}\`, expected an object` }];
  return Object.entries(value).flatMap(([name, given]): Problem[] => {
    const setting = Object.hasOwn(shape, name) ? shape[name] : undefined;
    if (setting === undefined) {
      const meant = closestName(name, Object.keys(shape));
      const mend = meant === undefined ? "remove it" : `did you mean \`${meant}\`?`;
      return [{ code, message: `${place}: there is no setting \`${name}\`: ${mend}` }];
    }
    if (given === undefined || setting.isRight(given)) return [];
    return [{ code, message: `${place}: \`${name}\` is \`${show(given)}\`, expected ${setting.expected}` }];
  });
}

/** Of at least so many milliseconds. */
export function isRightDuration(value: unknown, least: number): boolean {
  return isRecord(value) && value.kind === "duration" && Number.isFinite(value.ms) && (value.ms as number) >= least;
}

const isFunction = (value: unknown): boolean => typeof value === "function";
const isText = (value: unknown): boolean => typeof value === "string" && value.trim() !== "";
const isListOf =
  (isRight: (value: unknown) => boolean) =>
  (value: unknown): boolean =>
    Array.isArray(value) && value.every(isRight);
const has =
  (...methods: readonly string[]) =>
  (value: unknown): boolean =>
    isRecord(value) && methods.every((method) => isFunction(value[method]));
const isWhole = (value: unknown): boolean => Number.isInteger(value) && (value as number) >= 1;
const isDuration = (value: unknown): boolean => isRightDuration(value, Number.MIN_VALUE);
const isMoney = (value: unknown): boolean =>
  isRecord(value) && value.kind === "money" && Number.isFinite(value.usd) && (value.usd as number) >= 0;

export const anything: Setting = { expected: "anything", isRight: () => true };
const record: Setting = { expected: "an object", isRight: isRecord };
const whole: Setting = { expected: "a whole number from 1", isRight: isWhole };
const wholeOrNone: Setting = {
  expected: "a whole number from 0",
  isRight: (value) => Number.isSafeInteger(value) && (value as number) >= 0,
};
const texts: Setting = { expected: "a list of texts", isRight: isListOf(isText) };
const functions: Setting = { expected: "a list of functions", isRight: isListOf(isFunction) };
export const text: Setting = { expected: "a text", isRight: isText };
export const flag: Setting = { expected: "true or false", isRight: (value) => typeof value === "boolean" };
export const func: Setting = { expected: "a function", isRight: isFunction };
export const duration: Setting = { expected: "a positive duration such as seconds(30)", isRight: isDuration };
const isChannel = (value: unknown): boolean => has("send")(value) && isRecord(value) && isText(value.name);
export const channel: Setting = { expected: "a channel: an object with `name` and `send`", isRight: isChannel };
const channelOrClass = "a channel: an object with `name` and `send`, or a class decorated with @Channel()";

export const budgetShape: Shape = {
  money: { expected: "an amount such as usd(0.20)", isRight: isMoney },
  tokens: whole,
  calls: whole,
  time: { expected: "a positive duration such as minutes(2)", isRight: isDuration },
};

/** Of an agent. */
export const floorShape: Shape = { names: texts, tags: texts };

/** Of an agent. */
export const historyShape: Shape = {
  turns: { expected: "a whole number from 1", isRight: (value) => Number.isSafeInteger(value) && isWhole(value) },
  summaries: wholeOrNone,
  summarise: func,
};

/** Of applications and toolkits, with classes in the form of all channels. */
export const approvalsShape: Shape = {
  ...floorShape,
  channel: { expected: channelOrClass, isRight: isChannel },
  channels: { expected: `a list of channels, each ${channelOrClass}`, isRight: isListOf(isChannel) },
  expireAfter: { expected: "a positive duration such as hours(8)", isRight: isDuration },
};

export const maskShape: Shape = {
  secrets: flag,
  pii: texts,
  redactors: functions,
};

export const toolDefaultsShape: Shape = {
  timeout: anything,
  maxResultSize: anything,
  maxToolCalls: anything,
  maxConcurrency: anything,
  toolErrors: { expected: '"mask", "observe" or "throw"', isRight: isToolErrors },
};

/** Of applications and toolkits alike; `tools`, `agents` and names in them are checked more closely elsewhere. */
export const governanceShape: Shape = {
  name: {
    expected: "1 to 64 letters, digits, `_` or `-`",
    isRight: (value) => typeof value === "string" && isLegalName(value),
  },
  tools: { expected: "a list of tools", isRight: Array.isArray },
  mcp: { expected: "a path or an object", isRight: (value) => isText(value) || isRecord(value) },
  providers: { expected: "a list of classes, instances and `provide(…)`", isRight: Array.isArray },
  sources: { expected: "a list of sources", isRight: isListOf(has("list", "status", "close")) },
  approvals: record,
  rules: functions,
  hooks: { expected: "a list of objects with hooks", isRight: isListOf(isRecord) },
  mask: record,
  defaults: {
    expected: "an object with `tools`",
    isRight: (value) =>
      isRecord(value) &&
      Object.keys(value).every((key) => key === "tools") &&
      (value.tools === undefined || isRecord(value.tools)),
  },
  artefacts: { expected: "a store with `keep` and `read`", isRight: has("keep", "read") },
  log: func,
  clock: { expected: "a clock with `now` and `schedule`", isRight: has("now", "schedule") },
  names: {
    expected: '"kebab-tool", "snake_case" or "any"',
    isRight: (value) => value === "kebab-tool" || value === "snake_case" || value === "any",
  },
};

export const appShape: Shape = {
  ...governanceShape,
  agents: { expected: "a list of agents", isRight: isListOf((value) => isRecord(value) || isFunction(value)) },
  listeners: functions,
  engine: {
    expected: 'an engine such as `sqlite("./runs.db")`',
    isRight: has("start", "status", "pauses", "answer", "cancel", "serve"),
  },
  version: { expected: "a text", isRight: isText },
  threads: { expected: "a store with `read` and `append`", isRight: has("read", "append") },
  prices: { expected: "prices by model: `{ input: usd(…), output: usd(…) }`", isRight: isPrices },
};

/** What is checked more closely elsewhere stands here by name only. */
export const agentShape: Shape = {
  name: anything,
  description: anything,
  model: anything,
  tools: anything,
  definedIn: anything,
  output: anything,
  answerType: anything,
  asks: flag,
  maxToolCalls: anything,
  maxSteps: anything,
  maxFailures: anything,
  maxConcurrency: anything,
  maxRetries: wholeOrNone,
  prompt: {
    expected: 'a text, or `{ files: ["./role.md"] }`',
    isRight: (value) =>
      typeof value === "string" ||
      (isRecord(value) && isListOf((file) => isText(file) || file instanceof URL)(value.files)),
  },
  requires: {
    expected: "lists of tool names by tool name",
    isRight: (value) => isRecord(value) && Object.values(value).every(isListOf(isText)),
  },
  approvals: record,
  budget: record,
  history: record,
  toolErrors: toolDefaultsShape.toolErrors ?? anything,
  thinking: { expected: "none, minimal, low, medium, high, xhigh or max", isRight: isText },
  maxOutputTokens: whole,
  temperature: { expected: "a number", isRight: (value) => typeof value === "number" && Number.isFinite(value) },
  providerOptions: record,
};

function isToolErrors(value: unknown): boolean {
  return value === "mask" || value === "observe" || value === "throw";
}

function isPrices(value: unknown): boolean {
  return (
    isRecord(value) &&
    Object.values(value).every((price) => isRecord(price) && isMoney(price.input) && isMoney(price.output))
  );
}

function show(value: unknown): string {
  if (typeof value === "string") return JSON.stringify(value);
  if (typeof value === "function") return "a function";
  if (Array.isArray(value)) return areFewTexts(value) ? JSON.stringify(value) : `a list of ${value.length}`;
  return typeof value === "object" && value !== null
    ? `an object with ${Object.keys(value).join(", ") || "nothing"}`
    : String(value);
}

function areFewTexts(values: readonly unknown[]): boolean {
  return values.length > 0 && values.length < 6 && values.every((value) => typeof value === "string");
}
