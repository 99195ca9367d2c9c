// What a run or a direct call is started with, taken as it is at that moment: every option known, each of its kind. The caller
// may change its object later, and a getter is asked once.
// It is done for each run and each call, so it must cost next to nothing where all is well.

import { ToolpostError } from "../core/errors.ts";
import { isRecord } from "../std/is-record.ts";
import type { DirectCallOptions, SliceOptions } from "./call-options.ts";
import { sliceRunId } from "./call-options.ts";
import type { Shape } from "./check-options.ts";
import { anything, channel as channelSetting, checkShape, duration, flag, func, text } from "./check-options.ts";
import type { RunOptions } from "./run-options.ts";

const userSetting = {
  expected: "an object with `id`, a text",
  isRight: (user: unknown) => isRecord(user) && text.isRight(user.id),
};
const signalSetting = { expected: "an AbortSignal", isRight: isSignal };
const modelSetting = {
  expected: "a model, or a text such as `openai:gpt-5.2`",
  isRight: (model: unknown) => text.isRight(model) || isRecord(model),
};
const busySetting = {
  expected: '"queue", "reject" or "supersede"',
  isRight: (value: unknown) => value === "queue" || value === "reject" || value === "supersede",
};

const shared: Shape = { user: userSetting, tenant: text, data: anything, signal: signalSetting };
const runShape: Shape = {
  ...shared,
  threadId: text,
  timeout: duration,
  model: modelSetting,
  stream: flag,
  onBusy: busySetting,
};
const callShape: Shape = { ...shared, callId: text, channel: channelSetting, onEvent: func };
const { callId: _, ...invokeShape } = callShape;

/** The options of a run. Throws `run.invalid-input`, and what a getter of theirs throws. */
export function takeRunOptions(options: RunOptions): RunOptions {
  if (!isRecord(options)) return refuse(options, runShape, "the run");
  const { user, tenant, data, signal, threadId, timeout, model, stream, onBusy } = options;
  const taken = { user, tenant, data, signal, threadId, timeout, model, stream, onBusy };
  const isFine =
    isShared(taken) &&
    (threadId === undefined || text.isRight(threadId)) &&
    (timeout === undefined || duration.isRight(timeout)) &&
    (model === undefined || modelSetting.isRight(model)) &&
    (stream === undefined || flag.isRight(stream)) &&
    (onBusy === undefined || busySetting.isRight(onBusy)) &&
    hasOnly(options, runShape);
  return isFine ? (taken as RunOptions) : refuse(named(taken, options), runShape, "the run");
}

/** The options of a call made by code. Throws as `takeRunOptions` does. */
export function takeCallOptions(options: SliceOptions): SliceOptions {
  if (!isRecord(options)) return refuse(options, callShape, "the call");
  const { user, tenant, data, signal, callId, channel, onEvent, [sliceRunId]: runId } = options as SliceOptions;
  const taken = { user, tenant, data, signal, callId, channel, onEvent, [sliceRunId]: runId };
  const isFine =
    isShared(taken) &&
    (onEvent === undefined || func.isRight(onEvent)) &&
    (callId === undefined || text.isRight(callId)) &&
    (channel === undefined || channelSetting.isRight(channel)) &&
    hasOnly(options, callShape);
  return isFine ? (taken as SliceOptions) : refuse(named(taken, options), callShape, "the call");
}

/** The same for a tool called alone, whose call has an id of its own. */
export function takeInvokeOptions(options: Omit<DirectCallOptions, "callId">): SliceOptions {
  if (isRecord(options) && !hasOnly(options, invokeShape)) refuse(named({}, options), invokeShape, "the call");
  return takeCallOptions(options);
}

function isShared({ user, tenant, signal }: Readonly<Record<string, unknown>>): boolean {
  return (
    (user === undefined || userSetting.isRight(user)) &&
    (tenant === undefined || text.isRight(tenant)) &&
    (signal === undefined || isSignal(signal))
  );
}

/** Names that are there: own ones and those of a prototype, as options may be an instance. */
function hasOnly(options: object, shape: Shape): boolean {
  for (const name in options) if (!Object.hasOwn(shape, name)) return false;
  return true;
}

/** What was taken, with the other names that are there. */
function named(taken: object, options: object): object {
  const said = { ...taken } as Record<string, unknown>;
  for (const name in options) if (!Object.hasOwn(said, name)) said[name] = undefined;
  return said;
}

function refuse(options: unknown, shape: Shape, place: string): never {
  const problems = checkShape(options, shape, place, code);
  throw new ToolpostError(code, problems.map(({ message }) => message).join("; "));
}

const code = "run.invalid-input";

/** Of any realm or library: what is used of it is there. */
function isSignal(value: unknown): boolean {
  return (
    isRecord(value) &&
    typeof value.aborted === "boolean" &&
    typeof value.addEventListener === "function" &&
    typeof value.removeEventListener === "function"
  );
}
